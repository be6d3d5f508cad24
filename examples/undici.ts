// Requests by undici in place of `fetch`, which cost Node.js a fraction of the processor time. It needs
// `npm install undici`. On other runtimes `fetch` is the quick way already.
//
//   npx tsx examples/undici.ts https://example.com/
import process from "node:process";
import { crawl } from "../mod.ts";
import { undiciTransport } from "../src/transport/undici.ts";

const [, , seed = "https://example.com/"] = process.argv;

for await (const page of crawl(seed, { transport: undiciTransport() })) {
  console.log(page.status, page.url, page.title);
}
