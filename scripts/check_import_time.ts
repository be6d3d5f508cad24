// Measures what importing the built package adds to the start of a process: against an empty script, turn by turn, the
// least of each. It is processor time, which what else the machine does hardly changes; nothing is waited for meanwhile.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { ROOT } from "./source_files.ts";

const BUDGET_MS = 30;
const TURNS = 20;

const CORE = pathToFileURL(join(ROOT, "dist/mod.js")).href;
const TELL_COST = "const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);";

function millisecondsOf(script: string): number {
  const args = ["--input-type=module", "--eval", `${script}\n${TELL_COST}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`Cannot measure the import as it failed: ${stderr}`);
  return Number(stdout);
}

let emptyMs = Number.POSITIVE_INFINITY;
let importMs = Number.POSITIVE_INFINITY;
for (let turn = 0; turn < TURNS; turn++) {
  emptyMs = Math.min(emptyMs, millisecondsOf(""));
  importMs = Math.min(importMs, millisecondsOf(`import "${CORE}";`));
}
const addedMs = importMs - emptyMs;
console.log(
  `Importing the core takes ${addedMs.toFixed(1)} ms on Node ${process.versions.node} above the ${emptyMs.toFixed(1)} ms of an empty script, of ${BUDGET_MS} ms`,
);
process.exitCode = addedMs <= BUDGET_MS ? 0 : 1;
