/**
 * Runs benchmarks, each in a process of its own. `npm run bench` runs the one whose tables the README has;
 * `npm run bench -- links frontier` those named; `npm run bench -- --compare REV` holds this tree against another
 * revision of it. Other flags go to the benchmark: `--quick`, `--json FILE`, `--write`.
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import process from "node:process";

// What a benchmark runs itself, or what a flag starts.
const NOT_NAMED: ReadonlySet<string> = new Set(["main", "compare", "graph_site"]);
const DEFAULT = "crawl";

const known = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length))
  .filter((name) => !NOT_NAMED.has(name))
  .sort();

/** The benchmarks that the arguments ask for, each with its own. */
function readArguments(args: readonly string[]): { names: string[]; rest: string[] } {
  if (args[0] === "--compare") {
    if (args[1] === undefined || args[1].startsWith("-"))
      fail("Cannot compare as '--compare' names no revision");
    return { names: ["compare"], rest: args.slice(1) };
  }
  const firstOther = args.findIndex((arg) => !known.includes(arg));
  const end = firstOther < 0 ? args.length : firstOther;
  const first = args[end];
  if (first !== undefined && !first.startsWith("-"))
    fail(`Cannot run '${first}': there are ${known.join(", ")}`);
  return {
    names: end === 0 ? [DEFAULT] : args.slice(0, end),
    rest: args.slice(first === "--" ? end + 1 : end),
  };
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

/** The exit code of one benchmark. */
function run(name: string, args: readonly string[]): Promise<number> {
  // Some tell of memory where they can have it collected.
  const child = spawn(process.execPath, ["--expose-gc", "--import", "tsx", `bench/${name}.ts`, ...args], {
    stdio: "inherit",
  });
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on("SIGINT", passOn).on("SIGTERM", passOn);
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("exit", (code) => {
      process.off("SIGINT", passOn).off("SIGTERM", passOn);
      resolve(code ?? 1);
    });
  });
}

const { names, rest } = readArguments(process.argv.slice(2));
let worst = 0;
for (const name of names) {
  if (names.length > 1) console.log(`\n## ${name}\n`);
  const code = await run(name, rest);
  worst = Math.max(worst, code);
  // Shells count so: it was ended by a signal, which is meant for all.
  if (code > 128) break;
}
process.exitCode = worst;
