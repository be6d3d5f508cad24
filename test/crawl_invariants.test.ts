import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CrawlEvent } from "../src/event.ts";
import { count, noCounts } from "../src/stats.ts";
import { type FakeCrawl, fakeCrawl, gather } from "./support/fake_crawl.ts";
import { randomSite, type SitePlan } from "./support/random_site.ts";
import { seededRandom } from "./support/simulated_host.ts";

const sitePlan: fc.Arbitrary<SitePlan> = fc.record({
  seed: fc.nat(1_000_000),
  hosts: fc.integer({ min: 1, max: 4 }),
  pagesPerHost: fc.integer({ min: 1, max: 12 }),
  faults: fc.constantFrom(0, 0.2, 0.6),
  robots: fc.boolean(),
});
const pacePlan = fc.record({
  concurrency: fc.integer({ min: 1, max: 8 }),
  hostConcurrency: fc.oneof(
    fc.integer({ min: 1, max: 4 }),
    fc.record({ adaptive: fc.integer({ min: 1, max: 4 }) }),
  ),
  delayMs: fc.constantFrom(0, 250, 1_000, [100, 400] as const),
});
const plan = fc.record({ site: sitePlan, pace: pacePlan });

type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

function crawlOf({ site, pace }: Plan, options: Parameters<typeof fakeCrawl>[1] = {}) {
  const { pages, seeds, crawlDelaysMs } = randomSite(site);
  const random = seededRandom(site.seed);
  const web = { otherwise: "leaf" };
  return {
    ...fakeCrawl(pages, { ...pace, seeds, random, web, timeoutMs: 5_000, ...options }),
    crawlDelaysMs,
  };
}

function expectNothingLeft({ web, clock }: FakeCrawl): void {
  expect({ inFlight: web.inFlight, sleeping: clock.sleeping }).toEqual({ inFlight: 0, sleeping: 0 });
}

describe("a crawl of any finite site", () => {
  test("I1, I5: ends, and gives each accepted request exactly one result", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        const fake = crawlOf(given);
        const results = await gather(fake.crawl);
        const stats = await fake.crawl.finished;
        expect(stats).toMatchObject({ finishReason: "done", queued: 0, inProgress: 0, inFlight: 0 });
        const ended = results.filter((result) => result.request !== undefined);
        const keys = ended.map(({ request }) => request!.order);
        expect(new Set(keys).size).toBe(keys.length);
        expect(ended.length).toBe(stats.accepted);
        const accepted = fake.events.flatMap((event) =>
          event.type === "accepted" ? [event.request.order] : [],
        );
        expect(keys.sort((a, b) => a - b)).toEqual(accepted.sort((a, b) => a - b));
        expect(stats.pages + stats.failures + stats.skips).toBe(results.length);
        // No page twice, under whatever name.
        const pages = results.filter(({ type }) => type === "page").map(({ url }) => url);
        expect(new Set(pages).size).toBe(pages.length);
        expectNothingLeft(fake);
      }),
      { numRuns: 60 },
    );
  });

  test("gives the same results by any pace, where nothing depends on it", async () => {
    const calm = sitePlan.map((site) => ({ ...site, robots: false }));
    await fc.assert(
      fc.asyncProperty(calm, pacePlan, pacePlan, async (site, one, other) => {
        const outcomes = await Promise.all(
          [one, other].map(async (pace) => {
            const results = await gather(
              crawlOf({ site, pace }, { maxHostFailures: Number.POSITIVE_INFINITY }).crawl,
            );
            // Which of two URLs that land on one page comes first is a matter of pace.
            return results
              .filter((result) => result.type === "page")
              .map(({ url, status }) => `${url} ${status}`)
              .sort();
          }),
        );
        expect(outcomes[0]).toEqual(outcomes[1]);
      }),
      { numRuns: 25 },
    );
  });

  test("I2: keeps gap, crawl-delay, limit and pause of each host, whatever the interleaving", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        const fake = crawlOf(given);
        await gather(fake.crawl);
        const { delayMs, hostConcurrency } = given.pace;
        const least = typeof delayMs === "number" ? delayMs : delayMs[0];
        const limit = typeof hostConcurrency === "number" ? hostConcurrency : hostConcurrency.adaptive;
        for (const [host, requests] of groupByHost(fake)) {
          const knownAtMs = fake.events.find(
            (event) => event.type === "robots" && event.origin === `https://${host}`,
          )?.atMs;
          for (const [i, { atMs }] of requests.entries()) {
            const before = requests[i - 1];
            const crawlDelayMs =
              knownAtMs !== undefined && atMs > knownAtMs ? (fake.crawlDelaysMs.get(host) ?? 0) : 0;
            if (before !== undefined)
              expect(atMs - before.atMs).toBeGreaterThanOrEqual(Math.max(least, crawlDelayMs));
            const inFlight = requests.slice(0, i).filter(({ endMs }) => endMs! > atMs).length;
            expect(inFlight).toBeLessThan(limit);
          }
          for (const event of fake.events) {
            if (event.type !== "paced" || event.host !== host || event.pausedUntilMs === undefined) continue;
            const during = requests.filter(({ atMs }) => atMs > event.atMs && atMs < event.pausedUntilMs!);
            expect(during).toEqual([]);
          }
        }
        const startsAtOnce = fake.web.log.map(
          ({ atMs }, i) => fake.web.log.slice(0, i).filter(({ endMs }) => endMs! > atMs).length + 1,
        );
        expect(Math.max(...startsAtOnce)).toBeLessThanOrEqual(given.pace.concurrency);
      }),
      { numRuns: 60 },
    );
  });

  test("I4: broken off after any result leaves nothing running", async () => {
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 1, max: 30 }), async (given, n) => {
        const fake = crawlOf(given);
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
      { numRuns: 40 },
    );
  });

  test("I4: aborted at any moment leaves nothing running, and loses count of nothing", async () => {
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 0, max: 20_000 }), async (given, afterMs) => {
        const controller = new AbortController();
        const fake = crawlOf(given, { signal: controller.signal });
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
      { numRuns: 40 },
    );
  });

  test("stopped at any moment, accepted = results + queued", async () => {
    await fc.assert(
      fc.asyncProperty(
        plan,
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(0, 100, Infinity),
        async (given, n, graceMs) => {
          const fake = crawlOf(given, { graceMs });
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
      { numRuns: 40 },
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
      fc.asyncProperty(plan, budget, async (given, budget: Parameters<typeof fakeCrawl>[1] & object) => {
        const fake = crawlOf(given, budget);
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
      { numRuns: 80 },
    );
  });

  test("its events, folded, are its stats at every moment", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        const folded = noCounts();
        let fake: ReturnType<typeof crawlOf> | undefined;
        const onEvent = (event: CrawlEvent): void => {
          count(folded, event);
          expect(fake!.crawl.stats).toMatchObject(folded);
        };
        fake = crawlOf(given, { onEvent });
        await gather(fake.crawl);
        expect(await fake.crawl.finished).toMatchObject(folded);
      }),
      { numRuns: 15 },
    );
  });

  test("each request that is told to start is one on the wire, and ends", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        const fake = crawlOf(given);
        await gather(fake.crawl);
        const told = (type: "started" | "ended") =>
          fake.events.flatMap((event) => (event.type === type ? [`${event.atMs} ${event.url}`] : []));
        expect(told("started")).toEqual(fake.web.log.map(({ atMs, url }) => `${atMs} ${url}`));
        expect(told("ended").sort()).toEqual(fake.web.log.map(({ endMs, url }) => `${endMs} ${url}`).sort());
      }),
      { numRuns: 25 },
    );
  });
});

function groupByHost({ web }: FakeCrawl): Map<string, FakeCrawl["web"]["log"][number][]> {
  const byHost = new Map<string, FakeCrawl["web"]["log"][number][]>();
  for (const request of web.log) {
    const { host } = new URL(request.url);
    byHost.set(host, [...(byHost.get(host) ?? []), request]);
  }
  return byHost;
}
