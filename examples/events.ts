// What happens while a crawl runs, as it happens: robots.txt, pace, retries. Watching costs no results.
//
//   npx tsx examples/events.ts https://example.com/
import process from "node:process";
import { crawl } from "../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

const pages = crawl(seed, {
  maxPages: 20,
  onEvent(event) {
    if (event.type === "robots") console.log("robots", event.origin, event.policy);
    if (event.type === "paced") console.log("paced", event.host, event.why, event.limit.to, event.gapMs.to);
    if (event.type === "retrying") console.log("retrying", event.request.url, event.status ?? event.reason);
  },
});
for await (const page of pages) console.log("page", page.url);

const { requests, retries, bytes, elapsedMs } = await pages.finished;
console.log(`${requests} requests, ${retries} retries, ${bytes} bytes, ${Math.round(elapsedMs / 1000)} s`);
