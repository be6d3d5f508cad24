/**
 * Pages a second of a whole crawl with the frontier in a file, against the one in memory; and the cost of a request as
 * the file grows. `npm run bench -- sqlite`, on Node.js 22.13 or later, Deno or Bun.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type CrawlOptions, crawl } from "../mod.ts";
import { type SqliteOptions, sqlite } from "../src/frontier/sqlite.ts";
import type { CrawlRequest } from "../src/request.ts";
import { syntheticSite } from "./support/site.ts";
import { startSite } from "./support/site_process.ts";
import { summary } from "./support/summary.ts";

const PAGES = 2_000;
const AT_ONCE = 32;
const ROUNDS = 5;
const BLOOM: SqliteOptions = { seen: { bloom: { capacity: 1_000_000, falsePositives: 0.01 } } };

const folder = mkdtempSync(join(tmpdir(), "dragline-bench-"));
let files = 0;
const freshFile = (): string => join(folder, `${++files}.db`);

/** Pages a second, and microseconds of the processor a page: these no neighbour blurs. */
interface Run {
  readonly rate: number;
  readonly cpu: number;
}

async function wholeCrawl(start: string, frontier: CrawlOptions): Promise<Run> {
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  let pages = 0;
  const options = { delayMs: 0, concurrency: AT_ONCE, hostConcurrency: AT_ONCE, ...frontier };
  for await (const page of crawl(start, options)) if (page.ok) pages++;
  // A Bloom filter may lose one in a hundred.
  if (pages > PAGES || pages < PAGES * 0.99) throw new Error(`Expected ${PAGES} pages: received ${pages}`);
  const { user, system } = process.cpuUsage(cpuBefore);
  return { rate: (pages * 1_000) / (performance.now() - startedAt), cpu: (user + system) / pages };
}

function request(n: number): CrawlRequest {
  const url = `https://www.example.com/some/folder/of/a/site/page-${String(n).padStart(12, "0")}`;
  const referrer = "https://www.example.com/some/folder/of/a/site/";
  return { url, key: url, host: "www.example.com", depth: 3, priority: -3, order: n, referrer };
}

/** Microseconds of the processor for one request to be taken, and ended with one new link, with so many queued. */
function microsecondsAt(queued: number): { microseconds: number; bytes: number } {
  const path = freshFile();
  const store = sqlite(path);
  let n = 0;
  while (n < queued) store.add(Array.from({ length: 1_000 }, () => request(++n)));
  const [lease] = store.lease(1, 0);
  const steps = 10_000;
  const cpuBefore = process.cpuUsage();
  for (let i = 0; i < steps; i++) {
    const [taken] = store.take(lease!, 1, 0);
    store.complete(lease!, taken!, [request(++n)]);
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const microseconds = (user + system) / steps;
  store.close();
  return { microseconds, bytes: statSync(path).size / queued };
}

const site = await startSite(syntheticSite(PAGES, 10));
const runs: Record<"memory" | "file" | "filter", Run[]> = { memory: [], file: [], filter: [] };
for (let round = 0; round <= ROUNDS; round++) {
  const memory = await wholeCrawl(site.startUrl, {});
  const file = await wholeCrawl(site.startUrl, { frontier: sqlite(freshFile()) });
  const filter = await wholeCrawl(site.startUrl, { frontier: sqlite(freshFile(), BLOOM) });
  // The first round warms up.
  if (round === 0) continue;
  runs.memory.push(memory);
  runs.file.push(file);
  runs.filter.push(filter);
}
console.log(`${PAGES} pages of 10 KB, ${AT_ONCE} at once: median (least to most)\n`);
console.log(
  "| frontier | pages a second | µs of the processor a page | rate against memory | processor, memory against it |",
);
console.log("|---|---|---|---|---|");
const names = { memory: "in memory", file: "in a file", filter: "in a file, with a Bloom filter" };
for (const [name, of] of Object.entries(runs)) {
  const against = of.map(({ rate }, i) => rate / runs.memory[i]!.rate);
  const cpuAgainst = of.map(({ cpu }, i) => runs.memory[i]!.cpu / cpu);
  const cells = [of.map(({ rate }) => rate), of.map(({ cpu }) => cpu), against, cpuAgainst];
  console.log(`| ${names[name as keyof typeof names]} | ${cells.map(summary).join(" | ")} |`);
}
console.log(
  "\n| queued | µs of the processor a request, taken and ended with one new link | bytes of the file a queued URL |\n|---|---|---|",
);
for (const queued of [1_000, 100_000, 1_000_000]) {
  const { microseconds, bytes } = microsecondsAt(queued);
  console.log(`| ${queued} | ${microseconds.toFixed(0)} | ${bytes.toFixed(0)} |`);
}
await site.close();
rmSync(folder, { recursive: true });
process.exit(0);
