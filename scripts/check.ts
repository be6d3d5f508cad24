// Everything that holds a release together but for the tests: `npm run check`. Every step runs, whatever failed before.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import process from "node:process";
import { runtimeBinary } from "./runtimes.ts";
import { ROOT } from "./source_files.ts";

const deno = runtimeBinary("deno");

const STEPS: readonly { name: string; commands: readonly (readonly string[])[] }[] = [
  { name: "format and lint", commands: [["biome", "ci", "."]] },
  { name: "types", commands: [["tsc", "--noEmit"]] },
  { name: "types of the core without those of Node", commands: [["tsc", "-p", "tsconfig.core.json"]] },
  {
    name: "layers, time and chance",
    commands: [["vitest", "run", "test/layers.test.ts", "test/time_and_chance.test.ts"]],
  },
  {
    name: "docs: snippets, examples and links",
    commands: [
      ["tsx", "scripts/check_snippets.ts"],
      ["tsx", "scripts/check_documents.ts"],
    ],
  },
  { name: "docs: what is public is documented", commands: deno ? [["tsx", "scripts/check_docs.ts"]] : [] },
  { name: "dead code", commands: [["knip"]] },
  { name: "package for npm", commands: [["tsx", "scripts/check_package.ts"]] },
  {
    name: "package for JSR",
    commands: deno ? [[deno, "publish", "--dry-run", "--allow-dirty", "--quiet"]] : [],
  },
  {
    name: "size of the core, and time to import it",
    commands: [
      ["tsx", "scripts/build.ts"],
      ["tsx", "scripts/check_size.ts"],
      ["tsx", "scripts/check_import_time.ts"],
    ],
  },
];

function run([command = "", ...args]: readonly string[]): boolean {
  const { TEST_REPORT: _, ...env } = process.env;
  const { status, error } = spawnSync(command, args, { cwd: ROOT, env, stdio: "inherit" });
  if (error) console.error(error.message);
  return status === 0;
}

const outcomes = STEPS.map(({ name, commands }) => {
  console.log(`\n--- ${name} ---`);
  if (commands.length === 0)
    return { name, outcome: "left out: needs Deno, which `npm run test:runtimes` installs" };
  return { name, outcome: commands.every(run) ? "ok" : "FAILED" };
});

console.log("\n--- summary ---");
for (const { name, outcome } of outcomes) console.log(`${outcome.padEnd(6)}  ${name}`);

const passed = outcomes.filter(({ outcome }) => outcome === "ok").length;
const failed = outcomes.filter(({ outcome }) => outcome === "FAILED").length;
// In the words of vitest's own report, so that one reader sums up both.
const report = { numPassedTests: passed, numFailedTests: failed };
if (process.env.TEST_REPORT) writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
process.exitCode = failed === 0 ? 0 : 1;
