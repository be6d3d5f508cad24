// Packs the package as it would be published, and looks at that: its form, its types, and whether it runs.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { ROOT } from "./source_files.ts";

const FOLDER = join(ROOT, ".check/package");
const INSTALLED = join(FOLDER, "node_modules/dragline");

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
}

function run(command: string, args: readonly string[], cwd: string = ROOT): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  if (status === 0) return;
  console.error(error?.message ?? `${command} ${args.join(" ")} ended with ${status}`);
  process.exit(1);
}

/** Builds and packs; says where the archive is. */
function pack(): string {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(INSTALLED, { recursive: true });
  run("npm", ["pack", "--silent", "--pack-destination", FOLDER]);
  const archive = readdirSync(FOLDER).find((name) => name.endsWith(".tgz"));
  if (!archive) throw new Error("Cannot check the package as 'npm pack' wrote no archive");
  return join(FOLDER, archive);
}

/** As `npm install` would lay it out, its dependencies and peers being those that are here already. */
function install(archive: string): Manifest {
  run("tar", ["-xzf", archive, "--strip-components=1", "-C", INSTALLED]);
  const manifest = JSON.parse(readFileSync(join(INSTALLED, "package.json"), "utf8")) as Manifest;
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    mkdirSync(dirname(join(FOLDER, "node_modules", name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(FOLDER, "node_modules", name), "dir");
  }
  return manifest;
}

const archive = pack();
run("publint", ["--strict", archive]);
run("attw", [archive, "--profile", "esm-only", "--no-emoji"]);

const { exports, bin } = install(archive);
const modules = Object.keys(exports).filter((name) => !name.endsWith(".json"));
for (const name of modules) {
  const specifier = name.replace(/^\./, "dragline");
  run(process.execPath, ["--input-type=module", "--eval", `await import("${specifier}")`], FOLDER);
  console.log(`${specifier} can be imported`);
}
for (const [name, path] of Object.entries(bin)) {
  run(process.execPath, [join(INSTALLED, path), "--version"], FOLDER);
  console.log(`${name} runs`);
}
