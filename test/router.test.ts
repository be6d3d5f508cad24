import { describe, expect, test } from "vitest";
import { crawl, type Page, type Routes, router } from "../mod.ts";
import { FakeClock } from "../src/testing/fake_clock.ts";
import { type FakePage, fakeWeb } from "../src/testing/fake_web.ts";
import { linksTo, paths, settled } from "./support/fake_crawl.ts";

const HOME = "https://a.test/";

/** A crawl of the home page and what it links to, as pages, without any waiting between them. */
function fakeSite(pages: Record<string, FakePage>, options: Parameters<typeof crawl>[1] = {}) {
  const clock = new FakeClock();
  const web = fakeWeb(pages, { clock, afterMs: 0, otherwise: "" });
  const started = crawl(HOME, {
    fetch: web.fetch,
    clock,
    random: () => 0.5,
    robots: false,
    delayMs: 0,
    hostConcurrency: 8,
    ...options,
  });
  return { crawl: started, web, clock };
}

/** Work that is at hand until it is ended, by the path of its page. */
function worksite() {
  const open = new Map<string, { end: () => void; fail: (error: unknown) => void }>();
  const begun: string[] = [];
  return {
    begun,
    open,
    handle: (page: Page): Promise<void> =>
      new Promise((resolve, reject) => {
        const path = new URL(page.url).pathname;
        begun.push(path);
        const leave = (settle: () => void) => () => {
          open.delete(path);
          settle();
        };
        open.set(path, { end: leave(resolve), fail: (error) => leave(() => reject(error))() });
      }),
  };
}

describe("router()", () => {
  test("hands a page to the first route whose conditions all hold, and to no other", async () => {
    const got: string[] = [];
    const take =
      (name: string) =>
      ({ url }: Page): void =>
        void got.push(`${name} ${url.slice(HOME.length - 1)}`);
    const pages: Record<string, FakePage> = {
      [HOME]: linksTo("/item/1", "/item/1.pdf", "/feed", "/about", "/logo"),
      [`${HOME}item/1.pdf`]: { body: "%PDF-", type: "application/pdf" },
      [`${HOME}feed`]: { body: "<rss/>", type: "Application/RSS+XML; charset=utf-8" },
      [`${HOME}logo`]: { body: "GIF", type: "image/gif" },
    };
    await fakeSite(pages, { contentTypes: "any" }).crawl.pipeTo(
      router({
        routes: [
          { url: "*/item/*", type: "application/pdf", handle: take("manual") },
          { url: [/\/item\//g], handle: take("item") },
          { type: ["application/rss+xml", "Image/*"], handle: take("media") },
          { url: HOME, handle: take("home") },
        ],
        fallback: take("rest"),
      }),
    );
    expect(got.sort()).toEqual([
      "home /",
      "item /item/1",
      "manual /item/1.pdf",
      "media /feed",
      "media /logo",
      "rest /about",
    ]);
  });

  test("routes by the tag of the seed", async () => {
    const clock = new FakeClock();
    const web = fakeWeb({}, { clock, otherwise: "" });
    const got: string[] = [];
    const seeds = [{ url: `${HOME}a`, tag: "news" }, { url: `${HOME}b`, tag: "shop" }, { url: `${HOME}c` }];
    await crawl(seeds, { fetch: web.fetch, clock, robots: false }).pipeTo(
      router({
        routes: [{ tag: ["shop", "news"], handle: ({ url, request }) => got.push(`${request.tag} ${url}`) }],
        fallback: ({ url }) => got.push(`none ${url}`),
      }),
    );
    expect(got).toEqual([`news ${HOME}a`, `shop ${HOME}b`, `none ${HOME}c`]);
  });

  test("passes over pages that fit no route where there is no fallback", async () => {
    const got: string[] = [];
    const site = fakeSite({ [HOME]: linksTo("/a", "/b") });
    await site.crawl.pipeTo(router({ routes: [{ url: "*/b", handle: ({ url }) => got.push(url) }] }));
    expect(got).toEqual([`${HOME}b`]);
    expect(await site.crawl.finished).toMatchObject({ pages: 3, finishReason: "done" });
  });

  test("runs handlers side by side up to the bound, and reads on when one has ended", async () => {
    const site = fakeSite({ [HOME]: linksTo(...paths(30)) });
    const work = worksite();
    const routes: Routes = { routes: [], fallback: work.handle, concurrency: 3 };
    const piped = site.crawl.pipeTo(router(routes));
    let most = 0;
    let ended = 0;
    while (ended < 31) {
      await settled();
      most = Math.max(most, work.open.size);
      expect(work.open.size).toBeLessThanOrEqual(3);
      // The newest one first: a handler that takes its time holds up its place alone.
      const [, newest] = [...work.open].at(-1)!;
      newest.end();
      ended++;
    }
    await piped;
    expect(most).toBe(3);
    expect(new Set(work.begun).size).toBe(31);
  });

  test("does not read on while all places are taken, so that the crawl stops too", async () => {
    const site = fakeSite({ [HOME]: linksTo(...paths(100)) }, { concurrency: 4 });
    const work = worksite();
    const piped = site.crawl.pipeTo(router({ routes: [], fallback: work.handle, concurrency: 2 }));
    for (let i = 0; i < 2; i++) {
      await settled();
      work.open.get(work.begun[i]!)!.end();
    }
    await site.clock.sleep(3_600_000);
    // Two with handlers, two handled, and four that wait unread.
    expect(work.begun).toHaveLength(4);
    expect(site.web.log).toHaveLength(8);
    await site.crawl.stop();
    for (const { end } of [...work.open.values()]) end();
    while (work.begun.length < 8) {
      await settled();
      for (const { end } of [...work.open.values()]) end();
    }
    await piped;
  });

  test("with a concurrency of 1 acknowledges no page before its handler has ended", async () => {
    const site = fakeSite({ [HOME]: linksTo("/a") });
    const work = worksite();
    const piped = site.crawl.pipeTo(router({ routes: [], fallback: work.handle, concurrency: 1 }));
    await settled();
    expect(work.begun).toEqual(["/"]);
    await site.clock.sleep(60_000);
    // The home page's link comes in when the page is done with.
    expect(site.crawl.stats).toMatchObject({ accepted: 1, inProgress: 1 });
    work.open.get("/")!.end();
    await settled();
    expect(work.begun).toEqual(["/", "/a"]);
    work.open.get("/a")!.end();
    await piped;
  });

  test("closes when the last handler has ended, and not before", async () => {
    const site = fakeSite({ [HOME]: "" });
    const work = worksite();
    let isOver = false;
    const piped = site.crawl
      .pipeTo(router({ routes: [], fallback: work.handle }))
      .then(() => (isOver = true));
    expect((await site.crawl.finished).finishReason).toBe("done");
    await settled();
    expect(isOver).toBe(false);
    work.open.get("/")!.end();
    await piped;
  });

  /** Whether a pipe tells with what its sink errors between two writes. That of workerd does not. */
  function pipesTell(): Promise<boolean> {
    const source = new ReadableStream({ pull: (controller) => controller.enqueue(0) }, { highWaterMark: 0 });
    const sink = new WritableStream({ write: (_, controller) => controller.error(new Error("full")) });
    return source.pipeTo(sink).then(
      () => false,
      () => true,
    );
  }

  const faults: [string, (page: Page) => unknown][] = [
    ["throws", () => raise(new RangeError("disk full"))],
    ["rejects", async () => raise(new RangeError("disk full"))],
  ];
  test.each(faults)("ends the crawl with the page named when a handler %s", async (how, handle) => {
    const site = fakeSite({ [HOME]: linksTo(...paths(50)) });
    const piped = site.crawl.pipeTo(router({ routes: [{ url: `${HOME}3`, handle }], concurrency: 4 }));
    if (how === "throws" || (await pipesTell())) {
      await expect(piped).rejects.toThrow("Cannot handle 'https://a.test/3': disk full");
      await expect(piped).rejects.toMatchObject({ cause: expect.any(RangeError) });
    }
    expect((await site.crawl.finished).finishReason).toBe("cancelled");
    const { length } = site.web.log;
    await site.clock.sleep(3_600_000);
    expect(site.web.log).toHaveLength(length);
    expect(site.web.inFlight).toBe(0);
  });

  test("names the page whose handler failed last of all, when the crawl has ended already", async () => {
    const site = fakeSite({ [HOME]: "" });
    const work = worksite();
    const piped = site.crawl.pipeTo(router({ routes: [], fallback: work.handle }));
    const failed = expect(piped).rejects.toThrow("Cannot handle 'https://a.test/': too late");
    await site.crawl.finished;
    await settled();
    work.open.get("/")!.fail("too late");
    await failed;
  });

  test("tells the first of several faults, also while it waits for a place", async () => {
    const site = fakeSite({ [HOME]: linksTo(...paths(9)) });
    const work = worksite();
    const piped = site.crawl.pipeTo(router({ routes: [], fallback: work.handle, concurrency: 3 }));
    const failed = expect(piped).rejects.toThrow(/^Cannot handle '.*': first$/);
    while (work.open.size < 3) {
      await settled();
      if (work.begun.length === 1) work.open.get("/")?.end();
    }
    const [one, two, three] = [...work.open.values()];
    two!.fail(new Error("first"));
    await settled();
    one!.fail(new Error("second"));
    three!.end();
    await failed;
  });

  test("waits for handlers at work when the crawl is aborted", async () => {
    const controller = new AbortController();
    const site = fakeSite({ [HOME]: "" }, { signal: controller.signal });
    const work = worksite();
    let isSettled = false;
    const piped = site.crawl
      .pipeTo(router({ routes: [], fallback: work.handle, concurrency: 1 }))
      .finally(() => (isSettled = true));
    const aborted = expect(piped).rejects.toThrow("enough");
    await settled();
    controller.abort(new Error("enough"));
    await settled();
    expect(isSettled).toBe(false);
    work.open.get("/")!.end();
    await aborted;
  });

  test.each<[string, unknown, typeof TypeError | typeof RangeError]>([
    ["there is no option 'route': did you mean 'routes'?", { route: [] }, TypeError],
    ["'routes' must be a list of routes: received undefined", {}, TypeError],
    ["'routes[1]' must be a route: received null", { routes: [route({}), null] }, TypeError],
    [
      "there is no option 'routes[0].uri': did you mean 'routes[0].url'?",
      { routes: [route({ uri: "" })] },
      TypeError,
    ],
    ["'routes[0].handle' must be a function: received undefined", { routes: [{ url: "*" }] }, TypeError],
    [
      "'routes[0]' must have a 'url', 'tag' or 'type': what takes all the rest is 'fallback'",
      { routes: [{ handle() {} }] },
      TypeError,
    ],
    [
      "'routes[2].url' must be glob texts or regular expressions: received 5",
      { routes: [route({}), route({}), route({ url: ["*", 5] })] },
      TypeError,
    ],
    [
      "'routes[0].url' must be glob texts or regular expressions, at least one",
      { routes: [route({ url: [] })] },
      TypeError,
    ],
    ["'routes[0].tag' must be texts: received true", { routes: [route({ tag: true })] }, TypeError],
    [
      `'routes[0].type' must be media types such as "text/html" or "image/*": received "html"`,
      { routes: [route({ type: "html" })] },
      TypeError,
    ],
    ["'fallback' must be a function: received \"f\"", { routes: [], fallback: "f" }, TypeError],
    [
      "'concurrency' must be a whole number of at least 1: received 0",
      { routes: [], concurrency: 0 },
      RangeError,
    ],
    ["the options must be an object: received undefined", undefined, TypeError],
  ])("throws at once where %s", (message, routes, kind) => {
    const make = () => router(routes as Routes);
    expect(make).toThrow(kind);
    expect(make).toThrow(`Cannot crawl as ${message}`);
  });
});

function route(parts: object): object {
  return { url: "*", handle() {}, ...parts };
}

function raise(error: Error): never {
  throw error;
}
