import { describe, expect, test } from "vitest";
import type { FakeAnswer } from "../src/testing/fake_web.ts";
import {
  type FakeCrawlOptions,
  fakeCrawl,
  gather,
  HOME,
  linksTo,
  paths,
  told,
} from "./support/fake_crawl.ts";

// The fake clock's first day is a Monday, and begins with a full second.
const START_MS = Date.UTC(2026, 10, 30);
const HOUR_MS = 3_600_000;
const QUICK: FakeCrawlOptions = { robots: false, delayMs: 0, hostConcurrency: 1 };

/** A page that answers so at first, and well from then on; with the page's starts from the first request on. */
async function crawlOnce(answer: FakeAnswer, options: FakeCrawlOptions = {}) {
  const fake = fakeCrawl({ [HOME]: (n) => (n === 1 ? answer : "") }, { ...QUICK, ...options });
  const results = await gather(fake.crawl);
  const startsMs = fake.web.log.map(({ atMs }) => atMs - START_MS);
  return { ...fake, results, startsMs, stats: await fake.crawl.finished };
}

describe("Retry-After", () => {
  test.each<[string, string, number]>([
    ["seconds", "2", 2_000],
    ["seconds with white space around them", "  120 ", 120_000],
    ["seconds with leading zeros", "007", 7_000],
    ["an IMF-fixdate", "Mon, 30 Nov 2026 00:00:02 GMT", 1_990],
    ["an RFC 850 date", "Monday, 30-Nov-26 00:10:00 GMT", 599_990],
    ["an asctime date, read as GMT", "Mon Nov 30 00:00:05 2026", 4_990],
    ["just what is still waited for", "3600", HOUR_MS],
  ])("of %s is waited for exactly, on 429 and on 503", async (_, retryAfter, pauseMs) => {
    for (const status of [429, 503]) {
      const { startsMs, stats, events } = await crawlOnce({ status, retryAfter });
      expect(startsMs).toEqual([0, 10 + pauseMs]);
      expect(stats).toMatchObject({ pages: 1, retries: 1, finishReason: "done" });
      expect(events.find(({ type }) => type === "paced")).toMatchObject({
        why: "retry-after",
        host: "a.test",
        pausedUntilMs: START_MS + 10 + pauseMs,
        // The pace afterwards is what it was.
        limit: { from: 1, to: 1 },
        gapMs: { from: 0, to: 0 },
      });
    }
  });

  test.each<[string, string]>([
    ["a date in the past", "Wed, 21 Oct 2015 07:28:00 GMT"],
    ["this very second", "Mon, 30 Nov 2026 00:00:00 GMT"],
    ["a negative number", "-5"],
    ["a fraction", "1.5"],
    ["nothing", ""],
    ["words", "soon"],
    ["a date in another form", "2026-11-30T01:00:00Z"],
    ["a day that is none", "Mon, 31 Nov 2026 01:00:00 GMT"],
    ["zero seconds", "0"],
  ])("of %s counts as none: the gap doubles, and an attempt is used up", async (_, retryAfter) => {
    const { startsMs, events } = await crawlOnce({ status: 429, retryAfter }, { delayMs: 100 });
    // The backoff of half a second, which chance has shortened by a quarter here.
    expect(startsMs).toEqual([0, 10 + 375]);
    expect(events.filter(({ type }) => type === "paced")[0]).toMatchObject({
      why: "throttled",
      gapMs: { from: 100, to: 200 },
    });
    const always = fakeCrawl({ [HOME]: { status: 429, retryAfter } }, QUICK);
    expect(told(await gather(always.crawl))).toEqual(["page / 429"]);
    expect(always.web.log).toHaveLength(3);
  });

  test("holds back every request of its host, and of no other", async () => {
    const fake = fakeCrawl(
      { [HOME]: (n) => (n === 1 ? { status: 429, retryAfter: 60 } : "") },
      {
        ...QUICK,
        seeds: [HOME, `${HOME}2`, "http://a.test/3", "https://b.test/1", "https://b.test/2"],
      },
    );
    await gather(fake.crawl);
    const startsOf = (host: string) =>
      fake.web.log.filter(({ url }) => new URL(url).host === host).map(({ atMs }) => atMs - START_MS);
    expect(startsOf("a.test")).toEqual([0, 60_010, 60_020, 60_030]);
    expect(startsOf("b.test")).toEqual([0, 10]);
  });

  test("of several in flight, the latest end holds", async () => {
    const refusals: Record<string, FakeAnswer> = {
      "/1": { status: 429, retryAfter: 10, afterMs: 10 },
      "/2": { status: 503, retryAfter: 30, afterMs: 20 },
      "/3": { status: 429, retryAfter: "Mon, 30 Nov 2026 00:00:20 GMT", afterMs: 30 },
    };
    const fake = fakeCrawl(
      {},
      {
        ...QUICK,
        hostConcurrency: 4,
        seeds: paths(5).map((path) => HOME + path.slice(1)),
        web: {
          otherwise: (n, { url }) => (n === 1 && refusals[new URL(url).pathname]) || { afterMs: 40 },
        },
      },
    );
    await gather(fake.crawl);
    expect(fake.web.log.map(({ atMs }) => atMs - START_MS)).toEqual([
      0, 0, 0, 0, 30_020, 30_020, 30_020, 30_020,
    ]);
  });

  test("is kept on a redirect too, before the target is asked", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const { startsMs, results } = await crawlOnce({ status, location: "/moved", retryAfter: 7 });
      expect(startsMs).toEqual([0, 7_010]);
      expect(told(results)).toEqual(["page /moved 404"]);
    }
  });

  test("of another status is not meant", async () => {
    const { startsMs } = await crawlOnce({ status: 500, retryAfter: 60 });
    expect(startsMs).toEqual([0, 385]);
    const { startsMs: once } = await crawlOnce({ status: 404, retryAfter: 60 });
    expect(once).toEqual([0]);
  });

  test("uses up no attempt, as often as it comes", async () => {
    const pages = { [HOME]: (n: number) => (n <= 10 ? { status: 429, retryAfter: 60 } : "") };
    const fake = fakeCrawl(pages, QUICK);
    expect(told(await gather(fake.crawl))).toEqual(["page / 200"]);
    expect(fake.web.log).toHaveLength(11);
    expect(await fake.crawl.finished).toMatchObject({ retries: 10, requests: 11 });
  });

  test("that never ends has the host given up all the same", async () => {
    const fake = fakeCrawl(
      {},
      {
        ...QUICK,
        seeds: [HOME, `${HOME}2`],
        maxHostFailures: 5,
        web: { otherwise: { status: 429, retryAfter: 60 } },
      },
    );
    expect(told(await gather(fake.crawl)).sort()).toEqual([
      "skip / host-unavailable",
      "skip /2 host-unavailable",
    ]);
    expect(fake.web.log).toHaveLength(5);
  });

  test.each<[string, string]>([
    ["a second too long", "3601"],
    ["a day", "86400"],
    ["a month, which no timer can wait", "2592001"],
    ["a date a year ahead", "Tue, 30 Nov 2027 00:00:00 GMT"],
    ["more seconds than a number holds exactly", "9".repeat(40)],
    ["more than a number holds at all", "9".repeat(400)],
  ])("of %s skips the queue of the host, which is never asked again", async (_, retryAfter) => {
    for (const status of [429, 503]) {
      const fake = fakeCrawl(
        { [HOME]: { status, retryAfter } },
        {
          ...QUICK,
          seeds: [HOME, `${HOME}2`, `${HOME}3`, "https://b.test/"],
        },
      );
      expect(told(await gather(fake.crawl)).sort()).toEqual([
        "page https://b.test/ 404",
        "skip / retry-after",
        "skip /2 retry-after",
        "skip /3 retry-after",
      ]);
      expect(fake.web.urls()).toEqual([HOME, "https://b.test/"]);
      const stats = await fake.crawl.finished;
      expect(stats).toMatchObject({ finishReason: "done", skipsByReason: { "retry-after": 3 }, queued: 0 });
      expect(stats.elapsedMs).toBe(10);
      await fake.clock.sleep(10 * HOUR_MS);
      expect(fake.web.log).toHaveLength(2);
    }
  });

  test("beyond the most is told as such for what was in flight beside it", async () => {
    const fake = fakeCrawl(
      { [HOME]: { status: 429, retryAfter: 86_400 } },
      {
        ...QUICK,
        hostConcurrency: 2,
        seeds: [HOME, `${HOME}2`, `${HOME}3`],
        web: { otherwise: { status: 503, afterMs: 20 } },
      },
    );
    const results = await gather(fake.crawl);
    expect(told(results).sort()).toEqual([
      "skip / retry-after",
      "skip /2 retry-after",
      "skip /3 retry-after",
    ]);
    for (const skip of results)
      expect(skip).toMatchObject({ detail: expect.stringContaining("86400 s of rest") });
  });

  test("beyond the most, on a redirect, skips its target with the rest", async () => {
    const fake = fakeCrawl(
      { [HOME]: { status: 302, location: "/2", retryAfter: 86_400 } },
      {
        ...QUICK,
        seeds: [HOME, `${HOME}3`],
      },
    );
    expect((await gather(fake.crawl)).map((result) => "reason" in result && result.reason)).toEqual([
      "retry-after",
      "retry-after",
    ]);
    expect(fake.web.log).toHaveLength(1);
  });

  test("is obeyed for links that are found while the host is skipped for its time", async () => {
    // Known to the crawl only through b.test, after the host has asked for its day of rest.
    const fake = fakeCrawl(
      {
        [HOME]: { status: 429, retryAfter: 86_400 },
        "https://b.test/": { body: linksTo(`${HOME}later`), afterMs: 1_000 },
      },
      { ...QUICK, seeds: [HOME, "https://b.test/"] },
    );
    expect(told(await gather(fake.crawl)).sort()).toEqual([
      "page https://b.test/ 200",
      "skip / retry-after",
      "skip /later retry-after",
    ]);
    expect(fake.web.urls()).toEqual([HOME, "https://b.test/"]);
  });

  test("of any length is waited for where the caller says so", async () => {
    const { startsMs, stats } = await crawlOnce(
      { status: 429, retryAfter: 40 * 86_400 },
      { maxRetryAfterMs: Number.POSITIVE_INFINITY },
    );
    expect(startsMs).toEqual([0, 10 + 40 * 86_400_000]);
    expect(stats.pages).toBe(1);
  });

  test("shows among the paused hosts, with its end, as long as it lasts", async () => {
    const fake = fakeCrawl(
      { [HOME]: (n) => (n === 1 ? { status: 429, retryAfter: 60 } : "") },
      {
        ...QUICK,
        seeds: [HOME, "https://b.test/"],
      },
    );
    const gathered = gather(fake.crawl);
    await fake.clock.sleep(1_000);
    expect(fake.crawl.stats.pausedHosts).toEqual([
      { host: "a.test", untilMs: START_MS + 60_010, why: "retry-after" },
    ]);
    await gathered;
    expect(fake.crawl.stats.pausedHosts).toEqual([]);
  });
});
