// Bounds of a crawl, each with its own reason to be over. Whichever is reached first ends it.
//
//   npx tsx examples/budgets.ts https://example.com/
import process from "node:process";
import { crawl } from "../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

const pages = crawl(seed, {
  maxPages: 100,
  maxRequests: 4,
  maxDurationMs: 60_000,
  maxDepth: 3,
  maxPagesPerHost: 50,
});
for await (const page of pages) console.log(page.depth, page.url);

const { finishReason, requests, robotsRequests, queued } = pages.stats;
console.log(`${finishReason}: ${requests} requests and ${robotsRequests} for robots.txt, ${queued} queued`);
