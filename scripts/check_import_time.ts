// Measures what importing the built package adds to the start of a process: against an empty script, turn by turn, the
// fastest of each, as whatever else the machine does only ever adds.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { ROOT } from "./source_files.ts";

const BUDGET_MS = 30;
const TURNS = 20;

const CORE = pathToFileURL(join(ROOT, "dist/mod.js")).href;

function millisecondsOf(script: string): number {
  const startedMs = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script]);
  const tookMs = performance.now() - startedMs;
  if (status !== 0) throw new Error(`Cannot measure the import as it failed: ${stderr}`);
  return tookMs;
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
