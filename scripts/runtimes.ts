import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./source_files.ts";

export type Runtime = "node24" | "deno" | "bun" | "workerd";

const FOLDER = join(ROOT, "test/runtimes");
const MODULES = join(FOLDER, "node_modules");

// The packages that npm chooses by platform hold the binaries themselves: called by path, no install script is needed.
const BINARIES: Readonly<Record<Runtime, { scope: string; prefix: string; file: string }>> = {
  node24: { scope: "", prefix: "node-", file: "bin/node" },
  deno: { scope: "@deno", prefix: "", file: "deno" },
  bun: { scope: "@oven", prefix: "bun-", file: "bin/bun" },
  workerd: { scope: "@cloudflare", prefix: "workerd-", file: "bin/workerd" },
};

/** Installs the runtimes as their lock file says, unless that was done already. */
export function installRuntimes(): void {
  if (isInstalled()) return;
  const { status } = spawnSync("npm", ["ci"], { cwd: FOLDER, stdio: "inherit" });
  if (status !== 0) throw new Error("Cannot test the runtimes as 'npm ci' in test/runtimes failed");
}

function isInstalled(): boolean {
  const installed = statSync(join(MODULES, ".package-lock.json"), { throwIfNoEntry: false });
  return installed !== undefined && installed.mtimeMs >= statSync(join(FOLDER, "package-lock.json")).mtimeMs;
}

/** The path of a runtime's binary; `undefined` where it is not installed or not made for this platform. */
export function runtimeBinary(runtime: Runtime): string | undefined {
  const { scope, prefix, file } = BINARIES[runtime];
  const folder = join(MODULES, scope);
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(folder, name, file))
    .find((path) => existsSync(path));
}
