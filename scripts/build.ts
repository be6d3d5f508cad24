// Builds what npm gets, in `dist/`: a module for each that package.json names, with what they share in chunks, as each
// file costs an importer some 0.2 ms; and the types. Nothing is minified: it is read in stack traces.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { ROOT } from "./source_files.ts";

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly bin: Readonly<Record<string, string>>;
}

/** The sources of the modules that users import or run, from the root of the repository. */
function entryPoints({ exports, bin }: Manifest): string[] {
  const modules = Object.values(exports).flatMap((target) =>
    typeof target === "object" ? [target.default] : [],
  );
  return [...modules, ...Object.values(bin)].map((path) =>
    path.replace(/^\.\/dist\//, "").replace(/\.js$/, ".ts"),
  );
}

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
rmSync(join(ROOT, "dist"), { recursive: true, force: true });
await build({
  entryPoints: entryPoints(manifest),
  absWorkingDir: ROOT,
  outbase: ROOT,
  outdir: "dist",
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  packages: "external",
  format: "esm",
  platform: "neutral",
  external: ["node:*"],
  target: "es2022",
  logLevel: "warning",
}).catch(() => process.exit(1)); // what is wrong was logged

const types = spawnSync("tsc", ["-p", "tsconfig.build.json"], { cwd: ROOT, stdio: "inherit" });
if (types.error) console.error(types.error.message);
process.exitCode = types.status ?? 1;
