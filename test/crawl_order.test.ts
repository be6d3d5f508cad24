import { describe, expect, test } from "vitest";
import { fakeCrawl, gather, HOME, linksTo } from "./support/fake_crawl.ts";

const LEAVES = { otherwise: "leaf" };

describe("crawl() and the order within a host", () => {
  // With a gap, so that the reader is done with a page before the next request starts.
  const ONE = { delayMs: 250, hostConcurrency: 1, robots: false } as const;

  test("is breadth first by default, in order of the links", async () => {
    const tree = (_: number, { url }: { url: string }) =>
      url.length < HOME.length + 3 ? linksTo(`${url}a`, `${url}b`) : "leaf";
    const { crawl, web } = fakeCrawl({}, { ...ONE, seeds: `${HOME}x`, web: { otherwise: tree } });
    await gather(crawl);
    expect(web.urls().map((url) => url.slice(HOME.length))).toEqual([
      "x",
      "xa",
      "xb",
      "xaa",
      "xab",
      "xba",
      "xbb",
    ]);
  });

  test("is by `priority`, higher first, ties by order of acceptance", async () => {
    const links = ["/c1", "/a1", "/b1", "/a2", "/c2", "/b2"];
    const rank: Record<string, number> = { a: 3, b: 2, c: -1 };
    const { crawl, web } = fakeCrawl(
      { [HOME]: linksTo(...links) },
      { ...ONE, priority: ({ url }) => rank[new URL(url).pathname[1]!] ?? 0, web: LEAVES },
    );
    await gather(crawl);
    expect(web.urls().map((url) => url.slice(HOME.length))).toEqual(["", "a1", "a2", "b1", "b2", "c1", "c2"]);
  });

  test("is by the priority of a seed, which goes before what the function gives", async () => {
    const seeds = [{ url: `${HOME}low`, priority: -5 }, `${HOME}usual`, { url: `${HOME}high`, priority: 5 }];
    const { crawl, web } = fakeCrawl({}, { ...ONE, seeds, priority: () => 0, web: LEAVES });
    await gather(crawl);
    expect(web.urls().map((url) => url.slice(HOME.length))).toEqual(["high", "usual", "low"]);
  });

  test("lets a link that comes later and ranks higher go first", async () => {
    const site = { [HOME]: linksTo("/1", "/2", "/3"), [`${HOME}1`]: linksTo("/urgent") };
    const { crawl, web } = fakeCrawl(site, {
      ...ONE,
      priority: ({ url }) => (url.endsWith("urgent") ? 9 : 0),
      web: LEAVES,
    });
    await gather(crawl);
    expect(web.urls().map((url) => url.slice(HOME.length))).toEqual(["", "1", "urgent", "2", "3"]);
  });

  test("depth first is a priority too", async () => {
    const tree = (_: number, { url }: { url: string }) =>
      url.length < HOME.length + 3 ? linksTo(`${url}a`, `${url}b`) : "leaf";
    const { crawl, web } = fakeCrawl(
      {},
      { ...ONE, seeds: `${HOME}x`, priority: ({ depth }) => depth, web: { otherwise: tree } },
    );
    await gather(crawl);
    expect(web.urls().map((url) => url.slice(HOME.length))).toEqual([
      "x",
      "xa",
      "xaa",
      "xab",
      "xb",
      "xba",
      "xbb",
    ]);
  });
});
