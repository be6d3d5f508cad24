import { expect, test } from "vitest";
import { type CrawlOptions, crawl } from "../mod.ts";
import { FakeClock, fakeWeb } from "../src/testing/mod.ts";

/** What you have written: it takes options, so that a test can hand in its own web and its own time. */
async function titlesOf(seed: string, options: CrawlOptions = {}): Promise<(string | undefined)[]> {
  const titles: (string | undefined)[] = [];
  for await (const { ok, title } of crawl(seed, { maxPages: 100, ...options })) if (ok) titles.push(title);
  return titles;
}

test("titlesOf() comes through an hour's pause, and asks nothing meanwhile", async () => {
  const clock = new FakeClock();
  const { fetch, log, urls } = fakeWeb(
    {
      "https://a.test/robots.txt": { body: "User-agent: *\nDisallow: /private", type: "text/plain" },
      "https://a.test/": "<title>Home</title><a href=news>News</a><a href=private>Private</a>",
      "https://a.test/news": (n) => (n === 1 ? { status: 429, retryAfter: 3_600 } : "<title>News</title>"),
    },
    { clock },
  );

  expect(await titlesOf("https://a.test/", { clock, fetch })).toEqual(["Home", "News"]);
  expect(urls()).toEqual(["https://a.test/", "https://a.test/news", "https://a.test/news"]);
  const [refused, again] = log.filter(({ url }) => url.endsWith("/news"));
  expect(again!.atMs - refused!.endMs!).toBeGreaterThanOrEqual(3_600_000);
  // Nothing was left waiting.
  expect(clock.sleeping).toBe(0);
});
