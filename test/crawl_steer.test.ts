import { describe, expect, test } from "vitest";
import type { Page } from "../src/page.ts";
import { fakeCrawl, gather, HOME, linksTo, paths, settled, told } from "./support/fake_crawl.ts";

const LEAVES = { otherwise: "leaf" };
const PLAIN = { delayMs: 0, robots: false, web: LEAVES } as const;

describe("add()", () => {
  test("from the loop's body after the last page keeps the crawl alive", async () => {
    const { crawl } = fakeCrawl({}, PLAIN);
    const urls: string[] = [];
    for await (const { url } of crawl) {
      urls.push(url);
      if (urls.length < 4) expect(await crawl.add(`${HOME}${urls.length}`)).toBe(1);
    }
    expect(urls).toEqual([HOME, `${HOME}1`, `${HOME}2`, `${HOME}3`]);
    expect(await crawl.finished).toMatchObject({ finishReason: "done", accepted: 4, pages: 4 });
  });

  test.each(["host", "domain", "any"] as const)("needs not be waited for, scope %s", async (scope) => {
    const { crawl } = fakeCrawl({}, { ...PLAIN, scope });
    const added: Promise<number>[] = [];
    const urls: string[] = [];
    for await (const { url } of crawl) {
      urls.push(url);
      if (url === HOME) added.push(crawl.add("https://b.test/"));
    }
    expect(await Promise.all(added)).toEqual([1]);
    expect(urls).toEqual([HOME, "https://b.test/"]);
  });

  test("takes what crawl() takes, and says how many were new", async () => {
    const { crawl } = fakeCrawl({}, PLAIN);
    const counts: number[] = [];
    for await (const { url } of crawl) {
      if (url !== HOME) continue;
      counts.push(await crawl.add(new URL(`${HOME}1`)));
      counts.push(await crawl.add([`${HOME}1`, `${HOME}2`, { url: `${HOME}3`, tag: "t" }]));
      counts.push(await crawl.add(new Set([`${HOME}4`])));
      counts.push(
        await crawl.add(
          (async function* () {
            yield `${HOME}5`;
          })(),
        ),
      );
      counts.push(await crawl.add([]));
      counts.push(await crawl.add(HOME));
    }
    expect(counts).toEqual([1, 2, 1, 1, 0, 0]);
    expect((await crawl.finished).pages).toBe(6);
  });

  test("puts a new seed's host in scope", async () => {
    const { crawl, web } = fakeCrawl({ "https://b.test/": linksTo("/child") }, PLAIN);
    for await (const { url } of crawl) if (url === HOME) await crawl.add("https://b.test/");
    expect(web.urls()).toEqual([HOME, "https://b.test/", "https://b.test/child"]);
  });

  test("with a bad seed rejects, queues nothing, and leaves the crawl alone", async () => {
    const { crawl, web } = fakeCrawl({}, PLAIN);
    for await (const { url } of crawl) {
      if (url === HOME)
        await expect(crawl.add([`${HOME}1`, "not a url"])).rejects.toThrow("received 'not a url'");
    }
    expect(web.urls()).toEqual([HOME]);
    expect((await crawl.finished).finishReason).toBe("done");
  });

  test("after the end rejects", async () => {
    const { crawl, web } = fakeCrawl({}, PLAIN);
    await gather(crawl);
    await expect(crawl.add(`${HOME}1`)).rejects.toThrow(/the crawl is over/);
    expect(web.urls()).toEqual([HOME]);
  });

  test("before the first read queues, and starts nothing", async () => {
    const { crawl, web } = fakeCrawl({}, PLAIN);
    expect(await crawl.add(`${HOME}1`)).toBe(1);
    await settled();
    expect(web.log).toHaveLength(0);
    expect((await gather(crawl)).map(({ url }) => url).sort()).toEqual([HOME, `${HOME}1`]);
  });

  test("raises the chance of a crawl that had its pages: it stays over", async () => {
    const { crawl } = fakeCrawl({}, { ...PLAIN, maxPages: 1 });
    for await (const _ of crawl) await crawl.add(`${HOME}1`);
    expect(await crawl.finished).toMatchObject({ finishReason: "max-pages", pages: 1, queued: 1 });
  });
});

describe("retry()", () => {
  test("makes the same request again after so long, and its first links are not followed", async () => {
    const site = { [HOME]: (n: number) => (n === 1 ? linksTo("/busy") : linksTo("/real")) };
    const { crawl, web } = fakeCrawl(site, { ...PLAIN, seeds: { url: HOME, tag: "t", data: { a: 1 } } });
    const seen: string[] = [];
    for await (const page of crawl) {
      seen.push(page.url);
      if (seen.length === 1) crawl.retry(page as Page, { afterMs: 5_000 });
    }
    expect(web.urls()).toEqual([HOME, HOME, `${HOME}real`]);
    expect(web.log[1]!.atMs - web.log[0]!.endMs!).toBe(5_000);
    expect(seen).toEqual([HOME, HOME, `${HOME}real`]);
  });

  test("keeps tag, data and depth", async () => {
    const { crawl } = fakeCrawl({}, { ...PLAIN, seeds: { url: HOME, tag: "t", data: [1], depth: 2 } });
    const requests: Page["request"][] = [];
    for await (const page of crawl) {
      requests.push((page as Page).request);
      if (requests.length === 1) crawl.retry(page as Page);
    }
    expect(requests).toHaveLength(2);
    expect(requests[1]).toMatchObject({ url: HOME, tag: "t", data: [1], depth: 2, seed: true });
  });

  test("of a page that the reader is past comes again too", async () => {
    const { crawl, web, clock } = fakeCrawl({ [HOME]: linksTo("/1") }, PLAIN);
    let first: Page | undefined;
    let atMs = 0;
    for await (const page of crawl) {
      first ??= page as Page;
      if (page.url !== `${HOME}1`) continue;
      atMs = clock.now();
      crawl.retry(first, { afterMs: 700 });
    }
    expect(web.urls()).toEqual([HOME, `${HOME}1`, HOME]);
    expect(web.log[2]!.atMs - atMs).toBe(700);
  });

  test("of a page that the reader is past is on time although its host has another request in flight", async () => {
    const site = { [HOME]: linksTo("/1", "/slow"), [`${HOME}slow`]: { afterMs: 9_000 } };
    const { crawl, web, clock } = fakeCrawl(site, { ...PLAIN, hostConcurrency: 2 });
    let first: Page | undefined;
    let atMs = 0;
    for await (const page of crawl) {
      first ??= page as Page;
      if (page.url !== `${HOME}1`) continue;
      atMs = clock.now();
      crawl.retry(first, { afterMs: 500 });
    }
    expect(web.urls()).toEqual([HOME, `${HOME}1`, `${HOME}slow`, HOME]);
    expect(web.log[3]!.atMs - atMs).toBe(500);
  });

  test("counts as new, whether the reader still has the page or not", async () => {
    for (const isPast of [false, true]) {
      const { crawl, events } = fakeCrawl({ [HOME]: linksTo("/1") }, PLAIN);
      let first: Page | undefined;
      let retried = false;
      for await (const page of crawl) {
        first ??= page as Page;
        if (retried || (isPast && page === first)) continue;
        retried = true;
        crawl.retry(first);
      }
      expect(await crawl.finished).toMatchObject({ accepted: 3, pages: 3, retries: 1, queued: 0 });
      expect(events.filter(({ type }) => type === "retrying")).toHaveLength(1);
    }
  });

  test("as often as it is wanted ends when it is no more", async () => {
    const { crawl, web } = fakeCrawl({}, PLAIN);
    let read = 0;
    for await (const page of crawl) if (++read < 20) crawl.retry(page as Page);
    expect(web.log).toHaveLength(20);
    expect((await crawl.finished).finishReason).toBe("done");
  });

  test("right after the next read was asked for is not lost", async () => {
    const { crawl, web } = fakeCrawl({}, PLAIN);
    const reader = crawl.getReader();
    const { value } = await reader.read();
    await settled();
    const second = reader.read();
    crawl.retry(value as Page);
    expect((await second).value?.url).toBe(HOME);
    expect((await reader.read()).done).toBe(true);
    expect(web.log).toHaveLength(2);
  });

  test("of a page of a host that was given up comes to a skip", async () => {
    const site = { [HOME]: linksTo("/1"), [`${HOME}1`]: { status: 429, retryAfter: 86_400 } };
    const { crawl } = fakeCrawl(site, PLAIN);
    let first: Page | undefined;
    const results: string[] = [];
    for await (const result of crawl) {
      results.push(...told([result]));
      if (first === undefined) first = result as Page;
      else if (results.length === 2) crawl.retry(first);
    }
    expect(results).toEqual(["page / 200", "skip /1 retry-after", "skip / retry-after"]);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, "5" as never])(
    "refuses to wait for %s",
    async (afterMs) => {
      const { crawl } = fakeCrawl({}, PLAIN);
      for await (const page of crawl) {
        expect(() => crawl.retry(page as Page, { afterMs })).toThrow(/'afterMs' must be/);
      }
    },
  );
});

describe("hold()", () => {
  test("of a tag starts nothing of it until then, and delays nothing else", async () => {
    const seeds = [
      HOME,
      ...paths(3).map((path) => ({ url: `https://a.test${path}`, tag: "later" })),
      `${HOME}last`,
    ];
    const { crawl, web, clock } = fakeCrawl({}, { ...PLAIN, seeds });
    let untilMs = 0;
    for await (const { url } of crawl) {
      if (url !== HOME) continue;
      crawl.hold({ tag: "later" }, 60_000);
      untilMs = clock.now() + 60_000;
    }
    const late = web.log.filter(({ atMs }) => atMs >= untilMs).map(({ url }) => url);
    const early = web.log.filter(({ atMs }) => atMs < untilMs).map(({ url }) => url);
    // One may have been on its way when the hold came.
    expect(early).toEqual(expect.arrayContaining([HOME, `${HOME}last`]));
    expect(late.length).toBeGreaterThanOrEqual(2);
    expect(late).toEqual(
      paths(3)
        .map((path) => `https://a.test${path}`)
        .slice(-late.length),
    );
    expect(web.log).toHaveLength(5);
  });

  test("of a host pauses it and no other", async () => {
    const seeds = [1, 2, 3].flatMap((n) => [`https://a.test/${n}`, `https://b.test/${n}`]);
    const { crawl, web, clock } = fakeCrawl({}, { ...PLAIN, seeds, hostConcurrency: 1, concurrency: 2 });
    const startMs = clock.now();
    let startedBefore: number | undefined;
    for await (const _ of crawl) {
      if (startedBefore !== undefined) continue;
      // How many turns a page needs to its reader is the runtime's business, and another may have started meanwhile.
      startedBefore = web.log.length;
      crawl.hold({ host: "a.test" }, 60_000);
    }
    const times = (host: string) =>
      web.log
        .slice(startedBefore)
        .filter(({ url }) => url.startsWith(`https://${host}/`))
        .map(({ atMs }) => atMs - startMs);
    expect(times("b.test").every((ms) => ms < 1_000)).toBe(true);
    expect(times("a.test").length).toBeGreaterThan(0);
    expect(times("a.test").every((ms) => ms >= 60_000)).toBe(true);
  });

  test("of a host that is not yet known holds when it comes, and a shorter hold does not shorten it", async () => {
    const { crawl, web, clock } = fakeCrawl({}, { ...PLAIN, seeds: [HOME] });
    const startMs = clock.now();
    for await (const { url } of crawl) {
      if (url !== HOME) continue;
      crawl.hold({ host: "b.test" }, 60_000);
      crawl.hold({ host: "b.test" }, 10);
      await crawl.add("https://b.test/");
    }
    expect(web.log[1]!.atMs - startMs).toBeGreaterThanOrEqual(60_000);
  });

  test("of a host holds its robots.txt back too, though another host's redirect leads there", async () => {
    const site = {
      [HOME]: "leaf",
      "https://b.test/robots.txt": { status: 301, location: "https://www.b.test/robots.txt" },
      "https://www.b.test/robots.txt": "",
    };
    const { crawl, web, clock } = fakeCrawl(site, { delayMs: 0, web: LEAVES });
    const startMs = clock.now();
    for await (const { url } of crawl) {
      if (url !== HOME) continue;
      crawl.hold({ host: "www.b.test" }, 60_000);
      await crawl.add("https://b.test/");
    }
    const request = web.log.find(({ url }) => url === "https://www.b.test/robots.txt");
    expect(request!.atMs - startMs).toBeGreaterThanOrEqual(60_000);
  });

  test("shows among the paused hosts", async () => {
    const { crawl, clock } = fakeCrawl({}, PLAIN);
    for await (const _ of crawl) {
      crawl.hold({ host: "a.test" }, 5_000);
      await settled(2);
      expect(crawl.stats.pausedHosts).toEqual([
        { host: "a.test", untilMs: clock.now() + 5_000, why: "hold" },
      ]);
    }
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("refuses %s milliseconds", (ms) => {
    const { crawl } = fakeCrawl({});
    expect(() => crawl.hold({ host: "a.test" }, ms)).toThrow(/'ms' must be/);
  });

  test("refuses what names neither host nor tag", () => {
    const { crawl } = fakeCrawl({});
    for (const what of [{}, { host: 5 }, { tag: undefined }, "a.test", null]) {
      expect(() => crawl.hold(what as never, 1)).toThrow(TypeError);
      expect(() => crawl.drop(what as never)).toThrow(TypeError);
    }
  });
});

describe("drop()", () => {
  test("of a tag ends what is queued of it, each as one skip", async () => {
    const tagged = paths(5).map((path) => ({ url: `https://a.test${path}`, tag: "old" }));
    const { crawl, web } = fakeCrawl(
      {},
      { ...PLAIN, seeds: [HOME, ...tagged, `${HOME}last`], hostConcurrency: 1 },
    );
    const results: string[] = [];
    for await (const result of crawl) {
      if (results.length === 0) crawl.drop({ tag: "old" });
      results.push(...told([result]));
    }
    const dropped = results.filter((line) => line.endsWith("dropped"));
    // One may have been on its way when the order came.
    expect(dropped.length).toBeGreaterThanOrEqual(4);
    expect(results).toHaveLength(7);
    expect(new Set(results).size).toBe(7);
    expect(results).toContain("page /last 200");
    expect(web.log).toHaveLength(7 - dropped.length);
    const stats = await crawl.finished;
    expect(stats).toMatchObject({ accepted: 7, skips: dropped.length, queued: 0, inProgress: 0 });
  });

  test("of a host ends what waits for a pause of it, so that the crawl ends", async () => {
    const site = { [HOME]: linksTo(...paths(5)), [`${HOME}1`]: { status: 429, retryAfter: 3_000 } };
    const { crawl, clock } = fakeCrawl(site, {
      ...PLAIN,
      hostConcurrency: 1,
      seeds: [HOME, "https://b.test/"],
    });
    const startMs = clock.now();
    const results: string[] = [];
    const reader = crawl.getReader();
    for (let i = 0; i < 2; i++) results.push(...told([(await reader.read()).value!]));
    const next = reader.read();
    await clock.sleep(5_000);
    crawl.drop({ host: "a.test" });
    results.push(...told([(await next).value!]));
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      results.push(...told([value]));
    }
    expect(results.slice(2).sort()).toEqual(paths(5).map((path) => `skip ${path} dropped`));
    expect(clock.now() - startMs).toBeLessThan(10_000);
    expect((await crawl.finished).finishReason).toBe("done");
  });

  test("keeps what comes later", async () => {
    const { crawl, web } = fakeCrawl({}, PLAIN);
    for await (const { url } of crawl) {
      if (url !== HOME) continue;
      crawl.drop({ host: "a.test" });
      await settled(2);
      await crawl.add(`${HOME}1`);
    }
    expect(web.urls()).toEqual([HOME, `${HOME}1`]);
  });
});

describe("steering", () => {
  test("after the end changes nothing", async () => {
    const { crawl, events, web } = fakeCrawl({}, PLAIN);
    const [page] = (await gather(crawl)) as Page[];
    const stats = await crawl.finished;
    const told = events.length;
    crawl.retry(page!);
    crawl.hold({ host: "a.test" }, 1_000);
    crawl.drop({ host: "a.test" });
    await settled();
    expect(events.length).toBe(told);
    expect(crawl.stats).toEqual(stats);
    expect(web.log).toHaveLength(1);
  });
});
