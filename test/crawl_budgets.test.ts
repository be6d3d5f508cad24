import { describe, expect, test } from "vitest";
import { fakeCrawl, gather, HOME, linksTo, paths, told } from "./support/fake_crawl.ts";

// Every page leads to two more: no end without a budget.
const endless = (_: number, { url }: { url: string }) => linksTo(`${url}0`, `${url}1`);
const ENDLESS = {
  seeds: `${HOME}p`,
  web: { otherwise: endless },
  delayMs: 0,
  hostConcurrency: 8,
  robots: false,
} as const;

describe("maxPages", () => {
  test.each([1, 3, 8, 50])("gives exactly %i pages with eight at once", async (maxPages) => {
    const { crawl, web, clock, events } = fakeCrawl({}, { ...ENDLESS, maxPages });
    expect(await gather(crawl)).toHaveLength(maxPages);
    expect(await crawl.finished).toMatchObject({ finishReason: "max-pages", pages: maxPages });
    // Each request became a page: none was made in vain.
    expect(web.log).toHaveLength(maxPages);
    expect(events.filter(({ type }) => type === "page")).toHaveLength(maxPages);
    expect([web.inFlight, clock.sleeping]).toEqual([0, 0]);
  });

  test("counts pages alone: failures, skips and redirects cost nothing", async () => {
    const site = {
      [`${HOME}p`]: linksTo("/reset", "/pdf", "/old", "/x", "/y", "/z"),
      [`${HOME}reset`]: { fault: "ENOTFOUND" as const },
      [`${HOME}pdf`]: { type: "application/pdf" },
      [`${HOME}old`]: { status: 301, location: "/new" },
    };
    const { crawl } = fakeCrawl(site, { ...ENDLESS, retries: { max: 0 }, maxPages: 3 });
    const results = told(await gather(crawl));
    expect(results.filter((line) => line.startsWith("page"))).toHaveLength(3);
    expect((await crawl.finished).finishReason).toBe("max-pages");
  });

  test("counts a 404 as the page that it is", async () => {
    const { crawl } = fakeCrawl(
      { [HOME]: linksTo(...paths(9)) },
      { ...ENDLESS, seeds: HOME, web: {}, maxPages: 4 },
    );
    expect(told(await gather(crawl))).toEqual(["page / 200", "page /1 404", "page /2 404", "page /3 404"]);
  });

  test("that a finite site just meets is done", async () => {
    const { crawl } = fakeCrawl({ [HOME]: linksTo("/1") }, { ...ENDLESS, seeds: HOME, web: {}, maxPages: 2 });
    expect(await gather(crawl)).toHaveLength(2);
    expect((await crawl.finished).finishReason).toBe("done");
  });

  test("lets the reader have the last page before the crawl is over", async () => {
    const { crawl } = fakeCrawl({}, { ...ENDLESS, maxPages: 1 });
    const reader = crawl.getReader();
    await reader.read();
    expect(crawl.stats.finishReason).toBeUndefined();
    expect((await reader.read()).done).toBe(true);
    expect(await crawl.finished).toMatchObject({ finishReason: "max-pages", queued: 2, accepted: 3 });
  });
});

describe("maxRequests", () => {
  test.each([1, 2, 9, 40])("sends exactly %i, robots.txt counted", async (maxRequests) => {
    const { crawl, web } = fakeCrawl({}, { ...ENDLESS, robots: true, maxRequests });
    const results = await gather(crawl);
    expect(web.log).toHaveLength(maxRequests);
    // One was for robots.txt, and each of the others is a page.
    expect(results).toHaveLength(maxRequests - 1);
    const stats = await crawl.finished;
    expect(stats.finishReason).toBe("max-requests");
    expect(stats.requests + stats.robotsRequests).toBe(maxRequests);
    expect(stats.accepted).toBe(stats.pages + stats.queued);
  });

  test("counts each hop and each attempt", async () => {
    const site = {
      [`${HOME}p`]: { status: 302, location: "/q" },
      [`${HOME}q`]: (n: number) => (n < 3 ? { status: 503 } : "at last"),
    };
    const { crawl, web } = fakeCrawl(site, { ...ENDLESS, maxRequests: 4 });
    expect(told(await gather(crawl))).toEqual(["page /q 200"]);
    expect(web.urls()).toEqual(["p", "q", "q", "q"].map((path) => HOME + path));
    // The last answer led to nothing: all is done.
    expect((await crawl.finished).finishReason).toBe("done");
  });

  test("in the midst of attempts leaves the request queued, without a result", async () => {
    const { crawl } = fakeCrawl({}, { ...ENDLESS, web: { otherwise: { status: 503 } }, maxRequests: 2 });
    expect(await gather(crawl)).toEqual([]);
    expect(await crawl.finished).toMatchObject({ finishReason: "max-requests", accepted: 1, queued: 1 });
  });
});

describe("maxDurationMs", () => {
  test("starts nothing from then on, and gives what was in flight", async () => {
    const { crawl, web, clock } = fakeCrawl(
      {},
      { ...ENDLESS, web: { otherwise: endless, afterMs: 700 }, maxDurationMs: 2_000 },
    );
    const startMs = clock.now();
    const results = await gather(crawl);
    expect(web.log.every(({ atMs }) => atMs - startMs < 2_000)).toBe(true);
    expect(web.log.at(-1)!.endMs! - startMs).toBeGreaterThanOrEqual(2_000);
    expect(web.log.some(({ aborted }) => aborted)).toBe(false);
    expect(results).toHaveLength(web.log.length);
    expect(await crawl.finished).toMatchObject({ finishReason: "max-duration", pages: web.log.length });
  });

  test("counts from the first read", async () => {
    const { crawl, clock } = fakeCrawl({}, { ...ENDLESS, maxDurationMs: 1_000 });
    await clock.sleep(5_000);
    expect((await gather(crawl)).length).toBeGreaterThan(10);
  });

  test("ends a crawl that only waits", async () => {
    const site = { [HOME]: { status: 429, retryAfter: 600 } };
    const { crawl, clock } = fakeCrawl(site, { maxDurationMs: 10_000 });
    const startMs = clock.now();
    expect(await gather(crawl)).toEqual([]);
    expect(clock.now() - startMs).toBe(10_000);
    expect(await crawl.finished).toMatchObject({
      finishReason: "max-duration",
      queued: 1,
      elapsedMs: 10_000,
    });
  });

  test("ends a crawl whose seeds do not come", async () => {
    const seeds = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const { crawl } = fakeCrawl({}, { seeds, maxDurationMs: 1_000 });
    expect(await gather(crawl)).toEqual([]);
    expect((await crawl.finished).finishReason).toBe("max-duration");
  });

  test("is done where all is done earlier, without a timer left", async () => {
    const { crawl, clock } = fakeCrawl({ [HOME]: "leaf" }, { maxDurationMs: 60_000 });
    await gather(crawl);
    expect((await crawl.finished).finishReason).toBe("done");
    expect(clock.sleeping).toBe(0);
  });
});

describe("maxDepth", () => {
  const chain = (_: number, { url }: { url: string }) => linksTo(`${url}x`);

  test.each([0, 1, 4])("%i gives pages up to that depth, and says what it kept out", async (maxDepth) => {
    const { crawl, web } = fakeCrawl({}, { ...ENDLESS, web: { otherwise: chain }, maxDepth });
    const results = await gather(crawl);
    expect(web.log).toHaveLength(maxDepth + 1);
    expect(told(results).at(-1)).toBe(`skip /p${"x".repeat(maxDepth + 1)} depth`);
    expect(results.slice(0, -1).map((page) => page.type === "page" && page.depth)).toEqual(
      Array.from({ length: maxDepth + 1 }, (_, depth) => depth),
    );
    expect(await crawl.finished).toMatchObject({ finishReason: "max-depth", skipsByReason: { depth: 1 } });
  });

  test("that keeps nothing out is done", async () => {
    const { crawl } = fakeCrawl({ [HOME]: linksTo("/1") }, { maxDepth: 1 });
    await gather(crawl);
    expect((await crawl.finished).finishReason).toBe("done");
  });

  test("counts a redirect as no hop", async () => {
    const site = {
      [HOME]: { status: 301, location: "/a" },
      [`${HOME}a`]: linksTo("/b"),
      [`${HOME}b`]: { status: 302, location: "/c" },
    };
    const { crawl } = fakeCrawl(site, { maxDepth: 1, web: { otherwise: "leaf" } });
    const results = await gather(crawl);
    expect(told(results)).toEqual(["page /a 200", "page /c 200"]);
    expect(results.map((page) => page.type === "page" && page.depth)).toEqual([0, 1]);
  });

  test("adds to a seed's own depth", async () => {
    const { crawl, web } = fakeCrawl(
      {},
      { ...ENDLESS, seeds: { url: `${HOME}p`, depth: 3 }, web: { otherwise: chain }, maxDepth: 4 },
    );
    await gather(crawl);
    expect(web.log).toHaveLength(2);
  });
});

describe("maxPagesPerHost", () => {
  test("gives each host so many pages exactly, and skips the rest as budget", async () => {
    const seeds = ["a", "b", "c"].map((name) => `https://${name}.test/p`);
    const { crawl, web } = fakeCrawl({}, { ...ENDLESS, seeds, maxPagesPerHost: 4 });
    const results = await gather(crawl);
    for (const host of ["a", "b", "c"]) {
      const own = results.filter(({ url }) => url.startsWith(`https://${host}.test`));
      expect(own.filter(({ type }) => type === "page")).toHaveLength(4);
      // Four pages with two links each.
      expect(own.filter((result) => result.type === "skip" && result.reason === "budget")).toHaveLength(5);
    }
    expect(web.log).toHaveLength(12);
    const stats = await crawl.finished;
    expect(stats).toMatchObject({ finishReason: "max-pages-per-host", pages: 12, queued: 0, inProgress: 0 });
    expect(stats.accepted).toBe(stats.pages + stats.skips);
  });

  test("makes no request that could become one too many, though it waits on others", async () => {
    const { crawl, web } = fakeCrawl(
      { [HOME]: linksTo(...paths(20)), [`${HOME}1`]: { fault: "ENOTFOUND" } },
      {
        ...ENDLESS,
        seeds: HOME,
        web: { otherwise: "leaf", afterMs: 100 },
        retries: { max: 0 },
        maxPagesPerHost: 4,
      },
    );
    const results = told(await gather(crawl));
    expect(results.filter((line) => line.startsWith("page"))).toHaveLength(4);
    // The home page, the failure, and three more.
    expect(web.log).toHaveLength(5);
    expect((await crawl.finished).finishReason).toBe("max-pages-per-host");
  });

  test("that no host exceeds is done", async () => {
    const { crawl } = fakeCrawl(
      { [HOME]: linksTo("/1") },
      { maxPagesPerHost: 2, web: { otherwise: "leaf" } },
    );
    await gather(crawl);
    expect((await crawl.finished).finishReason).toBe("done");
  });
});

describe("I5: an endless site ends at each of its budgets", () => {
  test.each([
    ["max-pages", { maxPages: 20 }],
    ["max-requests", { maxRequests: 20 }],
    ["max-duration", { maxDurationMs: 200 }],
    ["max-depth", { maxDepth: 4 }],
    ["max-pages-per-host", { maxPagesPerHost: 20 }],
  ] as const)("%s", async (finishReason, budget) => {
    const { crawl, web, clock } = fakeCrawl({}, { ...ENDLESS, ...budget });
    await gather(crawl);
    expect((await crawl.finished).finishReason).toBe(finishReason);
    expect([web.inFlight, clock.sleeping]).toEqual([0, 0]);
  });
});
