import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CrawlEvent } from "../src/event.ts";
import type { FakeAnswer } from "../src/testing/fake_web.ts";
import { type FakeCrawlOptions, fakeCrawl, gather, HOME } from "./support/fake_crawl.ts";

/** A host's pace, as an observer knows it who has nothing but events. */
interface Known {
  limit: number;
  gapMs: number;
  pausedUntilMs: number;
  lastStartMs: number;
  inFlight: number;
  /** When any of it changed last. */
  changedAtMs: number;
}

/**
 * Follows a crawl of one host that never runs out of work by its events alone, and calls back at each start with what
 * was known of the pace just before.
 */
function follow(
  events: readonly CrawlEvent[],
  first: Pick<Known, "limit" | "gapMs">,
  onStart: (atMs: number, known: Readonly<Known>) => void,
): void {
  const known: Known = {
    ...first,
    pausedUntilMs: 0,
    lastStartMs: Number.NEGATIVE_INFINITY,
    inFlight: 0,
    changedAtMs: events[0]!.atMs,
  };
  for (const event of events) {
    switch (event.type) {
      case "started":
        onStart(event.atMs, known);
        known.inFlight++;
        known.lastStartMs = event.atMs;
        break;
      case "ended":
        known.inFlight--;
        known.changedAtMs = event.atMs;
        break;
      case "paced":
        known.limit = event.limit.to;
        known.gapMs = event.gapMs.to;
        known.pausedUntilMs = event.pausedUntilMs ?? known.pausedUntilMs;
        known.changedAtMs = event.atMs;
        break;
      default:
    }
  }
}

const answer: fc.Arbitrary<FakeAnswer> = fc.record(
  {
    status: fc.constantFrom(200, 200, 200, 200, 200, 404, 429, 500, 503),
    retryAfter: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
    afterMs: fc.integer({ min: 1, max: 900 }),
  },
  { requiredKeys: ["status", "afterMs"] },
) as fc.Arbitrary<FakeAnswer>;

const pace: fc.Arbitrary<FakeCrawlOptions> = fc.record({
  delayMs: fc.constantFrom<FakeCrawlOptions["delayMs"]>(0, 100, [50, 3_000], [200, 200]) as fc.Arbitrary<
    NonNullable<FakeCrawlOptions["delayMs"]>
  >,
  hostConcurrency: fc.constantFrom<NonNullable<FakeCrawlOptions["hostConcurrency"]>>(1, 3, { adaptive: 4 }),
});

describe("paced events", () => {
  test("explain every wait: each start comes at the very instant that they allow, never before and never later", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 30, maxLength: 60 }), pace, async (answers, options) => {
        const seeds = answers.map((_, i) => HOME + i);
        const pages = Object.fromEntries(seeds.map((url, i) => [url, answers[i]!]));
        const fake = fakeCrawl(pages, {
          ...options,
          seeds,
          robots: false,
          concurrency: 64,
          // What waits for another attempt is no matter of the pace.
          retries: { max: 0 },
          maxHostFailures: Number.POSITIVE_INFINITY,
        });
        await gather(fake.crawl);
        const { delayMs, hostConcurrency } = options;
        const gapMs = typeof delayMs === "number" ? delayMs : delayMs![0];
        const limit = typeof hostConcurrency === "number" ? hostConcurrency : 1;
        let starts = 0;
        follow(fake.events, { limit, gapMs }, (atMs, known) => {
          starts++;
          expect(known.inFlight).toBeLessThan(known.limit);
          const allowedAtMs = Math.max(
            known.pausedUntilMs,
            known.lastStartMs + known.gapMs,
            known.changedAtMs,
          );
          expect(atMs).toBeCloseTo(allowedAtMs, 2);
        });
        expect(starts).toBe(seeds.length);
      }),
      { numRuns: 30 },
    );
  });

  test("tell a crawl-delay, a pause, a hold and their ends in the order in which they come", async () => {
    const fake = fakeCrawl(
      {
        [`${HOME}robots.txt`]: "User-agent: *\nCrawl-delay: 2",
        [HOME]: (n) => (n === 1 ? { status: 429, retryAfter: 30 } : ""),
      },
      { seeds: [HOME, `${HOME}2`] },
    );
    const reader = fake.crawl.getReader();
    const first = reader.read();
    await fake.clock.sleep(10_000);
    fake.crawl.hold({ host: "a.test" }, 60_000);
    await first;
    while (!(await reader.read()).done);
    const paced = fake.events.filter((event) => event.type === "paced");
    expect(
      paced.map(({ why, gapMs, pausedUntilMs }) => [
        why,
        gapMs.to,
        pausedUntilMs && pausedUntilMs - fake.web.log[0]!.atMs,
      ]),
    ).toEqual([
      ["crawl-delay", 2_000, undefined],
      ["retry-after", 2_000, 32_010],
      ["hold", 2_000, 70_000],
    ]);
    expect(fake.web.log.map(({ atMs }) => atMs - fake.web.log[0]!.atMs)).toEqual([0, 2_000, 70_000, 72_000]);
  });
});
