/**
 * What the crawl itself costs a page, with no network at all: pages come out of memory, so that what is left is our own
 * code and the garbage that it makes. It runs on each runtime, and can be put under its profiler: docs/performance.md.
 * `npm run bench -- engine_cost`
 */
import process from "node:process";
import { AT_ONCE, engineCost, PAGES } from "./support/engine_page.ts";
import { summary } from "./support/summary.ts";

const ROUNDS = Number(process.argv[2] ?? 15);

// What is compiled and what is still to be: the first rounds say little about a long crawl.
for (let round = 0; round < 3; round++) await engineCost();
const costs: number[] = [];
for (let round = 0; round < ROUNDS; round++) costs.push(await engineCost());
console.log(
  `| ${PAGES} pages of 10 KB with 51 links, ${AT_ONCE} at once | median (least to most) |\n|---|---|`,
);
console.log(`| crawl() without a network, µs of CPU a page | ${summary(costs)} |`);
