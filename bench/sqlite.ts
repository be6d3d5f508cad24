/**
 * Pages a second of a whole crawl with the frontier in a file, against the one in memory; and the cost of a request as
 * the file grows. `npx tsx bench/sqlite.ts`, on Node.js 22.13 or later, Deno or Bun.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type CrawlOptions, crawl } from "../mod.ts";
import { type SqliteOptions, sqlite } from "../src/frontier/sqlite.ts";
import type { CrawlRequest } from "../src/request.ts";

const PAGES = 2_000;
const AT_ONCE = 32;
const ROUNDS = 5;
const BLOOM: SqliteOptions = { seen: { bloom: { capacity: 1_000_000, falsePositives: 0.01 } } };

const folder = mkdtempSync(join(tmpdir(), "dragline-bench-"));
let files = 0;
const freshFile = (): string => join(folder, `${++files}.db`);

async function pagesPerSecond(start: string, frontier: CrawlOptions): Promise<number> {
  const startedAt = performance.now();
  let pages = 0;
  const options = { delayMs: 0, concurrency: AT_ONCE, hostConcurrency: AT_ONCE, ...frontier };
  for await (const page of crawl(start, options)) if (page.ok) pages++;
  // `/` and `/page/0` are one page under two addresses; a Bloom filter may lose one in a hundred.
  if (pages > PAGES + 1 || pages < PAGES * 0.99)
    throw new Error(`Expected ${PAGES} pages: received ${pages}`);
  return (pages * 1_000) / (performance.now() - startedAt);
}

function request(n: number): CrawlRequest {
  const url = `https://www.example.com/some/folder/of/a/site/page-${String(n).padStart(12, "0")}`;
  const referrer = "https://www.example.com/some/folder/of/a/site/";
  return { url, key: url, host: "www.example.com", depth: 3, priority: -3, order: n, referrer };
}

/** Microseconds for one request to be taken, and ended with one new link, with so many queued. */
function microsecondsAt(queued: number): { microseconds: number; bytes: number } {
  const path = freshFile();
  const store = sqlite(path);
  let n = 0;
  while (n < queued) store.add(Array.from({ length: 1_000 }, () => request(++n)));
  const [lease] = store.lease(1, 0);
  const steps = 10_000;
  const startedAt = performance.now();
  for (let i = 0; i < steps; i++) {
    const [taken] = store.take(lease!, 1, 0);
    store.complete(lease!, taken!, [request(++n)]);
  }
  const microseconds = ((performance.now() - startedAt) * 1_000) / steps;
  store.close();
  return { microseconds, bytes: statSync(path).size / queued };
}

function summary(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const show = (value: number): string => (value < 10 ? value.toFixed(2) : Math.round(value).toString());
  return `${show(sorted[Math.floor(sorted.length / 2)]!)} (${show(sorted[0]!)} to ${show(sorted.at(-1)!)})`;
}

const server = spawn("node", ["--import", "tsx", "bench/synthetic_site.ts", `${PAGES}`], {
  stdio: ["pipe", "pipe", "inherit"],
});
const [port] = (await once(server.stdout, "data")) as [Buffer];
const start = `http://127.0.0.1:${String(port).trim()}/`;
const rates: Record<"memory" | "file" | "filter", number[]> = { memory: [], file: [], filter: [] };
for (let round = 0; round <= ROUNDS; round++) {
  const memory = await pagesPerSecond(start, {});
  const file = await pagesPerSecond(start, { frontier: sqlite(freshFile()) });
  const filter = await pagesPerSecond(start, { frontier: sqlite(freshFile(), BLOOM) });
  // The first round warms up.
  if (round === 0) continue;
  rates.memory.push(memory);
  rates.file.push(file);
  rates.filter.push(filter);
}
const against = (values: readonly number[]): string =>
  summary(values.map((rate, i) => rate / rates.memory[i]!));
console.log(`| ${PAGES} pages of 10 KB, ${AT_ONCE} at once | median (least to most) |\n|---|---|`);
console.log(`| in memory, pages a second | ${summary(rates.memory)} |`);
console.log(`| in a file, pages a second | ${summary(rates.file)} |`);
console.log(`| in a file with a Bloom filter, pages a second | ${summary(rates.filter)} |`);
console.log(`| in a file against in memory | ${against(rates.file)} |`);
console.log(`| with a Bloom filter against in memory | ${against(rates.filter)} |`);
console.log(
  "\n| queued | µs a request, taken and ended with one new link | bytes of the file a queued URL |\n|---|---|---|",
);
for (const queued of [1_000, 100_000, 1_000_000]) {
  const { microseconds, bytes } = microsecondsAt(queued);
  console.log(`| ${queued} | ${microseconds.toFixed(0)} | ${bytes.toFixed(0)} |`);
}
server.stdin.end();
await once(server, "exit");
rmSync(folder, { recursive: true });
process.exit(0);
