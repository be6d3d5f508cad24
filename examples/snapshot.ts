// A crawl in portions: each run takes three pages more, and keeps the rest as plain JSON for the next.
//
//   npx tsx examples/snapshot.ts https://example.com/ crawl.json
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { type CrawlSnapshot, crawl } from "../mod.ts";

const [, , seed = "https://example.com/", path = "crawl.json"] = process.argv;

const resume = existsSync(path) ? (JSON.parse(await readFile(path, "utf8")) as CrawlSnapshot) : undefined;
// A seed that the crawl has had already counts as seen.
const pages = crawl(seed, resume === undefined ? {} : { resume });

let count = 0;
for await (const page of pages) {
  console.log(page.url);
  // What is in flight finishes, and is read before the loop ends.
  if (++count === 3) await pages.stop();
}
await writeFile(path, JSON.stringify(await pages.snapshot()));
console.log(`${pages.stats.finishReason}, ${pages.stats.queued} queued`);
