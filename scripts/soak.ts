// Crawls hosts that misbehave in every way, on every runtime at once, and says what broke: `npm run soak`.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { SoakOrders, SoakReport } from "../bench/soak/crawler.ts";
import { installRuntimes, runtimeBinary } from "./runtimes.ts";
import { ROOT } from "./source_files.ts";

const HELP = `Usage: npm run soak -- [options]

  --minutes N    how long each runtime crawls, all of them at the same time (default 10)
  --seed N       of all that is left to chance (default: the time)
  --only NAME    only this run; may be repeated: node, node24, node-undici, node24-undici, deno, bun
  --faults       also how often each misdeed was done
  --help
`;
const HOSTS = 5;
// A crawl that has begun ends; connections come to rest.
const GRACE_MS = 120_000;
/** A process with nothing left to do ends at once; loaded machines are slow. */
const EXIT_LIMIT_MS = 15_000;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string", multiple: true },
    faults: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error(`Cannot soak as 'minutes' must be above 0 and 'seed' a whole number\n\n${HELP}`);
  process.exit(2);
}

/** One line of the table. */
interface Run {
  readonly name: string;
  readonly command: readonly string[];
  readonly transport?: SoakOrders["transport"];
}

const NODE_FLAGS = ["--expose-gc", "--import", "tsx"];

function runs(): Run[] {
  installRuntimes();
  const node24 = runtimeBinary("node24");
  const deno = runtimeBinary("deno");
  const bun = runtimeBinary("bun");
  const nodes = [
    { name: "node", command: [process.execPath, ...NODE_FLAGS] },
    ...(node24 ? [{ name: "node24", command: [node24, ...NODE_FLAGS] }] : []),
  ];
  return [
    ...nodes,
    ...nodes.map(({ name, command }) => ({ name: `${name}-undici`, command, transport: "undici" as const })),
    ...(deno
      ? [
          {
            name: "deno",
            command: [deno, "run", "--allow-all", "--v8-flags=--expose-gc"],
          },
        ]
      : []),
    ...(bun ? [{ name: "bun", command: [bun, "run"] }] : []),
  ];
}

function start(command: readonly string[], script: string, ...args: readonly string[]): ChildProcess {
  const [binary = "", ...flags] = command;
  return spawn(binary, [...flags, join(ROOT, "bench/soak", script), ...args], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
  });
}

/** The first line that a process prints, as JSON. */
async function firstLine<T>(child: ChildProcess, limitMs: number): Promise<T> {
  let text = "";
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  for await (const piece of child.stdout!.setEncoding("utf8")) {
    text += piece;
    if (text.includes("\n")) break;
  }
  clearTimeout(timer);
  if (!text.includes("\n"))
    throw new Error(`ended, or was ended after ${limitMs} ms, before it told anything`);
  return JSON.parse(text) as T;
}

/** Whether a process that is done ends by itself: what it left open would keep it. */
async function endsByItself(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) return true;
  const timer = setTimeout(() => child.kill("SIGKILL"), EXIT_LIMIT_MS);
  await once(child, "exit");
  clearTimeout(timer);
  return child.signalCode === null;
}

async function soak({
  name,
  command,
  transport = "fetch",
}: Run): Promise<{ name: string; report?: SoakReport; complaints: string[] }> {
  const hosts = start([process.execPath, "--import", "tsx"], "server.ts", String(seed), String(HOSTS));
  let crawler: ChildProcess | undefined;
  try {
    const where = await firstLine<Pick<SoakOrders, "origins" | "control">>(hosts, GRACE_MS);
    const orders: SoakOrders = { ...where, seed, seconds: minutes * 60, transport };
    crawler = start(command, "crawler.ts", JSON.stringify(orders));
    const report = await firstLine<SoakReport>(crawler, minutes * 60_000 + GRACE_MS);
    const leftOver = (await endsByItself(crawler)) ? [] : ["the process did not end by itself"];
    return { name, report, complaints: [...report.complaints, ...leftOver] };
  } catch (error) {
    return { name, complaints: [String(error)] };
  } finally {
    crawler?.kill("SIGKILL");
    hosts.kill("SIGKILL");
  }
}

function row({ name, report, complaints }: Awaited<ReturnType<typeof soak>>): string {
  if (!report) return `| ${name} | ${complaints.join("; ")} |`;
  const { crawls, requests, pages, failures, skips, memory, connections, resources } = report;
  const sum = (counts: Readonly<Record<string, number>>): number =>
    Object.values(counts).reduce((a, b) => a + b, 0);
  const trend = (of: "heap" | "resident"): string =>
    [memory.first, memory.last].map((sample) => (sample[of] / 1e6).toFixed(0)).join(" → ");
  const cells = [name, crawls, requests, pages, sum(failures), sum(skips), trend("heap"), trend("resident")];
  return `| ${[...cells, connections.open, resources.length, complaints.length].join(" | ")} |`;
}

console.log(`seed ${seed}, ${minutes} minutes, ${HOSTS} hosts for each runtime`);
const outcomes = await Promise.all(
  runs()
    .filter(({ name }) => !values.only || values.only.includes(name))
    .map(soak),
);
console.log(
  "| Runtime | crawls | requests | pages | failures | skips | heap MB | RSS MB | connections left | handles left | broken |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|---|");
for (const outcome of outcomes) console.log(row(outcome));
const reports = outcomes.flatMap(({ report }) => report ?? []);

/** Counts of all runs together, the most frequent first. */
function sums(of: (report: SoakReport) => Readonly<Record<string, number>>): string {
  const counts = new Map<string, number>();
  for (const [name, count] of reports.flatMap((report) => Object.entries(of(report)))) {
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}
console.log(`failures: ${sums(({ failures }) => failures)}`);
console.log(`skips: ${sums(({ skips }) => skips)}`);
if (values.faults) console.log(`misdeeds: ${sums(({ tally }) => tally)}`);

const failed = outcomes.filter(({ complaints }) => complaints.length > 0);
for (const { name, complaints } of failed) for (const what of complaints) console.log(`${name}: ${what}`);
const numPassedTests = outcomes.length - failed.length;
if (process.env.TEST_REPORT) {
  writeFileSync(process.env.TEST_REPORT, JSON.stringify({ numPassedTests, numFailedTests: failed.length }));
}
console.log(`${numPassedTests} passed, ${failed.length} failed`);
process.exitCode = outcomes.length > 0 && failed.length === 0 ? 0 : 1;
