// `break` ends a crawl: what is in flight is aborted, and the process ends by itself.
// Where the number is all that counts, `maxPages: 3` does the same without a loop's help.
//
//   npx tsx examples/stop_after.ts https://example.com/
import process from "node:process";
import { crawl } from "../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

const pages = crawl(seed);
let count = 0;
for await (const page of pages) {
  console.log(page.url);
  if (++count === 3) break;
}

const { finishReason, queued } = await pages.finished;
console.log(`${finishReason} after ${count} pages, ${queued} were still queued`);
