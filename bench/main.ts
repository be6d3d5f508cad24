/**
 * Runs the benchmarks one after another, each in a process of its own: `npm run bench` for all of them, or
 * `npm run bench -- crawl politeness` for those named. What follows `--` again goes to each: `... -- 3`.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import process from "node:process";

// What another benchmark runs, or what must be asked for by name as it takes long.
const NOT_ALONE: ReadonlySet<string> = new Set(["main", "synthetic_site"]);
const BY_NAME_ALONE: ReadonlySet<string> = new Set(["soak_sse", "manual_heap", "manual_scale"]);

const all = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -3))
  .filter((name) => !NOT_ALONE.has(name))
  .sort();
const args = process.argv.slice(2);
const end = args.indexOf("--");
const names = end < 0 ? args : args.slice(0, end);
const passed = end < 0 ? [] : args.slice(end + 1);
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`Cannot run '${unknown.join("', '")}': there are ${all.join(", ")}`);
  process.exit(2);
}
let failed = 0;
for (const name of names.length > 0 ? names : all.filter((name) => !BY_NAME_ALONE.has(name))) {
  console.log(`\n## ${name}\n`);
  const { status } = spawnSync(process.execPath, ["--import", "tsx", `bench/${name}.ts`, ...passed], {
    stdio: "inherit",
  });
  if (status !== 0) failed++;
}
process.exit(failed > 0 ? 1 : 0);
