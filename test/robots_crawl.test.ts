import { describe, expect, test } from "vitest";
import type { CrawlEvent } from "../src/event.ts";
import { FakeClock } from "../src/testing/fake_clock.ts";
import { type FakeAnswer, type FakePage, fakeWeb } from "../src/testing/fake_web.ts";
import {
  type FakeCrawl,
  type FakeCrawlOptions,
  fakeCrawl,
  gather,
  HOME,
  linksTo,
  paths,
  told,
} from "./support/fake_crawl.ts";

const ROBOTS = `${HOME}robots.txt`;
const START_MS = Date.UTC(2026, 10, 30);
const HOUR_MS = 3_600_000;
const QUICK: FakeCrawlOptions = { delayMs: 0, hostConcurrency: 4, random: () => 0 };

/** A crawl of a few pages of a host whose robots.txt answers so. */
async function crawlWith(robots: FakePage, options: FakeCrawlOptions = {}) {
  const seeds = paths(3).map((path) => HOME + path.slice(1));
  const fake = fakeCrawl({ [ROBOTS]: robots }, { ...QUICK, seeds, web: { otherwise: "" }, ...options });
  const results = await gather(fake.crawl);
  return { ...fake, results, stats: await fake.crawl.finished };
}

function robotsStarts({ web }: Pick<FakeCrawl, "web">): [string, number][] {
  return web.log
    .filter(({ url }) => url.includes("robots"))
    .map(({ url, atMs }) => [url, atMs - START_MS] as [string, number]);
}

function robotsEvents(events: readonly CrawlEvent[]): Extract<CrawlEvent, { type: "robots" }>[] {
  return events.filter((event) => event.type === "robots");
}

describe("robots.txt of a crawl", () => {
  test("is fetched once, before all else, however many wait for it", async () => {
    const { web, events, stats } = await crawlWith("User-agent: *\nDisallow: /2");
    expect(robotsStarts({ web })).toEqual([[ROBOTS, 0]]);
    expect(web.log.map(({ url }) => url)).toEqual([ROBOTS, `${HOME}1`, `${HOME}3`]);
    expect(web.log[1]!.atMs).toBe(web.log[0]!.endMs);
    expect(robotsEvents(events)).toEqual([
      { type: "robots", atMs: START_MS + 10, origin: "https://a.test", policy: "rules", status: 200 },
    ]);
    expect(stats).toMatchObject({ robotsRequests: 1, requests: 2, skipsByReason: { robots: 1 } });
  });

  test("is that of each origin: scheme, host and port", async () => {
    const seeds = ["https://a.test/1", "http://a.test/1", "https://a.test:8443/1", "https://b.a.test/1"];
    const { web, results } = await crawlWith("User-agent: *\nDisallow: /", { seeds });
    expect(
      robotsStarts({ web })
        .map(([url]) => url)
        .sort(),
    ).toEqual([
      "http://a.test/robots.txt",
      "https://a.test/robots.txt",
      "https://a.test:8443/robots.txt",
      "https://b.a.test/robots.txt",
    ]);
    expect(told(results).filter((line) => line.startsWith("page"))).toHaveLength(3);
    expect(told(results)).toContain("skip /1 robots");
  });

  test("is matched by the product token of userAgent, and s-11: a byte order mark changes nothing", async () => {
    const file =
      "User-agent: *\nAllow: /\n\nUser-agent: BulkBot\nDisallow: /\n\nUser-agent: otter\nDisallow: /2\n";
    for (const body of [file, `\uFEFF${file}`]) {
      const otter = await crawlWith(body, { userAgent: "otter/2.0 (+https://otter.test/)" });
      expect(told(otter.results).sort()).toEqual(["page /1 200", "page /3 200", "skip /2 robots"]);
      const lynx = await crawlWith(body, { userAgent: "lynx/1" });
      expect(lynx.stats.pages).toBe(3);
      const bulk = await crawlWith(body, { userAgent: "BulkBot/1" });
      expect(bulk.stats).toMatchObject({ pages: 0, skipsByReason: { robots: 3 } });
    }
  });

  test("s-13: an escaped slash in a rule stays one", async () => {
    const links = ["/doc/print", "/doc%2Fprint", "/doc%2fprint", "/find?q=a%2Fprint"];
    const fake = fakeCrawl(
      { [ROBOTS]: "User-agent: *\nDisallow: /*%2Fprint", [HOME]: linksTo(...links) },
      QUICK,
    );
    await gather(fake.crawl);
    expect(fake.web.urls()).toEqual([HOME, `${HOME}doc/print`]);
  });

  test("is obeyed for seeds, links and redirects alike", async () => {
    const pages: Record<string, FakePage> = {
      [ROBOTS]: "User-agent: *\nDisallow: /no",
      [HOME]: linksTo("/no/link", "/moved"),
      [`${HOME}moved`]: { status: 302, location: "/no/redirect" },
    };
    const fake = fakeCrawl(pages, { ...QUICK, seeds: [`${HOME}no/seed`, HOME] });
    expect(told(await gather(fake.crawl)).sort()).toEqual([
      "page / 200",
      "skip /no/link robots",
      "skip /no/redirect robots",
      "skip /no/seed robots",
    ]);
    expect(fake.web.urls()).toEqual([HOME, `${HOME}moved`]);
  });

  test.each([400, 401, 403, 404, 410, 451])(
    "s-12: a status of %i allows all, and is asked for once",
    async (status) => {
      const { stats, events } = await crawlWith({ status, body: "User-agent: *\nDisallow: /" });
      expect(stats).toMatchObject({ pages: 3, robotsRequests: 1 });
      expect(robotsEvents(events)).toEqual([
        { type: "robots", atMs: START_MS + 10, origin: "https://a.test", policy: "allow-all", status },
      ]);
    },
  );

  const unreachable: [string, FakeAnswer][] = [
    ["429", { status: 429 }],
    ["500 with a body", { status: 500, body: "User-agent: *\nAllow: /" }],
    ["503", { status: 503 }],
    ["599", { status: 599 }],
    ["a connection refused", { fault: "ECONNREFUSED" }],
    ["a reset", { fault: "ECONNRESET" }],
    ["an unknown name", { fault: "ENOTFOUND" }],
    ["a timeout", { fault: "never" }],
    ["a redirect to nowhere", { status: 301 }],
    ["a redirect to no web address", { status: 301, location: "ftp://a.test/" }],
  ];
  test.each(unreachable)(
    "s-12: %s disallows all while it is retried, and then for good",
    async (_, answer) => {
      const { web, results, events, stats } = await crawlWith(answer, { delayMs: [0, 0], timeoutMs: 5_000 });
      // Half a second, one and two after the end of the attempt before.
      const expected = answer.fault === "never" ? [0, 5_500, 11_500, 18_500] : [0, 510, 1_520, 3_530];
      expect(robotsStarts({ web }).map(([, atMs]) => atMs)).toEqual(expected);
      expect(web.urls()).toEqual([]);
      expect(told(results).sort()).toEqual(paths(3).map((path) => `skip ${path} robots-unreachable`));
      expect(stats).toMatchObject({ finishReason: "done", robotsRequests: 4, requests: 0 });
      expect(
        robotsEvents(events).map(({ policy, retryAtMs }) => [policy, retryAtMs && retryAtMs - START_MS]),
      ).toEqual([
        ["unreachable", expected[1]],
        ["unreachable", expected[2]],
        ["unreachable", expected[3]],
        ["unreachable", undefined],
      ]);
    },
  );

  test("lets all go as soon as a retry succeeds", async () => {
    const { web, stats } = await crawlWith((n) => (n < 3 ? { status: 500 } : "User-agent: *\nDisallow: /2"));
    expect(stats).toMatchObject({ pages: 2, robotsRequests: 3, skipsByReason: { robots: 1 } });
    expect(web.log[3]!.atMs - START_MS).toBe(1_530);
  });

  test("is retried so often as unreachableRetries says, and not at all by 0", async () => {
    for (const unreachableRetries of [0, 1, 5]) {
      const { stats } = await crawlWith({ status: 500 }, { robots: { unreachableRetries } });
      expect(stats.robotsRequests).toBe(1 + unreachableRetries);
      expect(stats.skipsByReason).toEqual({ "robots-unreachable": 3 });
    }
  });

  test("pauses its host by Retry-After as any other answer does", async () => {
    const { web, stats } = await crawlWith((n) => (n === 1 ? { status: 503, retryAfter: 60 } : ""));
    expect(robotsStarts({ web }).map(([, atMs]) => atMs)).toEqual([0, 60_010]);
    expect(stats.pages).toBe(3);
  });

  test("that asks for too long a rest is not asked for again, and its host is skipped", async () => {
    const { web, results, stats } = await crawlWith({ status: 429, retryAfter: 86_400 });
    expect(web.log).toHaveLength(1);
    expect(told(results).sort()).toEqual(paths(3).map((path) => `skip ${path} retry-after`));
    expect(stats.elapsedMs).toBe(10);
  });

  test("does not hold up other hosts while it does not come", async () => {
    const { web, stats } = await crawlWith(
      { fault: "never" },
      {
        concurrency: 2,
        seeds: [...paths(3).map((path) => HOME + path.slice(1)), "https://b.test/1", "https://b.test/2"],
      },
    );
    expect(
      web.log.filter(({ url }) => url.startsWith("https://b.test/")).map(({ atMs }) => atMs - START_MS),
    ).toEqual([0, 10, 20]);
    expect(stats.pages).toBe(2);
  });

  test("s-20: that trickles is given up at the time limit, and its transfer cut", async () => {
    const clock = new FakeClock();
    let cancelled = 0;
    const web = fakeWeb({}, { clock, otherwise: "" });
    const trickle = (): Response =>
      new Response(
        new ReadableStream<Uint8Array>({
          async pull(controller) {
            await clock.sleep(300);
            controller.enqueue(new Uint8Array([0x23]));
          },
          cancel() {
            cancelled++;
          },
        }),
      );
    const fake = fakeCrawl(
      {},
      {
        ...QUICK,
        timeoutMs: 1_000,
        robots: {
          unreachableRetries: 1,
          fetch: async (url, init) => (String(url).endsWith("robots.txt") ? trickle() : web.fetch(url, init)),
        },
      },
    );
    // The clock of the trickle is another one: it only has to go on.
    const results = await gather(fake.crawl);
    expect(told(results)).toEqual(["skip / robots-unreachable"]);
    expect(cancelled).toBe(2);
    expect(robotsEvents(fake.events).map(({ reason }) => reason)).toEqual(["timeout", "timeout"]);
  });

  test("counts by its first 500 KiB, and no more of it is transferred", async () => {
    const filler = `# ${"x".repeat(1_021)}\n`.repeat(499);
    const body = `${filler}User-agent: *\nDisallow: /1\n${"#".repeat(1_000)}\nDisallow: /2\n${"#".repeat(5_000_000)}`;
    const { stats, events } = await crawlWith(body);
    expect(stats).toMatchObject({ pages: 2, skipsByReason: { robots: 1 } });
    const ended = events.find(({ type }) => type === "ended");
    expect(ended).toMatchObject({ kind: "robots", status: 200 });
  });
});

describe("redirects of a robots.txt", () => {
  /** A chain of so many hops from a.test's file on, each to a host of its own. */
  function chain(hops: number): Record<string, FakePage> {
    const url = (hop: number): string => (hop === 0 ? ROBOTS : `https://r${hop}.test/robots.txt`);
    const pages: Record<string, FakePage> = { [url(hops)]: "User-agent: *\nDisallow: /2" };
    for (let hop = 0; hop < hops; hop++) pages[url(hop)] = { status: 301, location: url(hop + 1) };
    return pages;
  }

  const seeds = paths(3).map((path) => HOME + path.slice(1));

  test("are followed five times, to other hosts too, and the rules hold for the first of them", async () => {
    const fake = fakeCrawl(chain(5), { ...QUICK, seeds: [...seeds, "https://r5.test/2"] });
    expect(told(await gather(fake.crawl)).sort()).toEqual([
      "page /1 404",
      "page /3 404",
      // Its own robots.txt, which is the same file.
      "skip /2 robots",
      "skip https://r5.test/2 robots",
    ]);
    expect(fake.web.urls().sort()).toEqual([`${HOME}1`, `${HOME}3`]);
  });

  test("of more hops leave the rules unknown", async () => {
    const fake = fakeCrawl(chain(6), { ...QUICK, seeds, robots: { unreachableRetries: 0 } });
    expect(told(await gather(fake.crawl))).toEqual(seeds.map((_, i) => `skip /${i + 1} robots-unreachable`));
    expect(fake.web.log).toHaveLength(6);
  });

  test("in a circle end", async () => {
    const fake = fakeCrawl(
      { [ROBOTS]: { status: 302, location: "/robots.txt" } },
      {
        ...QUICK,
        robots: { unreachableRetries: 0 },
      },
    );
    expect(told(await gather(fake.crawl))).toEqual(["skip / robots-unreachable"]);
    expect(fake.web.log).toHaveLength(6);
  });

  test("to a file that is not there allow all", async () => {
    const fake = fakeCrawl({ [ROBOTS]: { status: 302, location: "/lost" } }, QUICK);
    expect(told(await gather(fake.crawl))).toEqual(["page / 404"]);
  });

  test("go through the gate of the host that they lead to", async () => {
    const pages: Record<string, FakePage> = {
      [ROBOTS]: { status: 301, location: "https://b.test/robots.txt" },
      "https://b.test/robots.txt": "User-agent: *\nDisallow: /2",
      "https://b.test/1": { afterMs: 700 },
    };
    const fake = fakeCrawl(pages, {
      seeds: ["https://b.test/1", "https://b.test/3", HOME],
      delayMs: 1_000,
      hostConcurrency: 1,
    });
    await gather(fake.crawl);
    const toB = fake.web.log.filter(({ url }) => url.startsWith("https://b.test/"));
    expect(toB.map(({ atMs }) => atMs - START_MS)).toEqual([0, 1_000, 2_000, 3_000]);
    // Its own robots.txt and one page had begun to wait before; the errand goes before what is queued.
    expect(toB.map(({ url }) => url.slice("https://b.test/".length))).toEqual([
      "robots.txt",
      "robots.txt",
      "1",
      "3",
    ]);
  });

  test("lead to a host that has given all the pages it may, and not to one that is down", async () => {
    const pages: Record<string, FakePage> = {
      "https://b.test/": { body: linksTo("/2", `${HOME}1`), afterMs: 50 },
      [ROBOTS]: { status: 301, location: "https://b.test/rules" },
      "https://b.test/rules": "User-agent: *\nDisallow: /2",
    };
    const options = { ...QUICK, scope: "any", robots: { unreachableRetries: 0 } } as const;
    const seeds = ["https://b.test/", "https://b.test/3"];
    const full = fakeCrawl(pages, { ...options, seeds, maxPagesPerHost: 1 });
    const results = told(await gather(full.crawl));
    expect(results).toContain("skip https://b.test/3 budget");
    expect(results).toContain("page /1 404");
    const down: Record<string, FakePage> = { ...pages, "https://b.test/": { fault: "ECONNREFUSED" } };
    const failing = fakeCrawl(
      { ...down, "https://c.test/": { body: linksTo(`${HOME}1`), afterMs: 5_000 } },
      { ...options, seeds: ["https://b.test/", "https://c.test/"], maxHostFailures: 1 },
    );
    expect(told(await gather(failing.crawl))).toContain("skip /1 robots-unreachable");
  });

  test("do not make the host's own robots.txt known", async () => {
    const pages: Record<string, FakePage> = {
      [ROBOTS]: { status: 301, location: "https://b.test/rules" },
      "https://b.test/rules": "User-agent: *\nDisallow: /2",
    };
    const fake = fakeCrawl(pages, { ...QUICK, seeds: [...seeds, "https://b.test/2"] });
    expect(told(await gather(fake.crawl))).toContain("page https://b.test/2 404");
    expect(fake.web.log.map(({ url }) => url)).toContain("https://b.test/robots.txt");
  });
});

describe("maxAgeMs of a robots.txt", () => {
  /** A page a minute over two hours, with a robots.txt that is an hour fresh. */
  function longCrawl(robots: FakePage): FakeCrawl {
    const seeds = paths(121).map((path) => HOME + path.slice(1));
    const robotsOptions = { maxAgeMs: HOUR_MS, unreachableRetries: 2 };
    return fakeCrawl(
      { [ROBOTS]: robots },
      {
        seeds,
        delayMs: [60_000, 60_000],
        hostConcurrency: 1,
        random: () => 0,
        robots: robotsOptions,
        maxHostFailures: Number.POSITIVE_INFINITY,
      },
    );
  }

  test("has it fetched again, and the new rules hold from then on", async () => {
    const fake = longCrawl((n) =>
      n === 1 ? "User-agent: *\nDisallow: /2" : "User-agent: *\nDisallow: /100",
    );
    const results = await gather(fake.crawl);
    const skipped = results.filter(({ type }) => type === "skip").map(({ url }) => url.slice(HOME.length));
    expect(skipped[0]).toBe("2");
    expect(skipped).toContain("100");
    expect(robotsStarts(fake).length).toBeGreaterThanOrEqual(2);
    const [, again] = robotsStarts(fake);
    // Due an hour after it came; asked for with the next request, through the same gate.
    expect(again![1]).toBeGreaterThanOrEqual(HOUR_MS);
    expect(again![1]).toBeLessThanOrEqual(HOUR_MS + 180_000);
  });

  test("lets the old rules hold while the new ones are fetched", async () => {
    const fake = fakeCrawl(
      { [ROBOTS]: (n) => ({ body: "User-agent: *\nDisallow: /2", afterMs: n === 1 ? 10 : 9_000 }) },
      {
        seeds: paths(20).map((path) => HOME + path.slice(1)),
        delayMs: [1_000, 1_000],
        hostConcurrency: 2,
        robots: { maxAgeMs: 5_000 },
      },
    );
    await gather(fake.crawl);
    const times = fake.web.log.map(({ atMs }) => atMs - START_MS);
    // Not one second is lost.
    expect(times).toEqual(times.map((_, i) => 1_000 * i));
    expect(robotsStarts(fake).length).toBeGreaterThan(1);
    expect(fake.web.urls()).not.toContain(`${HOME}2`);
  });

  test("keeps the old rules where the new ones cannot be had, and asks again after as long", async () => {
    const fake = longCrawl((n) => (n === 1 ? "User-agent: *\nDisallow: /110" : { status: 500 }));
    const results = await gather(fake.crawl);
    expect(results.filter(({ type }) => type === "skip").map(({ url }) => url)).toEqual([`${HOME}110`]);
    const times = robotsStarts(fake).map(([, atMs]) => atMs);
    expect(times.length).toBeGreaterThanOrEqual(4);
    // Three attempts in a row, then an hour's quiet.
    expect(times[3]! - times[1]!).toBeLessThan(10 * 60_000);
    if (times[4] !== undefined) expect(times[4] - times[3]!).toBeGreaterThanOrEqual(HOUR_MS);
    expect(
      robotsEvents(fake.events).filter(({ policy }) => policy === "unreachable").length,
    ).toBeGreaterThanOrEqual(3);
  });

  test("does not have it fetched again where nothing more is asked of its origin", async () => {
    const fake = fakeCrawl(
      { "https://b.test/": { afterMs: 5_000 } },
      {
        ...QUICK,
        seeds: [HOME, "https://b.test/"],
        robots: { maxAgeMs: 100 },
      },
    );
    await gather(fake.crawl);
    expect(robotsStarts(fake)).toHaveLength(2);
  });

  test("asks again for one that was given up as unreachable", async () => {
    const late = { body: linksTo(`${HOME}late`), afterMs: 9_000 };
    const fake = fakeCrawl(
      { [ROBOTS]: (n) => (n === 1 ? { status: 500 } : ""), "https://b.test/": late },
      { ...QUICK, seeds: [HOME, "https://b.test/"], robots: { maxAgeMs: 5_000, unreachableRetries: 0 } },
    );
    expect(told(await gather(fake.crawl))).toEqual([
      "skip / robots-unreachable",
      "page https://b.test/ 200",
      "page /late 404",
    ]);
  });
});

describe("a crawl-delay", () => {
  function startsOf(fake: FakeCrawl, host: string): number[] {
    return fake.web.log.filter(({ url }) => new URL(url).host === host).map(({ atMs }) => atMs - START_MS);
  }

  test("raises the gap between any two starts, whatever the limit allows, from robots.txt's own start on", async () => {
    const fake = await crawlWith("User-agent: *\nCrawl-delay: 2.5");
    expect(startsOf(fake, "a.test")).toEqual([0, 2_500, 5_000, 7_500]);
    expect(robotsEvents(fake.events)[0]).toMatchObject({ crawlDelayMs: 2_500 });
    expect(fake.events.find(({ type }) => type === "paced")).toMatchObject({
      why: "crawl-delay",
      gapMs: { from: 0, to: 2_500 },
    });
  });

  test("below the least gap changes nothing", async () => {
    const fake = await crawlWith("User-agent: *\nCrawl-delay: 0.1", { delayMs: 300 });
    expect(startsOf(fake, "a.test")).toEqual([0, 300, 600, 900]);
  });

  test("goes beyond the most that the caller lets refusals widen the gap to", async () => {
    const fake = await crawlWith("User-agent: *\nCrawl-delay: 100", { delayMs: [0, 1_000] });
    expect(startsOf(fake, "a.test")).toEqual([0, 100_000, 200_000, 300_000]);
  });

  test("of http and of https: the host is owed the longer one", async () => {
    const pages = {
      "http://a.test/robots.txt": "User-agent: *\nCrawl-delay: 1",
      "https://a.test/robots.txt": "User-agent: *\nCrawl-delay: 3",
    };
    const seeds = ["https://a.test/1", "http://a.test/1", "https://a.test/2", "http://a.test/2"];
    const fake = fakeCrawl(pages, { ...QUICK, seeds, hostConcurrency: 1 });
    await gather(fake.crawl);
    const times = startsOf(fake, "a.test");
    expect(times).toHaveLength(6);
    for (const [i, atMs] of times.entries()) {
      const wasKnown = i > 0 && times[i - 1]! >= startsOf(fake, "a.test")[0]! + 10;
      if (wasKnown) expect(atMs - times[i - 1]!).toBeGreaterThanOrEqual(3_000);
    }
  });

  test("is not lost when its host is given back and only the other scheme is met again", async () => {
    const pages: Record<string, FakePage> = {
      "https://a.test/robots.txt": "User-agent: *\nCrawl-delay: 3",
      // Comes when nothing of a.test is left, and leads back to it, by http first.
      "https://b.test/": {
        body: linksTo("http://a.test/1", "http://a.test/2", "https://a.test/3", "http://a.test/4"),
        afterMs: 9_000,
      },
    };
    const fake = fakeCrawl(pages, {
      ...QUICK,
      seeds: [HOME, "https://b.test/"],
      scope: "any",
      hostConcurrency: 1,
    });
    await gather(fake.crawl);
    const times = startsOf(fake, "a.test");
    expect(times).toHaveLength(7);
    for (const [i, atMs] of times.entries()) {
      if (i > 0) expect(atMs - times[i - 1]!).toBeGreaterThanOrEqual(3_000);
    }
  });

  test("s-19: a host that wants half a minute does not hold up another", async () => {
    const fifty = (host: string): string[] => Array.from({ length: 50 }, (_, i) => `https://${host}/${i}`);
    const fake = fakeCrawl(
      { [ROBOTS]: "User-agent: *\nCrawl-delay: 30" },
      {
        ...QUICK,
        concurrency: 4,
        seeds: [...fifty("a.test"), ...fifty("b.test")],
      },
    );
    await gather(fake.crawl);
    expect(startsOf(fake, "b.test").at(-1)).toBeLessThan(1_000);
    expect(startsOf(fake, "a.test")).toEqual(Array.from({ length: 51 }, (_, i) => 30_000 * i));
  });

  test("over maxCrawlDelayMs has its host skipped, with the reason in words", async () => {
    const fake = await crawlWith("User-agent: *\nCrawl-delay: 999999");
    expect(told(fake.results).sort()).toEqual(paths(3).map((path) => `skip ${path} robots`));
    expect(fake.results[0]).toMatchObject({
      detail: "its robots.txt asks for 999999 s between requests, and maxCrawlDelayMs is 300000",
    });
    const just = await crawlWith("User-agent: *\nCrawl-delay: 300");
    expect(startsOf(just, "a.test")).toEqual([0, 300_000, 600_000, 900_000]);
    const less = await crawlWith("User-agent: *\nCrawl-delay: 2", { robots: { maxCrawlDelayMs: 1_999 } });
    expect(less.stats.skipsByReason).toEqual({ robots: 3 });
  });

  test("of nothing, below nothing or beyond numbers is none", async () => {
    for (const value of ["", "-5", "soon", "1e9999", "NaN"]) {
      const fake = await crawlWith(`User-agent: *\nCrawl-delay: ${value}`);
      expect(startsOf(fake, "a.test")).toEqual([0, 10, 10, 10]);
    }
  });
});

describe("robots options", () => {
  test("false asks for no robots.txt, and obeys none", async () => {
    const { web, stats } = await crawlWith("User-agent: *\nDisallow: /", { robots: false });
    expect(robotsStarts({ web })).toEqual([]);
    expect(stats).toMatchObject({ pages: 3, robotsRequests: 0 });
  });

  test("a fetch of its own gets robots.txt alone, through the same gate", async () => {
    const asked: string[] = [];
    const fetch = async (url: string | URL | Request): Promise<Response> => {
      asked.push(String(url));
      return new Response("User-agent: *\nDisallow: /2");
    };
    const { web, stats } = await crawlWith("", { robots: { fetch } });
    expect(asked).toEqual([ROBOTS]);
    expect(web.log.map(({ url }) => url)).toEqual([`${HOME}1`, `${HOME}3`]);
    expect(stats).toMatchObject({ robotsRequests: 1, skipsByReason: { robots: 1 } });
  });

  test("the headers of the crawl go along, its secrets to the seeds' origins alone", async () => {
    const fake = fakeCrawl(
      {
        [ROBOTS]: (_, { headers }) =>
          headers.get("authorization") === "Bearer t" ? "User-agent: *\nDisallow: /2" : { status: 401 },
        "https://b.test/robots.txt": "",
        [HOME]: linksTo("/2", "https://b.test/"),
      },
      {
        ...QUICK,
        scope: "any",
        headers: { authorization: "Bearer t", cookie: "a=b", "x-own": "1", accept: "text/html" },
      },
    );
    expect(told(await gather(fake.crawl)).sort()).toEqual([
      "page / 200",
      "page https://b.test/ 404",
      "skip /2 robots",
    ]);
    const sent = (url: string): unknown => {
      const { headers } = fake.web.log.find((request) => request.url === url)!;
      return ["authorization", "cookie", "x-own", "accept"].map((name) => headers.get(name));
    };
    expect(sent(ROBOTS)).toEqual(["Bearer t", "a=b", "1", "text/plain,*/*;q=0.5"]);
    expect(sent("https://b.test/robots.txt")).toEqual([null, null, "1", "text/plain,*/*;q=0.5"]);
  });
});
