// A site as a web archive, WARC 1.1, for pywb, warcio and the like. It needs `npm install warcio`. Broken off with
// Ctrl-C, it keeps what it has in example.warc.gz.partial, and goes on there the next time.
//
//   npx tsx examples/warc.ts https://example.com/ example.warc.gz
import process from "node:process";
import { crawl } from "../mod.ts";
import { toWarc } from "../src/output/warc.ts";

const [, , seed = "https://example.com/", path = "example.warc.gz"] = process.argv;
const userAgent = "ExampleBot/1.0 (+https://example.com/bot)";

const pages = crawl(seed, { userAgent, contentTypes: "any", maxPages: 500 });
const info = { operator: "https://example.com/bot", "http-header-user-agent": userAgent };
await pages.pipeTo(toWarc(path, { info }));

console.log(`${pages.stats.pages} pages are in ${path} (${pages.stats.finishReason})`);
