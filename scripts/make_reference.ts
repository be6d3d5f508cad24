// The reference of all that is exported, from its comments, as HTML: `npm run docs`, then open .check/reference/.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { runtimeBinary } from "./runtimes.ts";
import { ROOT } from "./source_files.ts";

const FOLDER = ".check/reference";

const deno = runtimeBinary("deno");
if (!deno)
  throw new Error("Cannot make the reference without Deno: 'npm ci --prefix test/runtimes' installs it");

const { exports } = JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8")) as {
  exports: Record<string, string>;
};
rmSync(join(ROOT, FOLDER), { recursive: true, force: true });
const entries = Object.values(exports);
const { status } = spawnSync(deno, ["doc", "--html", "--name=Dragline", `--output=${FOLDER}`, ...entries], {
  cwd: ROOT,
  stdio: "inherit",
  env: { ...process.env, NO_COLOR: "1" },
});
if (status === 0) console.log(`${entries.length} modules: open ${FOLDER}/index.html`);
process.exitCode = status ?? 1;
