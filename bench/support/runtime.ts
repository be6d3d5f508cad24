import { spawnSync } from "node:child_process";
import { type Runtime as RuntimeName, runtimeBinary } from "../../scripts/runtimes.ts";

/** What runs a client: the machine's own Node, or what test/runtimes has. */
export interface Runtime {
  readonly name: string;
  readonly command: string;
  /** Stand before the script. */
  readonly args: readonly string[];
  readonly isNode: boolean;
}

const OTHERS: readonly { binary: RuntimeName; name: string; args: readonly string[]; isNode: boolean }[] = [
  { binary: "node24", name: "Node.js", args: [], isNode: true },
  { binary: "deno", name: "Deno", args: ["run", "--allow-all"], isNode: false },
  { binary: "bun", name: "Bun", args: ["run"], isNode: false },
];

export function ownNode(): Runtime {
  return { name: `Node.js ${versionOf("node")}`, command: "node", args: [], isNode: true };
}

/** Every runtime that is installed; of Node.js no version twice. */
export function installedRuntimes(): Runtime[] {
  const runtimes = [ownNode()];
  for (const { binary, name, args, isNode } of OTHERS) {
    const command = runtimeBinary(binary);
    if (command === undefined) continue;
    const named = `${name} ${versionOf(command)}`;
    if (runtimes.some((runtime) => runtime.name === named)) continue;
    runtimes.push({ name: named, command, args, isNode });
  }
  return runtimes;
}

/** The first number with points in what `--version` prints. */
function versionOf(command: string): string {
  const { stdout } = spawnSync(command, ["--version"], { encoding: "utf8" });
  return /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? "of unknown version";
}
