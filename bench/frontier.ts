/**
 * The frontier in memory: bytes for one queued URL of 60 characters and for one that is only seen, and the cost of a
 * page (take, complete with two new links) with 1,000 and with 1,000,000 URLs queued. Run by
 * `node --expose-gc --import tsx bench/frontier.ts`; without `--expose-gc` the memory rows are left out.
 */
import { BloomFilter } from "../src/frontier/bloom.ts";
import { MemoryFrontier } from "../src/frontier/memory.ts";
import { SeenTable } from "../src/frontier/seen.ts";
import type { CrawlRequest } from "../src/request.ts";

const MILLION = 1_000_000;
const ROUNDS = 5;
const { gc } = globalThis as { gc?: () => void };

function request(n: number): CrawlRequest {
  const url = `https://host${n % 10}.example.test/section/page-${String(n).padStart(9, "0")}.html`.padEnd(
    60,
    "x",
  );
  return {
    url,
    key: url,
    host: HOSTS[n % 10]!,
    depth: 3,
    priority: -3,
    order: n,
    referrer: REFERRER,
  };
}

// As the crawl hands it in: the host and the referrer of many requests are one string.
const HOSTS = Array.from({ length: 10 }, (_, n) => `host${n}.example.test`);
const REFERRER = "https://host0.example.test/";

function usedBytes(): number {
  gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

// Nothing that was measured may be collected while something else is.
const held: unknown[] = [];

function bytesEach(make: () => unknown): number {
  const before = usedBytes();
  held.push(make());
  return (usedBytes() - before) / MILLION;
}

function filledFrontier(count: number): MemoryFrontier {
  const frontier = new MemoryFrontier();
  for (let n = 0; n < count; n += 1_000) {
    frontier.add(Array.from({ length: Math.min(1_000, count - n) }, (_, i) => request(n + i)));
  }
  return frontier;
}

function costOfAPage(queued: number): number {
  const frontier = filledFrontier(queued);
  const leases = frontier.lease(10, 0);
  let next = queued;
  const pages = 50_000;
  const startedAt = performance.now();
  for (let n = 0; n < pages; n++) {
    const lease = leases[n % leases.length]!;
    const [taken] = frontier.take(lease, 1, 0);
    // One new for each that goes, and one that is known: the queue stays as long as it is.
    frontier.complete(lease, taken!, [request(next++), request(next - 1)]);
  }
  return ((performance.now() - startedAt) * 1_000) / pages;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

console.log("| frontier in memory | |\n|---|---|");
if (gc !== undefined) {
  const queued = bytesEach(() => filledFrontier(MILLION));
  const seen = bytesEach(() => {
    const table = new SeenTable();
    for (let n = 0; n < MILLION; n++) table.add(request(n).key);
    return table;
  });
  const { bits } = new BloomFilter({ capacity: MILLION, falsePositives: 0.01 }).save();
  const bloom = (bits.length * 3) / 4 / MILLION;
  console.log(`| a queued URL of 60 characters, its key seen | ${queued.toFixed(0)} bytes |`);
  console.log(`| a URL that is only seen | ${seen.toFixed(1)} bytes |`);
  console.log(`| the same by a Bloom filter of 1% | ${bloom.toFixed(2)} bytes |`);
}
const few: number[] = [];
const many: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  few.push(costOfAPage(1_000));
  many.push(costOfAPage(MILLION));
}
console.log(`| a page with 1,000 queued | ${median(few).toFixed(2)} µs |`);
console.log(`| a page with 1,000,000 queued | ${median(many).toFixed(2)} µs |`);
console.log(`| ratio | ${(median(many) / median(few)).toFixed(2)} |`);
