// A site of your own, in full: robots.txt and nofollow do not count, and no gap lies between requests.
// Only where the owner agrees. What a host answers with 429, 503 and Retry-After is kept all the same.
//
//   npx tsx examples/own_site.ts http://127.0.0.1:8080/
import process from "node:process";
import { crawl } from "../mod.ts";

const [, , seed = "http://127.0.0.1:8080/"] = process.argv;

const pages = crawl(seed, { robots: false, directives: false, delayMs: 0, hostConcurrency: 8 });
for await (const page of pages) console.log(page.status, page.url);
