/**
 * Whole crawls with the frontier in a file against those with the one in memory, by `fetch` and, on Node.js, by undici
 * too; and the cost of a request as the file grows. `npm run bench -- sqlite`, or `node`, `deno run -A` or `bun` with
 * bench/sqlite.ts: on Node.js 22.13 or later, Deno or Bun.
 *
 * With each frontier it crawls until that is warm; then each has its turn in every round, and a ratio is that of one
 * round.
 */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type CrawlOptions, crawl } from "../mod.ts";
import { type SqliteOptions, sqlite } from "../src/frontier/sqlite.ts";
import type { CrawlRequest } from "../src/request.ts";
import { markdownTable } from "./support/markdown_table.ts";
import { inRounds } from "./support/rounds.ts";
import { measureRun, type Run } from "./support/run.ts";
import { syntheticSite } from "./support/site.ts";
import { startSite } from "./support/site_process.ts";
import { ratios, summary } from "./support/summary.ts";
import { temporaryFolder } from "./support/temporary_folder.ts";
import { LEAST_MS, WARM_UP_MS } from "./support/warm_rounds.ts";

const PAGES = 2_000;
const AT_ONCE = 32;
const ROUNDS = 5;
const STEPS = 10_000;
const BLOOM: SqliteOptions = { seen: { bloom: { capacity: 1_000_000, falsePositives: 0.01 } } };

const folder = temporaryFolder();
const path = join(folder.path, "state.db");

/** Opens a store in a file that is not there yet. */
function freshStore(options?: SqliteOptions): ReturnType<typeof sqlite> {
  rmSync(path, { force: true });
  return sqlite(path, options);
}

type Frontier = readonly [name: string, options: () => CrawlOptions];
const FRONTIERS: readonly Frontier[] = [
  ["in memory", () => ({})],
  ["in a file", () => ({ frontier: freshStore() })],
  ["in a file, with a Bloom filter", () => ({ frontier: freshStore(BLOOM) })],
];

async function wholeCrawl(startUrl: string, options: CrawlOptions): Promise<number> {
  let pages = 0;
  const pace = { delayMs: 0, concurrency: AT_ONCE, hostConcurrency: AT_ONCE };
  for await (const page of crawl(startUrl, { ...pace, ...options })) if (page.ok) pages++;
  if (pages !== PAGES) throw new Error(`Expected ${PAGES} pages: received ${pages}`);
  return pages;
}

async function measureFrontiers(startUrl: string, transport: CrawlOptions): Promise<string> {
  const measure = ([, options]: Frontier, leastMs: number): Promise<Run> =>
    measureRun(() => wholeCrawl(startUrl, { ...transport, ...options() }), leastMs);
  for (const frontier of FRONTIERS) await measure(frontier, WARM_UP_MS);
  const runs = await inRounds(FRONTIERS, ROUNDS, (frontier) => measure(frontier, LEAST_MS));
  const rates = runs.map((of) => of.map(({ pagesPerSecond }) => pagesPerSecond));
  const costs = runs.map((of) => of.map(({ cpuMicrosecondsPerPage }) => cpuMicrosecondsPerPage));
  const rows = FRONTIERS.map(([name], at) => [
    name,
    summary(rates[at]!),
    summary(costs[at]!),
    summary(ratios(rates[at]!, rates[0]!)),
    summary(ratios(costs[0]!, costs[at]!)),
  ]);
  const headings = [
    "frontier",
    "pages/s",
    "processor µs/page",
    "pages/s, of memory's",
    "processor, memory to it",
  ];
  return markdownTable(headings, rows);
}

function request(n: number): CrawlRequest {
  const url = `https://www.example.com/some/folder/of/a/site/page-${String(n).padStart(12, "0")}`;
  const referrer = "https://www.example.com/some/folder/of/a/site/";
  return { url, key: url, host: "www.example.com", depth: 3, priority: -3, order: n, referrer };
}

/** Requests that are taken, and ended with one new link each, with so many queued: a row of the table. */
function requestsAt(queued: number): string[] {
  const store = freshStore();
  let n = 0;
  while (n < queued) store.add(Array.from({ length: 1_000 }, () => request(++n)));
  const [lease] = store.lease(1, 0);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  for (let i = 0; i < STEPS; i++) {
    const [taken] = store.take(lease!, 1, 0);
    store.complete(lease!, taken!, [request(++n)]);
  }
  const microseconds = ((performance.now() - startedAt) * 1_000) / STEPS;
  const { user, system } = process.cpuUsage(cpuBefore);
  store.close();
  const bytes = statSync(path).size / (queued + STEPS);
  return [`${queued}`, ((user + system) / STEPS).toFixed(0), microseconds.toFixed(0), bytes.toFixed(0)];
}

const site = await startSite(syntheticSite(PAGES, 10));
console.log(`${PAGES} pages of 10 KB, ${AT_ONCE} at once, ${ROUNDS} rounds: median (least to most)`);
console.log(`\nBy fetch\n\n${await measureFrontiers(site.startUrl, {})}`);
if (!("Deno" in globalThis || "Bun" in globalThis)) {
  const { undiciTransport } = await import("../src/transport/undici.ts");
  const transport = undiciTransport();
  console.log(`\nBy undici\n\n${await measureFrontiers(site.startUrl, { transport })}`);
}
await site.close();
requestsAt(1_000); // warms up
const headings = ["queued", "processor µs/request", "µs/request", "octets of the file/URL seen"];
console.log(`\n${markdownTable(headings, [1_000, 100_000, 1_000_000].map(requestsAt))}`);
folder.remove();
process.exit(0);
