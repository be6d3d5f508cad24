import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Frontier } from "../src/frontier/frontier.ts";
import { memory } from "../src/frontier/memory.ts";
import { fakeCrawl, gather, HOME, paths, settled } from "./support/fake_crawl.ts";
import { crawlPlan, expectNothingLeft, randomCrawl } from "./support/random_site.ts";

/** A store whose answers come some turns of the event loop later, each operation after the one before. */
function lateStore(turns: number): Frontier {
  const store = memory();
  let last: Promise<unknown> = Promise.resolve();
  const late = <T>(operation: () => T | Promise<T>): Promise<T> => {
    const answer = last.then(async () => {
      for (let i = 0; i < turns; i++) await setImmediate();
      return operation();
    });
    last = answer.catch(() => {});
    return answer;
  };
  return {
    add: (...given) => late(() => store.add(...given)),
    lease: (...given) => late(() => store.lease(...given)),
    take: (...given) => late(() => store.take(...given)),
    complete: (...given) => late(() => store.complete(...given)),
    defer: (...given) => late(() => store.defer(...given)),
    release: (...given) => late(() => store.release(...given)),
    renew: (...given) => late(() => store.renew(...given)),
    drop: (...given) => late(() => store.drop(...given)),
    counts: (...given) => late(() => store.counts(...given)),
  };
}

/** The same, its answers no promises of this realm's but what can be awaited all the same. */
function foreignStore(): Frontier {
  const store = lateStore(1);
  const foreign = <T>(promise: T | Promise<T>): Promise<T> => {
    const real = Promise.resolve(promise);
    // biome-ignore lint/suspicious/noThenProperty: this is what is tested
    return { then: (...handlers: Parameters<typeof real.then>) => real.then(...handlers) } as Promise<T>;
  };
  return {
    add: (...given) => foreign(store.add(...given)),
    lease: (...given) => foreign(store.lease(...given)),
    take: (...given) => foreign(store.take(...given)),
    complete: (...given) => foreign(store.complete(...given)),
    defer: (...given) => foreign(store.defer(...given)),
    release: (...given) => foreign(store.release(...given)),
    renew: (...given) => foreign(store.renew(...given)),
    drop: (...given) => foreign(store.drop(...given)),
    counts: (...given) => foreign(store.counts(...given)),
  };
}

/** Here a request whose connection broke is back in hand while the store is asked for the next ones. */
const RETRIED_WHILE_TAKING = {
  site: { seed: 1_000_000, hosts: 1, pagesPerHost: 8, faults: 0.2, robots: false },
  pace: { concurrency: 2, hostConcurrency: 3, delayMs: 0 },
};

describe("a crawl on a store that answers later", () => {
  test("takes promises of any making", async () => {
    const { crawl } = fakeCrawl(
      { [HOME]: { status: 503 } },
      { frontier: foreignStore(), seeds: [HOME, `${HOME}2`], web: { otherwise: "leaf" } },
    );
    expect((await gather(crawl)).map(({ url }) => url).sort()).toEqual([HOME, `${HOME}2`]);
    expect(crawl.stats).toMatchObject({ accepted: 2, queued: 0, inProgress: 0 });
  });

  test("I1, I5: ends, and gives each accepted request exactly one result", async () => {
    await fc.assert(
      fc.asyncProperty(crawlPlan, fc.integer({ min: 1, max: 3 }), async (given, turns) => {
        const fake = randomCrawl(given, { frontier: lateStore(turns) });
        const results = await gather(fake.crawl);
        const stats = await fake.crawl.finished;
        const ended = results.flatMap(({ request }) => (request === undefined ? [] : [request.key]));
        expect(stats).toMatchObject({
          finishReason: "done",
          queued: 0,
          inProgress: 0,
          accepted: ended.length,
        });
        expect(fake.crawl.stats).toBe(stats);
        expectNothingLeft(fake);
      }),
      { numRuns: 15, examples: [[RETRIED_WHILE_TAKING, 2]] },
    );
  });

  test("I4: is broken off as any other, and gives everything back", async () => {
    await fc.assert(
      fc.asyncProperty(crawlPlan, fc.integer({ min: 1, max: 12 }), async (given, n) => {
        const fake = randomCrawl(given, { frontier: lateStore(1) });
        let read = 0;
        for await (const _ of fake.crawl) if (++read === n) break;
        const stats = await fake.crawl.finished;
        expect(stats).toMatchObject({ inProgress: 0, inFlight: 0 });
        expect(fake.events.at(-1)).toMatchObject({ type: "finished", stats });
        expectNothingLeft(fake);
      }),
      { numRuns: 15 },
    );
  });

  test("add() in the loop's body keeps it alive, waited for or not", async () => {
    for (const isAwaited of [true, false]) {
      const { crawl } = fakeCrawl(
        {},
        { frontier: lateStore(3), robots: false, delayMs: 0, web: { otherwise: "leaf" } },
      );
      let read = 0;
      for await (const _ of crawl) {
        if (++read === 5) continue;
        if (read > 5) break;
        const added = crawl.add(`${HOME}${read}`);
        if (isAwaited) await added;
      }
      expect(read).toBe(5);
      expect(await crawl.finished).toMatchObject({ finishReason: "done", accepted: 5, pages: 5 });
    }
  });

  test("add() at any moment of the end comes to a page, or is refused", async () => {
    for (let turns = 0; turns < 30; turns++) {
      const { crawl } = fakeCrawl(
        {},
        { frontier: lateStore(2), robots: false, delayMs: 0, web: { otherwise: "leaf" } },
      );
      const reader = crawl.getReader();
      await reader.read();
      const next = reader.read();
      if (turns > 0) await settled(turns);
      const added = await crawl.add(`${HOME}1`).catch(() => "refused");
      const { value } = await next;
      expect([added, value?.url]).toEqual(added === 1 ? [1, `${HOME}1`] : ["refused", undefined]);
      await reader.cancel();
    }
  });

  test("stats tell its counts, as they were the last time that they were asked for", async () => {
    const seeds = paths(9).map((path) => `https://a.test${path}`);
    const { crawl } = fakeCrawl(
      {},
      { frontier: lateStore(1), seeds, robots: false, web: { otherwise: "leaf" } },
    );
    const reader = crawl.getReader();
    await reader.read();
    void crawl.stats;
    await settled();
    expect(crawl.stats).toMatchObject({ queued: 8, inProgress: 1 });
    await reader.cancel();
    expect((await crawl.finished).queued).toBe(9);
  });

  test("a store that fails errors the stream with its error, and ends all", async () => {
    const operations = ["add", "lease", "take", "complete", "counts"] as const;
    for (const operation of operations) {
      const store = memory();
      const fault = new Error(`${operation} failed`);
      const frontier: Frontier = { ...bound(store), [operation]: async () => Promise.reject(fault) };
      const fake = fakeCrawl({}, { frontier, robots: false, web: { otherwise: "leaf" } });
      await expect(gather(fake.crawl)).rejects.toBe(fault);
      expect((await fake.crawl.finished).finishReason).toBe("failed");
      expectNothingLeft(fake);
    }
  });
});

function bound(store: Frontier): Frontier {
  return {
    add: (...given) => store.add(...given),
    lease: (...given) => store.lease(...given),
    take: (...given) => store.take(...given),
    complete: (...given) => store.complete(...given),
    defer: (...given) => store.defer(...given),
    release: (...given) => store.release(...given),
    renew: (...given) => store.renew(...given),
    drop: (...given) => store.drop(...given),
    counts: (...given) => store.counts(...given),
  };
}
