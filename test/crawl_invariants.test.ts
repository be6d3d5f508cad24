import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CrawlEvent } from "../src/event.ts";
import { count, noCounts } from "../src/stats.ts";
import { type FakeCrawl, gather } from "./support/fake_crawl.ts";
import { crawlPlan, expectNothingLeft, pacePlan, randomCrawl, sitePlan } from "./support/random_site.ts";

describe("a crawl of any finite site", () => {
  test("I1, I5: ends, and gives each accepted request exactly one result", async () => {
    await fc.assert(
      fc.asyncProperty(crawlPlan, async (given) => {
        const fake = randomCrawl(given);
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
      { numRuns: 40 },
    );
  });

  test("gives the same results by any pace, where nothing depends on it", async () => {
    const calm = sitePlan.map((site) => ({ ...site, robots: false }));
    await fc.assert(
      fc.asyncProperty(calm, pacePlan, pacePlan, async (site, one, other) => {
        const outcomes = await Promise.all(
          [one, other].map(async (pace) => {
            const results = await gather(
              randomCrawl({ site, pace }, { maxHostFailures: Number.POSITIVE_INFINITY }).crawl,
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
      fc.asyncProperty(crawlPlan, async (given) => {
        const fake = randomCrawl(given);
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
      { numRuns: 40 },
    );
  });

  test("its events, folded, are its stats at every moment", async () => {
    await fc.assert(
      fc.asyncProperty(crawlPlan, async (given) => {
        const folded = noCounts();
        let fake: ReturnType<typeof randomCrawl> | undefined;
        const onEvent = (event: CrawlEvent): void => {
          count(folded, event);
          expect(fake!.crawl.stats).toMatchObject(folded);
        };
        fake = randomCrawl(given, { onEvent });
        await gather(fake.crawl);
        expect(await fake.crawl.finished).toMatchObject(folded);
      }),
      { numRuns: 15 },
    );
  });

  test("each request that is told to start is one on the wire, and ends", async () => {
    await fc.assert(
      fc.asyncProperty(crawlPlan, async (given) => {
        const fake = randomCrawl(given);
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
