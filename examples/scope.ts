// A scope of one's own: which links belong to the crawl. Here those of the seed's host below /docs/.
// What is left out comes as a skip, with `results: "all"`.
//
//   npx tsx examples/scope.ts https://example.com/docs/
import process from "node:process";
import { crawl } from "../mod.ts";

const [, , seed = "https://example.com/docs/"] = process.argv;
const { host } = new URL(seed);

const results = crawl(seed, {
  scope: (url) => url.host === host && url.pathname.startsWith("/docs/"),
  results: "all",
});

for await (const result of results) {
  switch (result.type) {
    case "page":
      console.log("page", result.url);
      break;
    case "failure":
    case "skip":
      console.log(result.type, result.url, result.reason);
      break;
    default:
      result satisfies never;
  }
}
