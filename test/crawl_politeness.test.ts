import { describe, expect, test } from "vitest";
import { fakeCrawl, gather, HOME, linksTo, paths, told } from "./support/fake_crawl.ts";

const LEAVES = { otherwise: "leaf" };
const QUICK = { delayMs: 0, robots: false } as const;
const FIVE = { [HOME]: linksTo(...paths(4)) };

/** Milliseconds between the starts of requests. */
function gaps(log: readonly { atMs: number }[]): number[] {
  return log.slice(1).map(({ atMs }, i) => atMs - log[i]!.atMs);
}

describe("crawl() and a host's pace", () => {
  test("s-18: leaves delayMs between two starts, robots.txt included, however many may be in flight", async () => {
    const { crawl, web } = fakeCrawl(FIVE, {
      delayMs: 200,
      hostConcurrency: 10,
      concurrency: 10,
      web: LEAVES,
    });
    await gather(crawl);
    expect(web.log).toHaveLength(6);
    // The robots.txt, the first page, and from there on exactly as fast as allowed.
    expect(gaps(web.log)).toEqual([200, 200, 200, 200, 200]);
  });

  test("waits 250 ms by default, and keeps one request in flight at first", async () => {
    const { crawl, web } = fakeCrawl(FIVE, { web: LEAVES });
    await gather(crawl);
    expect(Math.min(...gaps(web.log))).toBe(250);
  });

  test("honours a crawl-delay, in fractions of a second too, over delayMs", async () => {
    const site = { ...FIVE, [`${HOME}robots.txt`]: "User-agent: *\nCrawl-delay: 2.5" };
    const { crawl, web } = fakeCrawl(site, { web: LEAVES, hostConcurrency: 4 });
    await gather(crawl);
    expect(gaps(web.log)).toEqual([2_500, 2_500, 2_500, 2_500, 2_500]);
  });

  test("of the crawl-delays of http and https of one host keeps the longer", async () => {
    const site = {
      "http://a.test/robots.txt": "User-agent: *\nCrawl-delay: 4",
      "https://a.test/robots.txt": "User-agent: *\nCrawl-delay: 1",
    };
    const seeds = ["http://a.test/1", "https://a.test/1", "http://a.test/2", "https://a.test/2"];
    const { crawl, web } = fakeCrawl(site, { seeds, web: LEAVES });
    await gather(crawl);
    expect(web.log).toHaveLength(6);
    expect(
      gaps(web.log)
        .slice(-3)
        .every((ms) => ms >= 4_000),
    ).toBe(true);
  });

  test("keeps a crawl-delay that came while its host was out of hand", async () => {
    const site = {
      [`${HOME}robots.txt`]: { status: 301, location: "https://b.test/robots.txt" },
      "https://b.test/robots.txt": { body: "User-agent: *\nCrawl-delay: 5", afterMs: 5_000 },
    };
    let goOn = (): void => {};
    const seeds = (async function* () {
      yield HOME;
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      for (const path of paths(3)) yield `https://a.test${path}`;
    })();
    const { crawl, web, clock } = fakeCrawl(site, { seeds, results: "pages", web: LEAVES });
    const gathered = gather(crawl);
    await clock.sleep(1_000);
    // Nothing of a.test is left to do, while its robots.txt is still on its way from b.test.
    crawl.drop({ host: "a.test" });
    await clock.sleep(10_000);
    goOn();
    await gathered;
    const own = web.urls().filter((url) => url.startsWith(HOME));
    expect(own).toHaveLength(3);
    expect(gaps(web.log.filter(({ url }) => own.includes(url)))).toEqual([5_000, 5_000]);
  });

  test("skips a host whose crawl-delay is beyond maxCrawlDelayMs, and says which it was", async () => {
    const site = { ...FIVE, [`${HOME}robots.txt`]: "User-agent: *\nCrawl-delay: 301" };
    const { crawl, web } = fakeCrawl(site, { web: LEAVES });
    const [skip] = await gather(crawl);
    expect(skip).toMatchObject({ type: "skip", reason: "robots", detail: expect.stringContaining("301 s") });
    expect(web.urls()).toEqual([]);
  });

  test("paces what `hostKey` puts together as one host", async () => {
    const seeds = ["https://1.a.test/", "https://2.a.test/", "https://3.a.test/"];
    const { crawl, web, events } = fakeCrawl(
      {},
      { seeds, robots: false, delayMs: 500, hostKey: () => "one", web: LEAVES },
    );
    await gather(crawl);
    expect(gaps(web.log)).toEqual([500, 500]);
    expect(new Set(events.flatMap((event) => (event.type === "started" ? [event.host] : [])))).toEqual(
      new Set(["one"]),
    );
    expect((await crawl.finished).hosts).toBe(1);
  });

  test("paces http and https of one name together, and ports apart", async () => {
    const seeds = ["http://a.test/", "https://a.test/", "https://a.test:8443/"];
    const { crawl, web, clock } = fakeCrawl({}, { seeds, robots: false, delayMs: 500, web: LEAVES });
    const startMs = clock.now();
    await gather(crawl);
    const at = Object.fromEntries(web.log.map(({ url, atMs }) => [url, atMs - startMs]));
    expect(at).toEqual({ "http://a.test/": 0, "https://a.test:8443/": 0, "https://a.test/": 500 });
  });
});

describe("crawl() and hosts that refuse", () => {
  test.each([
    ["seconds", 7, 7_000],
    ["a date", "Mon, 30 Nov 2026 00:00:30 GMT", undefined],
  ])(
    "s-17: waits as long as Retry-After asks, in %s, for every request of the host",
    async (_, retryAfter, ms) => {
      const site = { [`${HOME}1`]: (n: number) => (n === 1 ? { status: 429, retryAfter } : "leaf") };
      const { crawl, web } = fakeCrawl(site, { ...QUICK, seeds: [`${HOME}1`, `${HOME}2`], web: LEAVES });
      expect(told(await gather(crawl)).sort()).toEqual(["page /1 200", "page /2 200"]);
      expect(web.log).toHaveLength(3);
      const [first, second] = web.log;
      if (ms !== undefined) expect(second!.atMs - first!.endMs!).toBe(ms);
      else expect(second!.atMs).toBe(Date.UTC(2026, 10, 30, 0, 0, 30));
    },
  );

  test.each(["soon", "Wed, 21 Oct 2015 07:28:00 GMT", "-5", "1.5"])(
    "s-17: falls back to its own wait where Retry-After says %s",
    async (retryAfter) => {
      const site = { [HOME]: (n: number) => (n === 1 ? { status: 503, retryAfter } : "leaf") };
      const { crawl, web } = fakeCrawl(site, { robots: false, delayMs: 0 });
      await gather(crawl);
      const waitMs = web.log[1]!.atMs - web.log[0]!.endMs!;
      // Half a second at most, and its jitter by the middle of chance; the gap after a refusal is a second.
      expect(waitMs).toBeGreaterThanOrEqual(375);
      expect(waitMs).toBeLessThanOrEqual(1_000);
    },
  );

  test("s-17: waits for no Retry-After beyond maxRetryAfterMs, but skips the host's queue", async () => {
    const site = { ...FIVE, [`${HOME}1`]: { status: 429, retryAfter: 86_400 } };
    const { crawl, web, clock } = fakeCrawl(site, { ...QUICK, hostConcurrency: 1, web: LEAVES });
    const startMs = clock.now();
    const results = await gather(crawl);
    expect(told(results).sort()).toEqual([
      "page / 200",
      "skip /1 retry-after",
      "skip /2 retry-after",
      "skip /3 retry-after",
      "skip /4 retry-after",
    ]);
    const refused = results.find(({ url }) => url === `${HOME}1`);
    expect(refused).toMatchObject({ status: 429, detail: "a.test asked for 86400 s of rest" });
    expect(web.urls()).toEqual([HOME, `${HOME}1`]);
    expect(clock.now() - startMs).toBeLessThan(10_000);
  });

  test("asks a host again after its long rest, where others keep the crawl going", async () => {
    const site = {
      [HOME]: { status: 429, retryAfter: 10 },
      "https://slow.test/": { body: "leaf", afterMs: 9_000 },
    };
    const options = { ...QUICK, seeds: [HOME, "https://slow.test/"], maxRetryAfterMs: 1_000, web: LEAVES };
    const { crawl } = fakeCrawl(site, options);
    const results: string[] = [];
    for await (const result of crawl) {
      results.push(...told([result]));
      if (result.url === "https://slow.test/") {
        crawl.hold({ host: "slow.test" }, 5_000);
        await crawl.add(["https://slow.test/2"]);
      }
      if (result.url === "https://slow.test/2") await crawl.add([`${HOME}1`]);
    }
    expect(results).toEqual([
      "skip / retry-after",
      "page https://slow.test/ 200",
      "page https://slow.test/2 200",
      "page /1 200",
    ]);
  });

  test("a long Retry-After on robots.txt skips the host's queue at once too", async () => {
    const site = { [`${HOME}robots.txt`]: { status: 429, retryAfter: 86_400 } };
    const { crawl, web, clock } = fakeCrawl(site, { seeds: [HOME, `${HOME}1`], web: LEAVES });
    const startMs = clock.now();
    expect(told(await gather(crawl)).sort()).toEqual(["skip / retry-after", "skip /1 retry-after"]);
    expect(web.log).toHaveLength(1);
    expect(clock.now() - startMs).toBeLessThan(10_000);
  });

  test("a long Retry-After on another host's robots.txt, by redirect, makes nobody wait for it", async () => {
    const site = {
      [`${HOME}robots.txt`]: { status: 301, location: "https://b.test/robots.txt" },
      "https://b.test/robots.txt": { status: 503, retryAfter: 86_400 },
    };
    const { crawl, clock } = fakeCrawl(site, { web: LEAVES });
    const startMs = clock.now();
    expect(told(await gather(crawl))).toEqual(["skip / robots-unreachable"]);
    expect(clock.now() - startMs).toBeLessThan(60_000);
  });

  test("a long Retry-After on a redirect skips what it leads to on that host", async () => {
    const site = { [HOME]: { status: 302, location: "/b", retryAfter: 86_400 } };
    const { crawl, web, clock } = fakeCrawl(site, { ...QUICK, web: LEAVES });
    const startMs = clock.now();
    expect(told(await gather(crawl))).toEqual(["skip /b retry-after"]);
    expect(web.log).toHaveLength(1);
    expect(clock.now() - startMs).toBeLessThan(10_000);
  });

  test("one in flight that fails as its host is given up is skipped for the host's reason", async () => {
    const site = {
      [`${HOME}1`]: { status: 429, retryAfter: 86_400, afterMs: 100 },
      [`${HOME}2`]: { status: 503, afterMs: 200 },
    };
    const { crawl } = fakeCrawl(site, { ...QUICK, hostConcurrency: 2, seeds: [`${HOME}1`, `${HOME}2`] });
    const results = await gather(crawl);
    expect(told(results)).toEqual(["skip /1 retry-after", "skip /2 retry-after"]);
  });

  test.each([408, 429, 500, 502, 503, 504, 599])(
    "tries %i again, twice, and then it is the page",
    async (status) => {
      const { crawl, web, events } = fakeCrawl({ [HOME]: { status } }, QUICK);
      const [page] = await gather(crawl);
      expect(page).toMatchObject({ type: "page", status, ok: false });
      expect(web.log).toHaveLength(3);
      expect(events.filter(({ type }) => type === "retrying")).toHaveLength(2);
      expect(await crawl.finished).toMatchObject({
        accepted: 1,
        pages: 1,
        retries: 2,
        statuses: { [status]: 3 },
      });
    },
  );

  test.each([400, 401, 403, 404, 410, 418, 451])("takes %i as it is", async (status) => {
    const { crawl, web } = fakeCrawl({ [HOME]: { status, body: linksTo("/1") } }, QUICK);
    expect(told(await gather(crawl))).toEqual([`page / ${status}`]);
    expect(web.log).toHaveLength(1);
  });

  test.each([
    ["ENOTFOUND", "dns", 3],
    ["ECONNREFUSED", "connect", 3],
    ["ECONNRESET", "reset", 3],
    ["never", "timeout", 3],
  ] as const)("tries a fault %s again, and then it is the failure %s", async (fault, reason, attempts) => {
    const { crawl, web } = fakeCrawl({ [HOME]: { fault } }, QUICK);
    const [failure] = await gather(crawl);
    expect(failure).toMatchObject({ type: "failure", reason, attempts, url: HOME });
    expect((failure as { cause: unknown }).cause).toBeInstanceOf(Error);
    expect(web.log).toHaveLength(attempts);
  });

  test("retries: { max: 0 } asks once, whatever the answer", async () => {
    const site = {
      [HOME]: { status: 429, retryAfter: 1 },
      [`${HOME}1`]: { status: 503 },
      [`${HOME}2`]: { fault: "ECONNRESET" },
    } as const;
    const seeds = [HOME, `${HOME}1`, `${HOME}2`];
    const { crawl, web } = fakeCrawl(site, { ...QUICK, seeds, retries: { max: 0 } });
    expect(told(await gather(crawl)).sort()).toEqual(["failure /2 reset", "page / 429", "page /1 503"]);
    expect(web.log).toHaveLength(3);
  });

  test("a kept connection that broke is tried again at once, and once", async () => {
    const site = { [`${HOME}1`]: (n: number) => (n === 1 ? { fault: "ECONNRESET" as const } : "leaf") };
    const { crawl, web } = fakeCrawl({ ...FIVE, ...site }, { ...QUICK, hostConcurrency: 1, web: LEAVES });
    await gather(crawl);
    expect(web.urls().slice(0, 3)).toEqual([HOME, `${HOME}1`, `${HOME}1`]);
    expect(web.log[2]!.atMs).toBe(web.log[1]!.endMs);
    expect(await crawl.finished).toMatchObject({ pages: 5, failures: 0 });
  });

  test("waits longer with each attempt, and never over maxMs", async () => {
    const { crawl, web } = fakeCrawl(
      { [HOME]: { fault: "ENOTFOUND" } },
      { ...QUICK, retries: { max: 5, baseMs: 1_000, maxMs: 3_000 } },
    );
    await gather(crawl);
    const waits = web.log.slice(1).map(({ atMs }, i) => atMs - web.log[i]!.endMs!);
    expect(waits).toEqual([750, 1_500, 2_250, 2_250, 2_250]);
  });

  test("gives a host up after maxHostFailures in a row, and skips its queue", async () => {
    const seeds = paths(30).map((path) => `https://a.test${path}`);
    const options = {
      ...QUICK,
      seeds,
      maxHostFailures: 5,
      web: { otherwise: { fault: "ECONNREFUSED" } as const },
    };
    const { crawl, web } = fakeCrawl({}, options);
    const results = told(await gather(crawl));
    expect(results).toHaveLength(30);
    expect(web.log).toHaveLength(5);
    expect(results.every((line) => line.endsWith("host-unavailable"))).toBe(true);
    expect(await crawl.finished).toMatchObject({
      finishReason: "done",
      queued: 0,
      skipsByReason: { "host-unavailable": 30 },
    });
  });

  test("a success between failures keeps the host", async () => {
    const site = Object.fromEntries(
      paths(30).map((path, i) => [
        `https://a.test${path}`,
        i % 3 === 2 ? "leaf" : ({ fault: "ENOTFOUND" } as const),
      ]),
    );
    const options = {
      ...QUICK,
      seeds: Object.keys(site),
      hostConcurrency: 1,
      retries: { max: 0 },
      maxHostFailures: 3,
    };
    const { crawl } = fakeCrawl(site, options);
    await gather(crawl);
    expect(await crawl.finished).toMatchObject({ pages: 10, failures: 20, skips: 0 });
  });
});

describe("crawl() and robots.txt", () => {
  test("is asked for once an origin, before anything else, by http and https each", async () => {
    const seeds = ["https://a.test/1", "https://a.test/2", "http://a.test/1", "https://b.test:8080/1"];
    const { crawl, web } = fakeCrawl({}, { seeds, web: LEAVES });
    await gather(crawl);
    for (const origin of ["https://a.test", "http://a.test", "https://b.test:8080"]) {
      const own = web.log.filter(({ url }) => url.startsWith(`${origin}/`)).map(({ url }) => url);
      expect(own[0]).toBe(`${origin}/robots.txt`);
      expect(own.filter((url) => url.endsWith("robots.txt"))).toHaveLength(1);
    }
  });

  test("is fetched once however many wait for it", async () => {
    const site = { [`${HOME}robots.txt`]: { body: "User-agent: *\nDisallow: /2", afterMs: 5_000 } };
    const seeds = paths(20).map((path) => `https://a.test${path}`);
    const { crawl, web } = fakeCrawl(site, { seeds, delayMs: 0, hostConcurrency: 8, web: LEAVES });
    const results = await gather(crawl);
    expect(web.log.filter(({ url }) => url.endsWith("robots.txt"))).toHaveLength(1);
    expect(told(results).filter((line) => line.endsWith(" robots"))).toHaveLength(2);
  });

  test("that is unreachable is asked for again, and then its origin is skipped, and no other", async () => {
    const site = { [`${HOME}robots.txt`]: { status: 503 } };
    const { crawl, web } = fakeCrawl(site, { seeds: [HOME, `${HOME}1`, "https://b.test/"], web: LEAVES });
    expect(told(await gather(crawl)).sort()).toEqual([
      "page https://b.test/ 200",
      "skip / robots-unreachable",
      "skip /1 robots-unreachable",
    ]);
    expect(web.log.filter(({ url }) => url === `${HOME}robots.txt`)).toHaveLength(4);
  });

  test("robots: false asks for none, and for nothing to be allowed", async () => {
    const site = { [`${HOME}robots.txt`]: "User-agent: *\nDisallow: /", [HOME]: "leaf" };
    const { crawl, web } = fakeCrawl(site, { robots: false });
    expect(told(await gather(crawl))).toEqual(["page / 200"]);
    expect(web.log).toHaveLength(1);
  });

  test("is read for our own product token", async () => {
    const file = "User-agent: otter\nDisallow: /den\n\nUser-agent: *\nDisallow: /";
    const site = { [`${HOME}robots.txt`]: file, [HOME]: linksTo("/den", "/pond") };
    const otter = fakeCrawl(site, { userAgent: "Otter/2.0 (+https://example.com/bot)", web: LEAVES });
    expect(told(await gather(otter.crawl)).sort()).toEqual([
      "page / 200",
      "page /pond 200",
      "skip /den robots",
    ]);
    expect(otter.web.log.every(({ headers }) => headers.get("user-agent")!.startsWith("Otter/2.0"))).toBe(
      true,
    );
    const lynx = fakeCrawl(site, { userAgent: "lynx/1", web: LEAVES });
    expect(told(await gather(lynx.crawl))).toEqual(["skip / robots"]);
  });

  test("robots.fetch asks for it in place of the crawl's own", async () => {
    const asked: string[] = [];
    const fetch = async (input: string | URL | Request): Promise<Response> => {
      asked.push(String(input));
      return new Response("User-agent: *\nDisallow: /1");
    };
    const { crawl, web } = fakeCrawl({ [HOME]: linksTo("/1", "/2") }, { robots: { fetch }, web: LEAVES });
    expect(told(await gather(crawl)).sort()).toEqual(["page / 200", "page /2 200", "skip /1 robots"]);
    expect(asked).toEqual([`${HOME}robots.txt`]);
    expect(web.log.some(({ url }) => url.endsWith("robots.txt"))).toBe(false);
  });
});
