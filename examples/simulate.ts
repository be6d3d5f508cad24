// A web in memory and a clock that jumps: half an hour of politeness in a moment, without a network.
//
//   npx tsx examples/simulate.ts
import { crawl } from "../mod.ts";
import { FakeClock, fakeWeb } from "../src/testing/mod.ts";

const clock = new FakeClock();
const { fetch, log } = fakeWeb(
  {
    "https://a.test/robots.txt": { body: "User-agent: *\nCrawl-delay: 10", type: "text/plain" },
    "https://a.test/": `<a href="busy">busy</a>`,
    // The first request of it is refused for half an hour.
    "https://a.test/busy": (n) => (n === 1 ? { status: 429, retryAfter: 1_800 } : "<title>At last</title>"),
  },
  { clock },
);

const startMs = clock.now();
for await (const page of crawl("https://a.test/", { clock, fetch })) console.log(page.status, page.url);
for (const { atMs, url } of log) console.log(`${((atMs - startMs) / 1000).toFixed(0)} s ${url}`);
