// Pages with nearly the same text are known by it, and their links are not followed.
//
//   npx tsx examples/near_duplicates.ts https://example.com/
import process from "node:process";
import { crawl } from "../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

const pages = crawl(seed, {
  nearDuplicates: { distance: 3 },
  keys: { stripTrackingParams: true, sortQuery: true },
});
for await (const { url, duplicateOf } of pages) {
  console.log(duplicateOf === undefined ? url : `${url} is nearly ${duplicateOf}`);
}
