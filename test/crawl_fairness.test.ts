import { describe, expect, test } from "vitest";
import { fakeCrawl, gather, HOME, linksTo } from "./support/fake_crawl.ts";

const LEAVES = { otherwise: "leaf" };
const many = (host: string, n: number): string[] =>
  Array.from({ length: n }, (_, i) => `https://${host}/${i}`);

describe("crawl() and several hosts", () => {
  test("10,000 seeds of one host before 10 of another do not delay those", async () => {
    const seeds = [...many("a.test", 10_000), ...many("b.test", 10)];
    const { crawl, web, clock } = fakeCrawl({}, { seeds, robots: false, web: LEAVES });
    const startMs = clock.now();
    let left = 10;
    for await (const { url } of crawl) if (url.startsWith("https://b.test") && --left === 0) break;
    // Nine gaps of 250 ms and an answer.
    expect(clock.now() - startMs).toBeLessThan(9 * 250 + 100);
    expect(web.log.filter(({ url }) => url.startsWith("https://a.test")).length).toBeGreaterThanOrEqual(9);
  });

  test("10,000 links to one host before 10 to another do not delay those", async () => {
    const home = linksTo(...many("a.test", 10_000), ...many("b.test", 10));
    const { crawl, clock } = fakeCrawl(
      { [HOME]: home },
      { scope: "any", robots: false, results: "pages", web: LEAVES },
    );
    const startMs = clock.now();
    let left = 10;
    for await (const { url } of crawl) if (url.startsWith("https://b.test") && --left === 0) break;
    expect(clock.now() - startMs).toBeLessThan(10 * 250 + 100);
  });

  test("s-19: a slow, paused or unreachable host never delays another", async () => {
    const site = {
      "https://slow.test/robots.txt": "User-agent: *\nCrawl-delay: 30",
      "https://paused.test/0": { status: 429, retryAfter: 600 },
      "https://dead.test/robots.txt": { status: 503 },
      "https://deaf.test/robots.txt": { fault: "never" as const },
    };
    const slow = ["slow.test", "paused.test", "dead.test", "deaf.test"].flatMap((host) => many(host, 50));
    const seeds = [...slow, ...many("quick.test", 20)];
    // One place more than hosts that may hang.
    const { crawl, web, clock } = fakeCrawl(site, { seeds, concurrency: 5, delayMs: 100, web: LEAVES });
    const startMs = clock.now();
    let left = 20;
    for await (const { url } of crawl) if (url.startsWith("https://quick.test") && --left === 0) break;
    expect(clock.now() - startMs).toBeLessThan(20 * 100 + 200);
    expect(web.log.filter(({ url }) => url.startsWith("https://slow.test")).length).toBeLessThan(3);
  });

  test("hosts take turns where places are short", async () => {
    const seeds = ["a", "b", "c", "d"].flatMap((name) => many(`${name}.test`, 25));
    const { crawl, web } = fakeCrawl(
      {},
      { seeds, concurrency: 1, delayMs: 0, hostConcurrency: 4, robots: false, web: LEAVES },
    );
    await gather(crawl);
    const hosts = web.log.map(({ url }) => new URL(url).host);
    for (let i = 0; i < 100; i += 4) expect(new Set(hosts.slice(i, i + 4)).size).toBe(4);
  });
});
