// All that becomes of a URL: a page, a failure after all attempts, or a skip with its reason.
//
//   npx tsx examples/results.ts https://example.com/
import process from "node:process";
import { crawl } from "../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

for await (const result of crawl(seed, { results: "all", retries: { max: 1, baseMs: 100 } })) {
  switch (result.type) {
    case "page":
      console.log("page", result.status, result.url);
      break;
    case "failure":
      console.log("failure", result.reason, `after ${result.attempts} attempts`, result.url);
      break;
    case "skip":
      console.log("skip", result.reason, result.url);
      break;
    default:
      result satisfies never;
  }
}
