import { describe, expect, test } from "vitest";
import { crawl } from "../src/crawl.ts";
import type { Page } from "../src/page.ts";
import type { Seed } from "../src/seed.ts";
import { fakeCrawl, gather, HOME, linksTo, paths, told } from "./support/fake_crawl.ts";

const LEAVES = { otherwise: "leaf" };

describe("crawl() and its seeds", () => {
  const forms: Record<string, () => Parameters<typeof crawl>[0]> = {
    "a string": () => HOME,
    "a URL": () => new URL(HOME),
    "an object": () => ({ url: HOME }),
    "an object with a URL": () => ({ url: new URL(HOME) }),
    "an array": () => [HOME],
    "a Set": () => new Set([HOME]),
    "a generator": () =>
      (function* () {
        yield HOME;
      })(),
    "an async generator": () =>
      (async function* () {
        yield HOME;
      })(),
    "a stream": () =>
      new ReadableStream<string>({
        start(controller) {
          controller.enqueue(HOME);
          controller.close();
        },
      }) as unknown as AsyncIterable<Seed>,
  };
  test.each(Object.entries(forms))("takes %s", async (_, seeds) => {
    const { crawl } = fakeCrawl({ [HOME]: "leaf" }, { seeds: seeds() });
    expect(told(await gather(crawl))).toEqual(["page / 200"]);
    expect((await crawl.finished).finishReason).toBe("done");
  });

  test("fetches two spellings of one URL once", async () => {
    const seeds = [HOME, "https://A.test", "https://a.test:443/#top", new URL("https://a.test/x/..")];
    const { crawl, web } = fakeCrawl({ [HOME]: "leaf" }, { seeds });
    await gather(crawl);
    expect(web.urls()).toEqual([HOME]);
    expect((await crawl.finished).accepted).toBe(1);
  });

  const wrong: [string, unknown, RegExp][] = [
    ["text that is no URL", "not a url", /seed must be an absolute http or https URL: received 'not a url'/],
    ["a relative URL", "/a", /received '\/a'/],
    ["another scheme", "ftp://a.test/", /received 'ftp:\/\/a.test\/'/],
    ["a file", "file:///etc/passwd", /received 'file:/],
    ["a URL of another scheme", new URL("data:,x"), /received 'data:,x'/],
    ["nothing", "", /received ''/],
    ["undefined", undefined, /seed must be a URL or an object with one: received undefined/],
    ["null", null, /received null/],
    ["a number", 7, /received 7/],
    ["an object without a URL", { href: HOME }, /seed must be a URL or an object with one/],
    ["one of several", [HOME, "not a url"], /received 'not a url'/],
    ["a hole among several", [HOME, undefined], /received undefined/],
    ["a negative depth", { url: HOME, depth: -1 }, /'depth'.*received -1/],
    ["half a depth", { url: HOME, depth: 0.5 }, /'depth'.*received 0.5/],
    ["an endless priority", { url: HOME, priority: Number.POSITIVE_INFINITY }, /'priority'.*Infinity/],
    ["a priority in words", { url: HOME, priority: "high" }, /'priority'.*high/],
    ["a method with a space", { url: HOME, method: "GET /" }, /'method'.*'GET \/'/],
    ["a tag that is no text", { url: HOME, tag: 5 }, /'tag'.*5/],
  ];
  test.each(wrong)("refuses %s at once, and says what it got", (_, seeds, message) => {
    expect(() => crawl(seeds as Seed)).toThrow(message);
    expect(() => crawl(seeds as Seed)).toThrow(/^Cannot crawl /);
  });

  test("carries tag, data, priority and depth of a seed to its page, and to what it redirects to", async () => {
    const data = { shelf: [1, "two", null] };
    const { crawl } = fakeCrawl(
      { [`${HOME}old`]: { status: 301, location: "/new" }, [`${HOME}new`]: linksTo("/child") },
      { seeds: { url: `${HOME}old`, tag: "books", data, priority: 3, depth: 2 } },
    );
    const [page, child] = (await gather(crawl)) as Page[];
    expect(page!.url).toBe(`${HOME}new`);
    expect(page!.request).toMatchObject({ tag: "books", data, priority: 3, depth: 2, seed: true });
    // What a page leads to is no seed's any more.
    expect(child!.depth).toBe(3);
    expect(child!.request).not.toHaveProperty("tag");
    expect(child!.request).not.toHaveProperty("seed");
  });

  test("sends method, body and headers of a seed, and counts them into what was seen", async () => {
    const post = {
      url: `${HOME}find`,
      method: "post",
      headers: { "content-type": "text/plain", "x-own": "1" },
    };
    const seeds = [{ ...post, body: "a" }, { ...post, body: "b" }, { ...post, body: "a" }, `${HOME}find`];
    const { crawl, web } = fakeCrawl({}, { seeds, web: LEAVES, robots: false });
    await gather(crawl);
    expect(web.log.map(({ method, body }) => [method, body])).toEqual([
      ["POST", "a"],
      ["POST", "b"],
      ["GET", undefined],
    ]);
    expect(web.log[0]!.headers.get("x-own")).toBe("1");
    expect(web.log[2]!.headers.get("x-own")).toBeNull();
  });
});

describe("crawl() and a sequence of seeds", () => {
  test("reads an endless generator only as far as there is use for it", async () => {
    let yielded = 0;
    const seeds = (function* () {
      for (;;) yield `${HOME}${++yielded}`;
    })();
    const options = { seeds, web: LEAVES, delayMs: 0, robots: false, maxPages: 50 };
    const { crawl } = fakeCrawl({}, options);
    expect(await gather(crawl)).toHaveLength(50);
    expect((await crawl.finished).finishReason).toBe("max-pages");
    expect(yielded).toBeLessThan(1_500);
  });

  test("reads a long generator to its end, in order", async () => {
    const seeds = (function* () {
      for (const path of paths(2_500)) yield `https://a.test${path}`;
    })();
    const { crawl, web } = fakeCrawl(
      {},
      { seeds, web: { ...LEAVES, afterMs: 0 }, delayMs: 0, robots: false },
    );
    expect(await gather(crawl)).toHaveLength(2_500);
    expect(web.urls()).toEqual(paths(2_500).map((path) => `https://a.test${path}`));
  });

  test("closes a generator that was not read to its end", async () => {
    let closed = false;
    const seeds = (function* () {
      try {
        for (let i = 0; ; i++) yield `${HOME}${i}`;
      } finally {
        closed = true;
      }
    })();
    const { crawl } = fakeCrawl({}, { seeds, web: LEAVES });
    for await (const _ of crawl) break;
    expect(closed).toBe(true);
  });

  test("a generator whose return() throws does not keep the crawl from ending", async () => {
    const seeds = (function* () {
      try {
        for (let i = 0; ; i++) yield `${HOME}${i}`;
      } finally {
        // biome-ignore lint/correctness/noUnsafeFinally: what a caller may do.
        throw new Error("not closed");
      }
    })();
    const { crawl, clock } = fakeCrawl({}, { seeds, web: LEAVES });
    const reader = crawl.getReader();
    await reader.read();
    await reader.cancel().catch(() => {});
    const end = await Promise.race([crawl.finished, clock.sleep(60_000).then(() => "never")]);
    expect(end).toMatchObject({ finishReason: "cancelled" });
  });

  test("crawls what an async generator has given so far, and waits for more", async () => {
    let more = (): void => {};
    const wait = new Promise<void>((resolve) => {
      more = resolve;
    });
    const seeds = (async function* () {
      yield `${HOME}1`;
      await wait;
      yield `${HOME}2`;
    })();
    const { crawl, clock } = fakeCrawl({}, { seeds, web: LEAVES });
    const reader = crawl.getReader();
    expect((await reader.read()).value!.url).toBe(`${HOME}1`);
    const second = reader.read();
    await clock.sleep(3_600_000);
    more();
    expect((await second).value!.url).toBe(`${HOME}2`);
    expect((await reader.read()).done).toBe(true);
  });

  test("an error of a generator errors the stream, and ends all", async () => {
    const fault = new Error("no more paper");
    for (const seeds of [
      (function* () {
        yield HOME;
        throw fault;
      })(),
      (async function* () {
        yield HOME;
        throw fault;
      })(),
    ]) {
      const { crawl, web, clock } = fakeCrawl({}, { seeds, web: LEAVES });
      await expect(gather(crawl)).rejects.toBe(fault);
      expect((await crawl.finished).finishReason).toBe("failed");
      expect([web.inFlight, clock.sleeping]).toEqual([0, 0]);
    }
  });

  test("a bad seed in the midst of a generator errors the stream and names it", async () => {
    let closed = false;
    const seeds = (function* () {
      try {
        yield HOME;
        yield "not a url";
        yield `${HOME}2`;
      } finally {
        closed = true;
      }
    })();
    const { crawl } = fakeCrawl({}, { seeds, web: LEAVES });
    await expect(gather(crawl)).rejects.toThrow("received 'not a url'");
    expect((await crawl.finished).finishReason).toBe("failed");
    expect(closed).toBe(true);
  });

  test("an endless generator of one URL does not stop the world", async () => {
    let yielded = 0;
    const seeds = (function* () {
      for (;;) {
        // What follows would never be reached: the event loop gets no turn.
        if (++yielded > 100_000) throw new Error("The seeds are read without end");
        yield HOME;
      }
    })();
    const { crawl } = fakeCrawl({ [HOME]: "leaf" }, { seeds, maxPages: 1 });
    expect(told(await gather(crawl))).toEqual(["page / 200"]);
    expect((await crawl.finished).finishReason).toBe("max-pages");
  });
});
