import { describe, expect, test } from "vitest";
import type { CrawlEvent } from "../src/event.ts";
import type { FakeAnswer } from "../src/testing/fake_web.ts";
import { type FakeCrawlOptions, fakeCrawl, gather, HOME, paths, told } from "./support/fake_crawl.ts";

const START_MS = Date.UTC(2026, 10, 30);
const ALONE: FakeCrawlOptions = { robots: false, delayMs: 0, hostConcurrency: 1, random: () => 0 };

/** A page that always answers so: its starts, and what became of it. */
async function crawlOf(answer: FakeAnswer, options: FakeCrawlOptions = {}) {
  const fake = fakeCrawl({ [HOME]: answer }, { ...ALONE, ...options });
  const results = await gather(fake.crawl);
  const startsMs = fake.web.log.map(({ atMs }) => atMs - START_MS);
  return { ...fake, results, startsMs, stats: await fake.crawl.finished };
}

function retrying(events: readonly CrawlEvent[]): Extract<CrawlEvent, { type: "retrying" }>[] {
  return events.filter((event) => event.type === "retrying");
}

describe("retries", () => {
  test.each([408, 500, 502, 504, 507, 599])(
    "a status of %i twice more, then it is the page",
    async (status) => {
      const { results, startsMs, stats, events } = await crawlOf({ status });
      expect(startsMs).toEqual([0, 510, 1_520]);
      expect(told(results)).toEqual([`page / ${status}`]);
      expect(stats).toMatchObject({
        requests: 3,
        retries: 2,
        pages: 1,
        failures: 0,
        statuses: { [status]: 3 },
      });
      expect(
        retrying(events).map(({ atMs, notBeforeMs }) => [atMs - START_MS, notBeforeMs - START_MS]),
      ).toEqual([
        [10, 510],
        [520, 1_520],
      ]);
    },
  );

  test.each([
    ["ECONNREFUSED", "connect"],
    ["ECONNRESET", "reset"],
    ["ENOTFOUND", "dns"],
  ] as const)("%s twice more, then it is a failure", async (fault, reason) => {
    const { results, startsMs, stats } = await crawlOf({ fault });
    expect(startsMs).toEqual([0, 510, 1_520]);
    expect(told(results)).toEqual([`failure / ${reason}`]);
    expect(results[0]).toMatchObject({ attempts: 3, cause: expect.any(Error) });
    expect(stats).toMatchObject({ retries: 2, failuresByReason: { [reason]: 1 } });
  });

  test("a timeout likewise, each time after the whole of it", async () => {
    const { results, startsMs } = await crawlOf({ fault: "never" }, { timeoutMs: 3_000, delayMs: [0, 0] });
    expect(startsMs).toEqual([0, 3_500, 7_500]);
    expect(told(results)).toEqual(["failure / timeout"]);
  });

  test.each([400, 401, 403, 404, 410, 418, 451])("not a status of %i", async (status) => {
    const { startsMs, results } = await crawlOf({ status });
    expect(startsMs).toEqual([0]);
    expect(told(results)).toEqual([`page / ${status}`]);
  });

  test("not what will be the same the next time: a loop, a body too large", async () => {
    const { startsMs: loop, results: looped } = await crawlOf({ status: 301, location: "/" });
    expect([loop, told(looped)]).toEqual([[0], ["failure / redirect"]]);
    const { startsMs: large, results: cut } = await crawlOf({ body: "x".repeat(100) }, { maxBodyBytes: 99 });
    expect([large, told(cut)]).toEqual([[0], ["failure / too-large"]]);
  });

  test("doubles the wait from baseMs, and cuts it at maxMs", async () => {
    const { startsMs } = await crawlOf({ status: 500 }, { retries: { max: 6, baseMs: 1_000, maxMs: 5_000 } });
    const waits = startsMs.slice(1).map((atMs, i) => atMs - startsMs[i]! - 10);
    expect(waits).toEqual([1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
  });

  test("lets chance shorten a wait to its half at most, and never lengthen it", async () => {
    for (const [chance, waitMs] of [
      [0, 1_000],
      [0.5, 750],
      [1 - Number.EPSILON, 500],
    ] as const) {
      const { startsMs } = await crawlOf(
        { status: 500 },
        { retries: { max: 1, baseMs: 1_000 }, random: () => chance },
      );
      expect(startsMs[1]! - 10).toBeCloseTo(waitMs, 3);
    }
  });

  test("never where max is 0, whatever it was", async () => {
    for (const answer of [{ status: 500 }, { status: 503 }, { fault: "ECONNRESET" }] as FakeAnswer[]) {
      const { startsMs, stats } = await crawlOf(answer, { retries: { max: 0 } });
      expect(startsMs).toEqual([0]);
      expect(stats.retries).toBe(0);
    }
  });

  test("gives the next attempt's answer as the page, its request without a trace of the first", async () => {
    const fake = fakeCrawl({ [HOME]: (n) => (n < 3 ? { status: 500 } : "well") }, ALONE);
    const [page] = await gather(fake.crawl);
    expect(page).toMatchObject({ type: "page", status: 200, text: "well" });
    expect(
      fake.events
        .filter(({ type }) => type === "started")
        .map((event) => "attempt" in event && event.attempt),
    ).toEqual([1, 2, 3]);
  });

  test("lets what is behind go on while one waits for its next attempt", async () => {
    const pages = { [HOME]: { fault: "ECONNRESET" } } as const;
    const seeds = [HOME, ...paths(5).map((path) => HOME + path.slice(1))];
    const fake = fakeCrawl(pages, { ...ALONE, seeds });
    await gather(fake.crawl);
    expect(fake.web.log.map(({ url, atMs }) => [url.slice(HOME.length), atMs - START_MS])).toEqual([
      ["", 0],
      ["1", 10],
      ["2", 20],
      ["3", 30],
      ["4", 40],
      ["5", 50],
      ["", 510],
      ["", 1_520],
    ]);
  });
});

describe("maxHostFailures", () => {
  const seeds = paths(100).map((path) => HOME + path.slice(1));

  test.each<[string, FakeAnswer]>([
    ["refused connections", { fault: "ECONNREFUSED" }],
    ["resets", { fault: "ECONNRESET" }],
    ["unknown names", { fault: "ENOTFOUND" }],
    ["timeouts", { fault: "never" }],
    ["server errors", { status: 500 }],
    ["refusals", { status: 429 }],
    ["refusals with a pause", { status: 503, retryAfter: 5 }],
  ])("of %s in a row have the host given up, its queue skipped, and the crawl end", async (_, otherwise) => {
    const fake = fakeCrawl(
      {},
      {
        ...ALONE,
        seeds: [...seeds, "https://b.test/"],
        web: { otherwise: (_, { url }) => (url === "https://b.test/" ? "" : otherwise) },
      },
    );
    const results = await gather(fake.crawl);
    expect(fake.web.log.filter(({ url }) => url.startsWith(HOME))).toHaveLength(20);
    expect(results).toHaveLength(101);
    expect(told(results)).toContain("page https://b.test/ 200");
    const skips = results.filter(({ type }) => type === "skip");
    expect(skips.length).toBeGreaterThanOrEqual(90);
    for (const skip of skips) {
      expect(skip).toMatchObject({ reason: "host-unavailable", detail: "a.test failed 20 times in a row" });
    }
    expect(await fake.crawl.finished).toMatchObject({ finishReason: "done", queued: 0, inProgress: 0 });
  });

  test("counts in a row: one good answer between, and it begins anew", async () => {
    const fake = fakeCrawl(
      {},
      {
        ...ALONE,
        seeds,
        maxHostFailures: 3,
        retries: { max: 0 },
        web: {
          otherwise: (_, { url }) =>
            Number(url.slice(HOME.length)) % 3 === 0 ? { status: 404 } : { status: 500 },
        },
      },
    );
    const results = await gather(fake.crawl);
    expect(results.every(({ type }) => type === "page")).toBe(true);
    expect(results).toHaveLength(100);
  });

  test("counts each host for itself", async () => {
    const hosts = Array.from({ length: 30 }, (_, i) => `https://h${i}.test/`);
    const fake = fakeCrawl({}, { ...ALONE, seeds: hosts, web: { otherwise: { fault: "ECONNREFUSED" } } });
    const results = await gather(fake.crawl);
    expect(results.every(({ type }) => type === "failure")).toBe(true);
  });

  test("skips what is queued of a host later on too", async () => {
    const fake = fakeCrawl(
      { "https://b.test/": { body: `<a href="${HOME}late">`, afterMs: 60_000 } },
      {
        ...ALONE,
        timeoutMs: 100_000,
        maxHostFailures: 2,
        retries: { max: 0 },
        seeds: [HOME, `${HOME}2`, "https://b.test/"],
        web: { otherwise: { fault: "ECONNREFUSED" } },
      },
    );
    expect(told(await gather(fake.crawl))).toEqual([
      "failure / connect",
      "failure /2 connect",
      "page https://b.test/ 200",
      "skip /late host-unavailable",
    ]);
  });

  test("counts robots.txt too, so that a host whose robots.txt never comes is given up as soon", async () => {
    const fake = fakeCrawl(
      {},
      {
        ...ALONE,
        robots: true,
        maxHostFailures: 2,
        seeds: seeds.slice(0, 5),
        web: { otherwise: { fault: "ECONNREFUSED" } },
      },
    );
    const results = await gather(fake.crawl);
    expect(fake.web.log).toHaveLength(2);
    expect(results.map((result) => "reason" in result && result.reason)).toEqual(
      Array(5).fill("host-unavailable"),
    );
  });

  test("is never reached where it is Infinity", async () => {
    const fake = fakeCrawl(
      {},
      {
        ...ALONE,
        seeds,
        maxHostFailures: Number.POSITIVE_INFINITY,
        retries: { max: 0 },
        web: { otherwise: { fault: "ECONNREFUSED" } },
      },
    );
    expect((await gather(fake.crawl)).every(({ type }) => type === "failure")).toBe(true);
    expect(fake.web.log).toHaveLength(100);
  });
});
