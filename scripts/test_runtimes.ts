// Runs the suite on every runtime that `npm test` does not: `npm run test:runtimes [-- deno bun ...]`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { installRuntimes, type Runtime, runtimeBinary } from "./runtimes.ts";
import { ROOT } from "./source_files.ts";

const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs");

/** The command that tests a runtime, by the path of its binary; workerd is driven from the machine's own Node. */
const COMMANDS: Readonly<Record<Runtime, (binary: string) => readonly string[]>> = {
  node24: (binary) => [binary, VITEST, "run"],
  deno: (binary) => [binary, "run", "--allow-all", VITEST, "run"],
  bun: (binary) => [binary, "--bun", VITEST, "run"],
  workerd: () => [process.execPath, VITEST, "run", "--config", "test/runtimes/vitest.config.ts"],
};

function testRuntime(runtime: Runtime): boolean {
  console.log(`\n=== ${runtime} ===`);
  const binary = runtimeBinary(runtime);
  if (!binary) {
    console.error(`${runtime} is not made for this platform`);
    return false;
  }
  const [command = binary, ...args] = COMMANDS[runtime](binary);
  return (
    spawnSync(command, args, { cwd: ROOT, env: environment(runtime, binary), stdio: "inherit" }).status === 0
  );
}

/** Each run writes its figures beside those of the others. */
function environment(runtime: Runtime, binary: string): NodeJS.ProcessEnv {
  const report = process.env.TEST_REPORT?.replace(/\.json$/, `-${runtime}.json`);
  return {
    ...process.env,
    ...(report ? { TEST_REPORT: report } : {}),
    ...(runtime === "workerd" ? { WORKERD: binary } : {}),
  };
}

const wanted = process.argv.slice(2);
const all = Object.keys(COMMANDS) as Runtime[];
const unknown = wanted.filter((name) => !all.includes(name as Runtime));
if (unknown.length > 0) {
  console.error(`Unknown runtime '${unknown[0]}': the known ones are ${all.join(", ")}`);
  process.exit(2);
}

installRuntimes();
const runtimes = all.filter((runtime) => wanted.length === 0 || wanted.includes(runtime));
const failed = runtimes.filter((runtime) => !testRuntime(runtime));
console.log(failed.length === 0 ? `\nGreen on ${runtimes.join(", ")}` : `\nFailed on ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
