// One crawl, two readers: `tee()` gives both every page. The faster one reads ahead of the slower one without bound, so
// let both take about as long.
//
//   npx tsx examples/tee.ts https://example.com/
import process from "node:process";
import { crawl } from "../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

const [forTitles, forSizes] = crawl(seed, { maxPages: 50 }).tee();

const titles = forTitles.pipeTo(
  new WritableStream({ write: (page) => console.log("title", page.url, page.title) }),
);
let bytes = 0;
for await (const page of forSizes) bytes += page.body.length;
await titles;
console.log(`${bytes} bytes`);
