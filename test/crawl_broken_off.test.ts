import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type fakeCrawl, gather } from "./support/fake_crawl.ts";
import { crawlPlan, expectNothingLeft, randomCrawl } from "./support/random_site.ts";

describe("a crawl that is broken off", () => {
  test("I4: broken off after any result leaves nothing running", async () => {
    await fc.assert(
      fc.asyncProperty(crawlPlan, fc.integer({ min: 1, max: 30 }), async (given, n) => {
        const fake = randomCrawl(given);
        let read = 0;
        for await (const _ of fake.crawl) if (++read === n) break;
        const stats = await fake.crawl.finished;
        expectNothingLeft(fake);
        const starts = fake.web.log.length;
        await fake.clock.sleep(100_000);
        expect(fake.web.log.length).toBe(starts);
        expect(stats).toMatchObject({ inFlight: 0, inProgress: 0 });
        expect(fake.events.at(-1)).toMatchObject({ type: "finished", stats });
      }),
      { numRuns: 30 },
    );
  });

  test("I4: aborted at any moment leaves nothing running, and loses count of nothing", async () => {
    await fc.assert(
      fc.asyncProperty(crawlPlan, fc.integer({ min: 0, max: 20_000 }), async (given, afterMs) => {
        const controller = new AbortController();
        const fake = randomCrawl(given, { signal: controller.signal });
        const cancel = fake.clock.at(fake.clock.now() + afterMs, () => controller.abort("enough"));
        const end = await gather(fake.crawl).then(
          () => "done",
          (reason) => reason,
        );
        cancel();
        const stats = await fake.crawl.finished;
        expect(stats.finishReason).toBe(end === "enough" ? "aborted" : "done");
        expectNothingLeft(fake);
        expect(stats.inFlight).toBe(0);
        expect(fake.events.at(-1)).toMatchObject({ type: "finished", stats });
      }),
      { numRuns: 30 },
    );
  });

  test("stopped at any moment, accepted = results + queued", async () => {
    await fc.assert(
      fc.asyncProperty(
        crawlPlan,
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(0, 100, Infinity),
        async (given, n, graceMs) => {
          const fake = randomCrawl(given, { graceMs });
          const results = [];
          for await (const result of fake.crawl) {
            results.push(result);
            if (results.length === n) void fake.crawl.stop();
          }
          const stats = await fake.crawl.finished;
          const ended = results.filter(({ request }) => request !== undefined).length;
          expect(ended + stats.queued).toBe(stats.accepted);
          expectNothingLeft(fake);
        },
      ),
      { numRuns: 30 },
    );
  });

  test("a budget on it is exact, and accepted = results + queued", async () => {
    const budget = fc.oneof(
      fc.record({ maxPages: fc.integer({ min: 1, max: 15 }) }),
      fc.record({ maxRequests: fc.integer({ min: 1, max: 25 }) }),
      fc.record({ maxPagesPerHost: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ maxDurationMs: fc.integer({ min: 1, max: 20_000 }) }),
    );
    await fc.assert(
      fc.asyncProperty(crawlPlan, budget, async (given, budget: Parameters<typeof fakeCrawl>[1] & object) => {
        const fake = randomCrawl(given, budget);
        const startMs = fake.clock.now();
        const results = await gather(fake.crawl);
        const stats = await fake.crawl.finished;
        const {
          maxPages = Infinity,
          maxRequests = Infinity,
          maxPagesPerHost = Infinity,
          maxDurationMs = Infinity,
        } = budget;
        const pages = results.filter(({ type }) => type === "page");
        expect(pages.length).toBeLessThanOrEqual(maxPages);
        expect(fake.web.log.length).toBeLessThanOrEqual(maxRequests);
        for (const host of new Set(pages.map(({ url }) => new URL(url).host))) {
          expect(pages.filter(({ url }) => new URL(url).host === host).length).toBeLessThanOrEqual(
            maxPagesPerHost,
          );
        }
        expect(fake.web.log.every(({ atMs }) => atMs - startMs < maxDurationMs)).toBe(true);
        const ended = results.filter(({ request }) => request !== undefined).length;
        expect(ended + stats.queued).toBe(stats.accepted);
        if (stats.finishReason === "max-pages") expect(pages.length).toBe(maxPages);
        if (stats.finishReason === "max-requests") expect(fake.web.log.length).toBe(maxRequests);
        expectNothingLeft(fake);
      }),
      { numRuns: 50 },
    );
  });
});
