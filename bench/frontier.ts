/**
 * The frontier in memory: bytes for one queued URL of 60 characters and for one that is only seen, and the cost of a
 * page (taken, completed with two links) with 1,000 and with 1,000,000 URLs queued. `npm run bench -- frontier`
 */
import process from "node:process";
import { BloomFilter } from "../src/frontier/bloom.ts";
import { SeenTable } from "../src/frontier/seen.ts";
import { filledFrontier, frontierCost, numberedRequest } from "./support/frontier_page.ts";
import { markdownTable } from "./support/markdown_table.ts";
import { inRounds } from "./support/rounds.ts";
import { ratios, summary } from "./support/summary.ts";

const MILLION = 1_000_000;
const ROUNDS = 5;
const { gc } = globalThis as { gc?: () => void };

function usedBytes(): number {
  gc?.();
  // What the first one frees of buffers is swept by the next.
  gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

// Nothing that was measured may be collected while something else is.
const held: unknown[] = [];

function bytesEach(make: () => unknown): string {
  const before = usedBytes();
  held.push(make());
  return ((usedBytes() - before) / MILLION).toFixed(1);
}

function fullTable(): SeenTable {
  const table = new SeenTable();
  for (let n = 0; n < MILLION; n++) table.add(numberedRequest(n).key);
  return table;
}

const rows: string[][] = [];
if (gc === undefined) console.error("left out: memory, which needs `node --expose-gc`");
else {
  const { bits } = new BloomFilter({ capacity: MILLION, falsePositives: 0.01 }).save();
  rows.push(
    ["a queued URL of 60 characters, its key seen, bytes", bytesEach(() => filledFrontier(MILLION))],
    ["a URL that is only seen, bytes", bytesEach(fullTable)],
    // Base64: three octets in four characters.
    ["the same by a Bloom filter of 1%, bytes", ((bits.length * 3) / 4 / MILLION).toFixed(2)],
  );
  held.length = 0;
}
// The code is warm then.
frontierCost(1_000);
const [few, many] = (await inRounds([1_000, MILLION], ROUNDS, async (queued) => frontierCost(queued))) as [
  number[],
  number[],
];
rows.push(
  ["a page with 1,000 queued, µs of the processor", summary(few)],
  ["a page with 1,000,000 queued", summary(many)],
  ["ratio", summary(ratios(many, few))],
);
console.log(markdownTable(["frontier in memory", "median (least to most)"], rows));
