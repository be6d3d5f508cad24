import { crawl } from "dragline";
import { FakeClock, fakeWeb } from "dragline/testing";

const clock = new FakeClock();
const { fetch, log } = fakeWeb(
  { "https://a.test/": (n) => (n === 1 ? { status: 429, retryAfter: 60 } : "<title>Back</title>") },
  { clock },
);
const titles = [];
for await (const page of crawl("https://a.test/", { clock, fetch })) titles.push(page.title);
console.log(JSON.stringify([titles, log.at(-1).atMs - log.at(-2).atMs >= 60_000]));
