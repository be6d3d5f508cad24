// Seeds with more than a URL: a method, a body, and data that comes back on the page.
//
//   npx tsx examples/seeds.ts https://example.com/search
import process from "node:process";
import { crawl, type Seed } from "../mod.ts";

const [, , form = "https://example.com/search"] = process.argv;

// Any sequence will do, an endless one too: it is read as the crawl has use for more.
function* searches(): Generator<Seed> {
  for (const word of ["web", "thread"]) {
    yield {
      url: form,
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `q=${word}`,
      data: { word },
    };
  }
}

for await (const page of crawl(searches(), { follow: false })) {
  console.log(page.status, JSON.stringify(page.request.data), page.title);
}
