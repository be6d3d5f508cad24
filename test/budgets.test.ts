import { describe, expect, test } from "vitest";
import type { CrawlStats } from "../src/stats.ts";
import type { FakePage } from "../src/testing/fake_web.ts";
import { type FakeCrawlOptions, fakeCrawl, gather, HOME, linksTo } from "./support/fake_crawl.ts";

const QUICK: FakeCrawlOptions = { robots: false, delayMs: 0, hostConcurrency: 4 };

/** Ten real pages, and beside them a site that goes ever deeper and a calendar without an end. */
const trap: FakePage = (_, { url }) => {
  const { pathname } = new URL(url);
  if (pathname === "/") {
    return linksTo(...Array.from({ length: 9 }, (_, i) => `/real/${i}`), "/e/1/", "/cal/2031/04");
  }
  if (pathname.startsWith("/e/")) return linksTo("www.partner.test/");
  const month = /^\/cal\/(\d+)\/(\d+)$/.exec(pathname);
  if (month === null) return "real";
  const [year, ordinal] = [Number(month[1]), Number(month[2])];
  const at = (by: number): string => {
    const months = year * 12 + ordinal - 1 + by;
    return `/cal/${Math.floor(months / 12)}/${String((months % 12) + 1).padStart(2, "0")}`;
  };
  return linksTo(at(-1), at(1));
};

async function crawlOf(options: FakeCrawlOptions) {
  const fake = fakeCrawl({}, { ...QUICK, web: { otherwise: trap }, ...options });
  const results = await gather(fake.crawl);
  return { ...fake, results, stats: await fake.crawl.finished };
}

/** Each URL that was accepted has come to a result or is queued. */
function expectNothingLost(
  { accepted, pages, failures, queued, inProgress }: CrawlStats,
  skipped: number,
): void {
  expect({ accepted, inProgress }).toEqual({ accepted: pages + failures + skipped + queued, inProgress: 0 });
}

describe("s-25: an endless site", () => {
  test.each<[string, FakeCrawlOptions, string]>([
    ["maxPages", { maxPages: 60 }, "max-pages"],
    ["maxRequests", { maxRequests: 60 }, "max-requests"],
    ["maxDepth", { maxDepth: 20 }, "max-depth"],
    ["maxDurationMs", { maxDurationMs: 5_000 }, "max-duration"],
    ["maxPagesPerHost", { maxPagesPerHost: 60 }, "max-pages-per-host"],
  ])("ends at %s, the real pages first, and says so", async (_, budget, reason) => {
    const { results, stats, web } = await crawlOf({ traps: false, ...budget });
    expect(stats.finishReason).toBe(reason);
    const real = web
      .urls()
      .slice(0, 60)
      .filter((url) => /\/real\/\d$/.test(url));
    expect(real).toHaveLength(9);
    const skipped = results.filter((result) => result.type === "skip" && result.request !== undefined).length;
    expectNothingLost(stats, skipped);
  });
});

describe("what a budget leaves", () => {
  test("is counted with retries that wait, pauses, and what is queued of other hosts", async () => {
    const pages: Record<string, FakePage> = {
      [HOME]: { status: 500 },
      [`${HOME}2`]: { status: 429, retryAfter: 3_000 },
    };
    const seeds = [
      HOME,
      `${HOME}2`,
      `${HOME}3`,
      ...Array.from({ length: 500 }, (_, i) => `https://h${i}.test/`),
    ];
    const fake = fakeCrawl(pages, { ...QUICK, seeds, maxRequests: 40, concurrency: 3 });
    const results = await gather(fake.crawl);
    const stats = await fake.crawl.finished;
    expect(fake.web.log).toHaveLength(40);
    expect(stats).toMatchObject({ accepted: 503, finishReason: "max-requests" });
    expectNothingLost(stats, results.filter(({ type }) => type === "skip").length);
  });
});
