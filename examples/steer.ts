// Steering from the loop's body: more seeds, another try, a pause, and a part that is given up.
//
//   npx tsx examples/steer.ts https://example.com/
import process from "node:process";
import { crawl } from "../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

const results = crawl({ url: seed, tag: "site" }, { results: "all", maxPages: 50 });
const tried = new Set<string>();
for await (const result of results) {
  console.log(result.type, result.url, result.type === "page" ? result.title : result.reason);
  if (result.type !== "page") continue;

  if (result.title === "Please wait" && !tried.has(result.url)) {
    // This answer will not do: its links are not followed, and the same request is made again.
    tried.add(result.url);
    results.retry(result, { afterMs: 500 });
  }
  if (result.request.tag === "site" && result.depth === 0) {
    const isNew = await results.add({ url: new URL("/archive", seed), tag: "archive" });
    console.log(`added ${isNew}`);
    // Nothing of the archive starts for a second; all else goes on.
    results.hold({ tag: "archive" }, 1_000);
  }
  if (result.title === "The end") results.drop({ tag: "archive" });
}
