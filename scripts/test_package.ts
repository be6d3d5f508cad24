// Tests the package as strangers use it, from the archive that `npm pack` makes: `npm run test:package`.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { installRuntimes } from "./runtimes.ts";
import { ROOT } from "./source_files.ts";

const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs");
const report = process.env.TEST_REPORT ?? join(ROOT, ".check/package_tests.json");

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

installRuntimes();
mkdirSync(join(ROOT, ".check"), { recursive: true });
const { status } = spawnSync(
  process.execPath,
  [VITEST, "run", "--config", "test/package/vitest.config.ts", ...process.argv.slice(2)],
  { cwd: ROOT, env: { ...process.env, TEST_REPORT: report }, stdio: "inherit" },
);
const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8")) as Report;
// A run may fail as a whole, say when nothing could be packed.
console.log(`${numPassedTests} passed, ${status === 0 ? 0 : Math.max(numFailedTests, 1)} failed`);
process.exitCode = status ?? 1;
