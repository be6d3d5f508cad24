import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Crawl, crawl } from "../src/crawl.ts";
import type { CrawlResult } from "../src/result.ts";
import { fakeCrawl, gather, HOME, linksTo, paths, settled, told } from "./support/fake_crawl.ts";

const FIVE_PAGES = { [HOME]: linksTo(...paths(4)) };
const OTHERS = { web: { otherwise: "leaf" } };
const ALL_FIVE = ["page / 200", "page /1 200", "page /2 200", "page /3 200", "page /4 200"];

describe("crawl() as a stream", () => {
  test("is a ReadableStream by class, and a Crawl", () => {
    const { crawl } = fakeCrawl(FIVE_PAGES, OTHERS);
    expect(crawl).toBeInstanceOf(ReadableStream);
    expect(crawl).toBeInstanceOf(Crawl);
    expect(crawl.locked).toBe(false);
  });

  test("fetches nothing and sets no timer before it is read", async () => {
    const { crawl, web, clock, events } = fakeCrawl(FIVE_PAGES, OTHERS);
    await settled();
    expect([web.log.length, clock.sleeping, events.length]).toEqual([0, 0, 0]);
    expect(crawl.stats).toMatchObject({ accepted: 0, requests: 0, finishReason: undefined });
  });

  test("observe() tells what happens from then on, until its end; what an observer throws errors the stream", async () => {
    const { crawl, events } = fakeCrawl(FIVE_PAGES, OTHERS);
    const told: string[] = [];
    const leave = crawl.observe(({ type }) => {
      told.push(type);
      if (type === "page") leave();
    });
    await gather(crawl);
    expect(told).toEqual(events.slice(0, told.length).map(({ type }) => type));
    expect(told.at(-1)).toBe("page");
    expect(() => crawl.observe("all" as never)).toThrow("'observer' must be a function: received all");

    const broken = fakeCrawl(FIVE_PAGES, OTHERS).crawl;
    broken.observe(() => {
      throw new Error("no disk");
    });
    await expect(gather(broken)).rejects.toThrow("no disk");
  });

  test("firstPace is what its options give each host to begin with", () => {
    expect(crawl([]).firstPace).toEqual({ limit: 1, gapMs: 250 });
    expect(crawl([], { hostConcurrency: 3, delayMs: 10 }).firstPace).toEqual({ limit: 3, gapMs: 10 });
    const widening = { hostConcurrency: { adaptive: 8 }, delayMs: [5, 50] } as const;
    expect(crawl([], widening).firstPace).toEqual({ limit: 1, gapMs: 5 });
  });

  test("reads no seed before it is read itself", async () => {
    let asked = 0;
    const seeds = (function* () {
      asked++;
      yield HOME;
    })();
    const { crawl } = fakeCrawl(FIVE_PAGES, { ...OTHERS, seeds });
    await settled();
    expect(asked).toBe(0);
    await gather(crawl);
    expect(asked).toBe(1);
  });

  const consumers: Record<string, (crawl: ReadableStream<CrawlResult>) => Promise<CrawlResult[]>> = {
    "for await": gather,
    async "a reader"(crawl) {
      const reader = crawl.getReader();
      const results: CrawlResult[] = [];
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return results;
        results.push(value);
      }
    },
    async "several reads at once"(crawl) {
      const reader = crawl.getReader();
      const reads = await Promise.all(Array.from({ length: 9 }, () => reader.read()));
      return reads.filter(({ done }) => !done).map(({ value }) => value!);
    },
    "pipeThrough()": (crawl) => gather(crawl.pipeThrough(new TransformStream())),
    async "pipeTo()"(crawl) {
      const results: CrawlResult[] = [];
      await crawl.pipeTo(new WritableStream({ write: (result) => void results.push(result) }));
      return results;
    },
    async "the first branch of tee()"(crawl) {
      const [first, second] = crawl.tee();
      const [results] = await Promise.all([gather(first), gather(second)]);
      return results;
    },
    async "the second branch of tee()"(crawl) {
      const [first, second] = crawl.tee();
      const [, results] = await Promise.all([gather(first), gather(second)]);
      return results;
    },
    async "values() of a stream that is not to be cancelled"(crawl) {
      const results: CrawlResult[] = [];
      for await (const result of crawl.values({ preventCancel: true })) results.push(result);
      return results;
    },
  };
  test.each(Object.entries(consumers))("gives each result once, in order, by %s", async (_, consume) => {
    const { crawl, web, clock } = fakeCrawl(FIVE_PAGES, OTHERS);
    expect(told(await consume(crawl))).toEqual(ALL_FIVE);
    expect(await crawl.finished).toMatchObject({ finishReason: "done", pages: 5 });
    expect([web.inFlight, clock.sleeping]).toEqual([0, 0]);
  });

  test("goes on after a loop that was left with preventCancel", async () => {
    const { crawl } = fakeCrawl(FIVE_PAGES, OTHERS);
    const results: CrawlResult[] = [];
    for await (const result of crawl.values({ preventCancel: true })) {
      results.push(result);
      if (results.length === 2) break;
    }
    results.push(...(await gather(crawl)));
    expect(told(results)).toEqual(ALL_FIVE);
  });

  test("one branch of tee() that is cancelled leaves the other its results", async () => {
    const { crawl } = fakeCrawl(FIVE_PAGES, OTHERS);
    const [first, second] = crawl.tee();
    const gathered = gather(first);
    // Settles with the other branch's end: both share one source.
    const cancelled = second.cancel();
    expect(told(await gathered)).toEqual(ALL_FIVE);
    await cancelled;
  });

  test("both branches of tee() that are cancelled end the crawl", async () => {
    const { crawl, web, clock } = fakeCrawl(FIVE_PAGES, OTHERS);
    const [first, second] = crawl.tee();
    const reader = first.getReader();
    await reader.read();
    await Promise.all([reader.cancel(), second.cancel()]);
    expect(await crawl.finished).toMatchObject({ finishReason: "cancelled" });
    expect([web.inFlight, clock.sleeping]).toEqual([0, 0]);
  });

  test("yields answers alone unless asked for all results", async () => {
    const pages = {
      [HOME]: linksTo("/gone", "/reset", "https://other.test/", "/a.pdf"),
      [`${HOME}reset`]: { fault: "ECONNRESET" as const },
      [`${HOME}a.pdf`]: { type: "application/pdf" },
    };
    const { crawl } = fakeCrawl(pages, { results: "pages", retries: { max: 0 } });
    expect(told(await gather(crawl))).toEqual(["page / 200", "page /gone 404"]);
    expect(await crawl.finished).toMatchObject({ pages: 2, failures: 1, skips: 2 });
  });

  test("is the same crawl by the runtime's own clock", async () => {
    const fetch = async (input: string | URL | Request): Promise<Response> => {
      const path = new URL(String(input)).pathname;
      if (path === "/robots.txt") return new Response("", { status: 404 });
      return new Response(path === "/" ? linksTo(...paths(4)) : "leaf", {
        headers: { "content-type": "text/html" },
      });
    };
    const results = await gather(crawl(HOME, { fetch, delayMs: 0, results: "all" }));
    expect(told(results)).toEqual(ALL_FIVE);
  });
});

describe("crawl() with a slow reader", () => {
  test("starts no more than `concurrency` requests while nobody reads on", async () => {
    const options = { ...OTHERS, concurrency: 3, hostConcurrency: 8, delayMs: 0, robots: false };
    const { crawl, web, clock } = fakeCrawl({ [HOME]: linksTo(...paths(50)) }, options);
    const reader = crawl.getReader();
    await reader.read();
    void reader.read();
    await clock.sleep(60_000);
    // The two that were read, and three that wait.
    expect(web.log.length).toBe(5);
    await clock.sleep(60_000);
    expect(web.log.length).toBe(5);
    await reader.read();
    await clock.sleep(1_000);
    expect(web.log.length).toBe(6);
    await reader.cancel();
  });

  test("gives a pipe as much as the pipe has room for, and waits with no more than `concurrency`", async () => {
    const seeds = paths(50).map((path) => new URL(path, HOME));
    const options = { ...OTHERS, seeds, concurrency: 2, hostConcurrency: 8, delayMs: 0, robots: false };
    const { crawl, web, clock } = fakeCrawl({}, options);
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let written = 0;
    const sink = (): WritableStream<unknown> => {
      const write = async (): Promise<void> => {
        written++;
        await gate;
      };
      return new WritableStream({ write }, { highWaterMark: 5 });
    };
    // What any stream has to give: five, on some runtimes one at a time.
    let pulled = 0;
    const pull = (controller: ReadableStreamDefaultController<number>): void => controller.enqueue(++pulled);
    const other = new ReadableStream<number>({ pull }, { highWaterMark: 0 });
    const cancel = new AbortController();
    const pipedOther = other.pipeTo(sink(), { signal: cancel.signal });
    const piped = crawl.pipeTo(sink());
    await clock.sleep(60_000);
    expect(pulled).toBeLessThanOrEqual(5);
    expect([written, web.log.length]).toEqual([2, pulled + 2]);
    cancel.abort();
    open();
    await expect(pipedOther).rejects.toThrow();
    await piped;
    expect((await crawl.finished).pages).toBe(50);
  });

  test("I3: requests in flight and results unread never exceed `concurrency`, whatever the interleaving", async () => {
    const plan = fc.record({
      concurrency: fc.integer({ min: 1, max: 6 }),
      hostConcurrency: fc.integer({ min: 1, max: 6 }),
      steps: fc.array(fc.record({ reads: fc.nat(3), sleepMs: fc.nat(40) }), { maxLength: 12 }),
      answersMs: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 7 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ concurrency, hostConcurrency, steps, answersMs }) => {
        const { crawl, web, clock, events } = fakeCrawl(
          { [HOME]: linksTo(...paths(30)) },
          {
            concurrency,
            hostConcurrency,
            delayMs: 0,
            robots: false,
            web: {
              otherwise: (_, { url }) => ({
                body: "leaf",
                afterMs: answersMs[url.length % answersMs.length]!,
              }),
            },
            onEvent: () => check(),
          },
        );
        let read = 0;
        let reading = 0;
        let highest = 0;
        const check = (): void => {
          // A result counts as read once somebody asks for it.
          const pages = events.filter(({ type }) => type === "page").length;
          const unread = Math.max(0, pages - read - reading);
          highest = Math.max(highest, web.inFlight + unread);
        };
        const reader = crawl.getReader();
        const take = async (): Promise<boolean> => {
          reading++;
          const { done } = await reader.read();
          reading--;
          if (!done) read++;
          check();
          return done;
        };
        for (const { reads, sleepMs } of steps) {
          for (let i = 0; i < reads; i++) await take();
          await clock.sleep(sleepMs);
          check();
        }
        while (!(await take()));
        expect(read).toBe(31);
        expect(highest).toBeLessThanOrEqual(concurrency);
      }),
      { numRuns: 40 },
    );
  });
});
