// Every page of a site, in a loop. The loop's pace is the crawl's: nothing piles up behind a slow one.
//
//   npx tsx examples/iterate.ts https://example.com/
import process from "node:process";
import { crawl } from "../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

for await (const page of crawl(seed)) {
  console.log(page.status, page.url, page.title);
}
