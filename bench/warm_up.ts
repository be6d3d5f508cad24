/**
 * How long a client must crawl until it is warm: pages a second in each of its first seconds, from a cold start, of the
 * bare loop and of `crawl()` by `fetch` on every runtime that is installed. `npm run bench -- warm_up`; `--quick` for
 * one round, `--json FILE` for where the figures are kept, `--write` to put them into docs/performance.md.
 */
import process from "node:process";
import { bundle } from "./support/bundle.ts";
import { ClientProcess } from "./support/client_process.ts";
import { writeFigures } from "./support/document.ts";
import { readFlags } from "./support/flags.ts";
import { describeMachine, thisMachine } from "./support/machine.ts";
import { markdownTable } from "./support/markdown_table.ts";
import { writeReport } from "./support/report.ts";
import { inRounds } from "./support/rounds.ts";
import { installedRuntimes, type Runtime } from "./support/runtime.ts";
import { syntheticSite } from "./support/site.ts";
import { startSite } from "./support/site_process.ts";
import { median } from "./support/summary.ts";

const { quick, json, write } = readFlags(process.argv.slice(2));
const ROUNDS = quick ? 1 : 3;
const SECONDS = 6;
// So few that a crawl ends soon after its second does.
const PAGES = 500;

interface Contestant {
  readonly runtime: Runtime;
  readonly client: "bare" | "fetch";
}

/** Pages a second, second by second. */
async function measureStart({ runtime, client }: Contestant): Promise<number[]> {
  const cold = new ClientProcess(runtime, script, { args: [client] });
  try {
    const rates: number[] = [];
    while (rates.length < SECONDS) {
      rates.push((await cold.crawl({ startUrl: site.startUrl, leastMs: 1_000 })).pagesPerSecond);
    }
    return rates;
  } finally {
    await cold.end();
  }
}

const machine = thisMachine();
const scripts = await bundle(["bench/support/client.ts"]);
const script = scripts.scriptOf("client");
const contestants = installedRuntimes().flatMap((runtime): Contestant[] => [
  { runtime, client: "bare" },
  { runtime, client: "fetch" },
]);
const site = await startSite(syntheticSite(PAGES, 10));
const starts = await inRounds(contestants, ROUNDS, (contestant, round) => {
  const { runtime, client } = contestant;
  console.error(`warm-up, round ${round + 1} of ${ROUNDS}: ${runtime.name}, ${client}`);
  return measureStart(contestant);
}).finally(site.close);
scripts.remove();

const seconds = Array.from({ length: SECONDS }, (_, second) => second);
const figures = contestants.map(({ runtime, client }, at) => ({
  client: `${runtime.name}, ${client === "bare" ? "bare loop" : "`crawl()`"}`,
  pagesPerSecond: seconds.map((second) => median(starts[at]!.map((rates) => rates[second]!))),
}));
const headings = ["pages a second, in second", ...seconds.map((second) => `${second + 1}`)];
const rows = figures.map(({ client, pagesPerSecond }) => [
  client,
  ...pagesPerSecond.map((rate) => Math.round(rate).toLocaleString("en")),
]);
const text = [
  `${describeMachine(machine)}; ${PAGES} pages of 10 KB, HTTP; medians of ${ROUNDS} processes.`,
  markdownTable(headings, rows),
].join("\n\n");
console.log(text);
if (write) writeFigures("docs/performance.md", "warm_up", text);
writeReport("warm_up", { machine, pages: PAGES, rounds: ROUNDS, figures }, json);
