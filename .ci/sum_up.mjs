// Sums up the reports of a run: `N passed, N failed` on the last line, and an exit code to match.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const [, , folder = "."] = process.argv;

/** A step's own report, `test.json`, and those of its parts, `runtimes-deno.json`. */
function reportsOf(step) {
  return readdirSync(folder)
    .filter((name) => name === `${step}.json` || (name.startsWith(`${step}-`) && name.endsWith(".json")))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
}

let passed = 0;
let failed = 0;
for (const line of readFileSync(join(folder, "steps"), "utf8").trim().split("\n")) {
  const [step = "", code] = line.split(" ");
  const reports = reportsOf(step);
  const failures = reports.reduce((sum, { numFailedTests }) => sum + numFailedTests, 0);
  passed += reports.reduce((sum, { numPassedTests }) => sum + numPassedTests, 0);
  // A step may fail as a whole, say when a file cannot be loaded or its time is over.
  failed += code === "0" ? failures : Math.max(failures, 1);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
