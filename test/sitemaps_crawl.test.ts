import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Admission } from "../src/admission.ts";
import { crawl } from "../src/crawl.ts";
import type { CrawlEvent } from "../src/event.ts";
import type { CrawlOptions } from "../src/options.ts";
import type { CrawlRequest } from "../src/request.ts";
import { Scope } from "../src/scope.ts";
import { settle } from "../src/settings.ts";
import { readSitemap } from "../src/sitemap_feed.ts";
import { FakeClock } from "../src/testing/fake_clock.ts";
import { type FakeAnswer, type FakePage, fakeWeb } from "../src/testing/fake_web.ts";
import {
  type FakeCrawlOptions,
  fakeCrawl,
  gather,
  HOME,
  linksTo,
  settled,
  told,
} from "./support/fake_crawl.ts";

const MAP = `${HOME}sitemap.xml`;
const QUICK: FakeCrawlOptions = { delayMs: 0, sitemaps: true, web: { afterMs: 10 } };

function urlset(...urls: (string | [url: string, lastmod: string])[]): string {
  const entries = urls.map((entry) => {
    const [url, lastmod] = typeof entry === "string" ? [entry] : entry;
    return `<url><loc>${url}</loc>${lastmod === undefined ? "" : `<lastmod>${lastmod}</lastmod>`}</url>`;
  });
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join("")}</urlset>`;
}

function index(...urls: string[]): string {
  const entries = urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`);
  return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join("")}</sitemapindex>`;
}

function xml(body: string | Uint8Array): FakePage {
  return { body, type: "application/xml" };
}

async function crawlOf(pages: Record<string, FakePage>, options: FakeCrawlOptions = {}) {
  const fake = fakeCrawl(pages, { ...QUICK, ...options });
  const results = await gather(fake.crawl);
  return { ...fake, results, stats: await fake.crawl.finished, maps: sitemapEvents(fake.events) };
}

function sitemapEvents(events: readonly CrawlEvent[]): Extract<CrawlEvent, { type: "sitemap" }>[] {
  return events.filter((event) => event.type === "sitemap");
}

describe("sitemaps: true", () => {
  test("reads those that robots.txt of a seed names, and not the usual address", async () => {
    const { web, stats, maps } = await crawlOf({
      [`${HOME}robots.txt`]: `Sitemap: ${HOME}maps/one.xml\nSitemap: /two.xml\nUser-agent: *\nDisallow:`,
      [`${HOME}maps/one.xml`]: xml(urlset(`${HOME}1`)),
      [`${HOME}two.xml`]: xml(urlset(`${HOME}2`)),
    });
    expect(web.urls().sort()).toEqual([
      HOME,
      `${HOME}1`,
      `${HOME}2`,
      `${HOME}maps/one.xml`,
      `${HOME}two.xml`,
    ]);
    expect(stats).toMatchObject({
      accepted: 3,
      pages: 3,
      sitemapEntries: 2,
      requests: 5,
      finishReason: "done",
    });
    expect(maps.map(({ url, entries, problems }) => [url, entries, problems])).toEqual([
      [`${HOME}maps/one.xml`, 1, []],
      [`${HOME}two.xml`, 1, []],
    ]);
  });

  test.each([
    ["names none", "User-agent: *\nDisallow:"],
    ["is not there", { status: 404 }],
  ] as [string, FakePage][])("reads /sitemap.xml where robots.txt %s", async (_, robots) => {
    const { web } = await crawlOf({ [`${HOME}robots.txt`]: robots, [MAP]: xml(urlset(`${HOME}1`)) });
    expect(web.urls().sort()).toEqual([HOME, `${HOME}1`, MAP]);
  });

  test("reads /sitemap.xml where robots.txt is not asked for", async () => {
    const { web } = await crawlOf({ [MAP]: xml(urlset(`${HOME}1`)) }, { robots: false });
    expect(web.urls().sort()).toEqual([HOME, `${HOME}1`, MAP]);
  });

  test("reads each origin's once, of seeds alone", async () => {
    const { web } = await crawlOf(
      { [HOME]: linksTo("https://b.test/"), "https://c.test/": "" },
      { seeds: [HOME, `${HOME}2`, "https://c.test/"], scope: "any" },
    );
    expect(
      web
        .urls()
        .filter((url) => url.endsWith(".xml"))
        .sort(),
    ).toEqual([MAP, "https://c.test/sitemap.xml"]);
  });

  test("reads those of the origin on which a seed lands, and not of what it only passes", async () => {
    const { web } = await crawlOf({
      [HOME]: { status: 301, location: "https://short.test/x" },
      "https://short.test/robots.txt": "Sitemap: /short.xml",
      "https://short.test/x": { status: 301, location: "https://www.a.test/" },
      "https://www.a.test/robots.txt": "Sitemap: /maps.xml",
      "https://www.a.test/maps.xml": xml(urlset("https://www.a.test/1")),
    });
    expect(web.urls()).toContain("https://www.a.test/1");
    expect(web.urls()).not.toContain("https://short.test/short.xml");
  });

  test("reads those of a seed that add() brings, though its robots.txt is known already", async () => {
    const fake = fakeCrawl(
      {
        [HOME]: linksTo("https://b.test/"),
        "https://b.test/robots.txt": "Sitemap: /maps.xml",
        "https://b.test/maps.xml": xml(urlset("https://b.test/listed")),
      },
      { ...QUICK, scope: "any" },
    );
    for await (const { url } of fake.crawl) {
      if (url === "https://b.test/") await fake.crawl.add("https://b.test/2");
    }
    expect(fake.web.urls()).toContain("https://b.test/listed");
  });

  test("counts the bytes of a sitemap with those of pages", async () => {
    const map = urlset(`${HOME}1`);
    const { stats, events } = await crawlOf({
      [HOME]: "home",
      [`${HOME}1`]: "one",
      [MAP]: xml(map),
    });
    const ended = events.find((event) => event.type === "ended" && event.kind === "sitemap");
    expect(ended).toMatchObject({ status: 200, bytes: map.length });
    expect(stats.bytes).toBe(map.length + "homeone".length);
  });

  test("passes over one that is not there: no result, no word but its event", async () => {
    const { results, maps, stats } = await crawlOf({ [HOME]: "" });
    expect(told(results)).toEqual(["page / 200"]);
    expect(maps).toMatchObject([{ url: MAP, entries: 0, problems: ["it was answered with status 404"] }]);
    expect(stats).toMatchObject({
      accepted: 1,
      pages: 1,
      failures: 0,
      skips: 0,
      statuses: { 200: 1, 404: 1 },
    });
  });

  test("false reads none", async () => {
    const { web } = await crawlOf(
      { [`${HOME}robots.txt`]: `Sitemap: ${MAP}`, [MAP]: xml(urlset(`${HOME}1`)) },
      { sitemaps: false },
    );
    expect(web.urls()).toEqual([HOME]);
  });
});

describe("sitemaps: a list", () => {
  test("reads those, also of another host, and not those of robots.txt", async () => {
    const { web } = await crawlOf(
      {
        [`${HOME}robots.txt`]: `Sitemap: ${MAP}`,
        "https://maps.test/a.xml": xml(urlset(`${HOME}1`, "https://maps.test/page")),
      },
      { sitemaps: [new URL("https://maps.test/a.xml")] },
    );
    expect(web.urls().sort()).toEqual([HOME, `${HOME}1`, "https://maps.test/a.xml"]);
    expect(web.log.map(({ url }) => url)).toContain("https://maps.test/robots.txt");
  });

  test("without seeds has nothing in scope, unless scope says so", async () => {
    const pages = { [MAP]: xml(urlset(`${HOME}1`)) };
    const none = await crawlOf(pages, { seeds: [], sitemaps: [MAP] });
    expect(told(none.results)).toEqual(["skip /1 scope"]);
    const any = await crawlOf(pages, { seeds: [], sitemaps: [MAP], scope: "any" });
    expect(told(any.results)).toEqual(["page /1 404"]);
  });
});

describe("a sitemap of a crawl", () => {
  test("s-15: an index that lists itself is read once, and so is each part", async () => {
    const { web, stats } = await crawlOf({
      [MAP]: xml(index(MAP, `${MAP}#2`, `${HOME}part.xml`, `${HOME}part.xml`)),
      [`${HOME}part.xml`]: xml(urlset(`${HOME}1`)),
    });
    const asked = web.urls().filter((url) => url.endsWith(".xml"));
    expect(asked).toEqual([MAP, `${HOME}part.xml`]);
    expect(stats.finishReason).toBe("done");
  });

  test("is nested so deep and no deeper, and what is left out is told", async () => {
    const level = (n: number): string => `${HOME}level${n}.xml`;
    const pages: Record<string, FakePage> = { [MAP]: xml(index(level(1))) };
    for (let n = 1; n < 10; n++) pages[level(n)] = xml(index(level(n + 1)));
    const { web, maps, stats } = await crawlOf(pages);
    expect(web.urls().filter((url) => url.endsWith(".xml"))).toHaveLength(5);
    expect(maps.at(-1)!.problems).toEqual([`'${level(5)}' is left out as it is nested more than 4 deep`]);
    expect(stats.finishReason).toBe("done");
  });

  test("s-14: is unpacked by its octets, whatever its name and type say", async () => {
    const { stats } = await crawlOf(
      {
        [`${HOME}a.xml`]: xml(gzipSync(urlset(`${HOME}1`))),
        [`${HOME}b.xml.gz`]: xml(urlset(`${HOME}2`)),
        [`${HOME}c.txt`]: { body: gzipSync(`${HOME}3\n`), type: "text/plain" },
      },
      { sitemaps: [`${HOME}a.xml`, `${HOME}b.xml.gz`, `${HOME}c.txt`], seeds: [HOME] },
    );
    expect(stats).toMatchObject({ sitemapEntries: 3, accepted: 4 });
  });

  test("s-16: that is damaged gives what stands before and beside the damage, and the damage is told", async () => {
    const damaged = `\n<?xml version="1.0"?><urlset><url><loc>${HOME}a?x=1&y=2</loc></url><url><loc></loc></url><url><loc>/rel</loc></url><url><loc>${HOME}last</loc></url>`;
    const { web, maps, stats } = await crawlOf(
      { [MAP]: xml(damaged), [`${HOME}well.xml`]: xml(urlset(`${HOME}well`)) },
      { sitemaps: [MAP, `${HOME}well.xml`] },
    );
    expect(web.urls()).toEqual(expect.arrayContaining([`${HOME}a?x=1&y=2`, `${HOME}last`, `${HOME}well`]));
    expect(maps.find(({ url }) => url === MAP)!.problems.length).toBeGreaterThan(0);
    expect(stats.finishReason).toBe("done");
  });

  test("that is no sitemap at all leaves the crawl well", async () => {
    const { stats, maps, results } = await crawlOf({
      [MAP]: "<!doctype html><title>Not found</title>",
      [HOME]: "",
    });
    expect(maps[0]).toMatchObject({ entries: 0, problems: [expect.any(String)] });
    expect(told(results)).toEqual(["page / 200"]);
    expect(stats.finishReason).toBe("done");
  });

  test("that robots.txt forbids is not read", async () => {
    const { web, maps } = await crawlOf({
      [`${HOME}robots.txt`]: "User-agent: *\nDisallow: /sitemap",
      [MAP]: xml(urlset(`${HOME}1`)),
    });
    expect(web.urls()).toEqual([HOME]);
    expect(maps).toMatchObject([{ url: MAP, entries: 0, problems: ["it was skipped: robots"] }]);
  });

  test("lists what scope, depth, directives of robots.txt and addresses of private networks keep out", async () => {
    const entries = urlset(
      `${HOME}ok`,
      `${HOME}secret`,
      "https://b.test/",
      "http://10.0.0.1/",
      "ftp://a.test/x",
      `${HOME}drop.me`,
    );
    const { results, web } = await crawlOf(
      { [`${HOME}robots.txt`]: "User-agent: *\nDisallow: /secret", [MAP]: xml(entries) },
      { exclude: "*drop.me" },
    );
    expect(web.urls().sort()).toEqual([HOME, `${HOME}ok`, MAP]);
    const skips = told(results)
      .filter((line) => line.startsWith("skip"))
      .sort();
    expect(skips).toEqual([
      "skip /drop.me scope",
      "skip /secret robots",
      "skip http://10.0.0.1/ private-address",
      "skip https://b.test/ scope",
    ]);
    const shallow = await crawlOf({ [MAP]: xml(urlset(`${HOME}ok`)) }, { maxDepth: 0 });
    expect(told(shallow.results)).toContain("skip /ok depth");
  });

  test("of another host is read through that host's gate and by its robots.txt", async () => {
    const { web, stats } = await crawlOf({
      [`${HOME}robots.txt`]: "Sitemap: https://maps.test/a.xml\nSitemap: https://maps.test/no/b.xml",
      "https://maps.test/robots.txt": "User-agent: *\nDisallow: /no\nCrawl-delay: 5",
      "https://maps.test/a.xml": xml(urlset(`${HOME}1`)),
    });
    expect(web.urls().sort()).toEqual([HOME, `${HOME}1`, "https://maps.test/a.xml"]);
    const toMaps = web.log.filter(({ url }) => url.startsWith("https://maps.test/"));
    expect(toMaps[1]!.atMs - toMaps[0]!.atMs).toBe(5_000);
    expect(stats.finishReason).toBe("done");
  });

  test("at an address of a private network is not read, nor by a redirect, and gives no result", async () => {
    const { web, results, stats } = await crawlOf({
      [`${HOME}robots.txt`]:
        "Sitemap: http://169.254.169.254/a.xml\nSitemap: http://0x7f.1/b.xml\nSitemap: /c.xml",
      [`${HOME}c.xml`]: { status: 302, location: "http://[::1]/c.xml" },
    });
    expect(web.urls().sort()).toEqual([HOME, `${HOME}c.xml`]);
    expect(told(results)).toEqual(["page / 404"]);
    expect(stats.finishReason).toBe("done");
  });

  test("follows redirects, and its entries resolve against where it was found", async () => {
    const { web, stats } = await crawlOf({
      [MAP]: { status: 301, location: "/maps/all.xml" },
      [`${HOME}maps/all.xml`]: xml(urlset("one")),
    });
    expect(web.urls()).toContain(`${HOME}maps/one`);
    expect(stats.pages).toBe(2);
  });

  test("is tried again as a page is", async () => {
    const { web, stats } = await crawlOf({
      [MAP]: (n) =>
        n === 1
          ? { status: 503, retryAfter: 60 }
          : n === 2
            ? { fault: "ECONNREFUSED" }
            : (xml(urlset(`${HOME}1`)) as FakeAnswer),
    });
    expect(web.urls().filter((url) => url === MAP)).toHaveLength(3);
    expect(stats.pages).toBe(2);
  });

  test("that fails for good is told in its event", async () => {
    const { maps, results, stats } = await crawlOf({ [MAP]: { fault: "ECONNREFUSED" }, [HOME]: "" });
    expect(maps).toMatchObject([{ url: MAP, entries: 0, problems: ["it failed: connect"] }]);
    expect(told(results)).toEqual(["page / 200"]);
    expect(stats).toMatchObject({ failures: 0, finishReason: "done" });
  });

  test("lastmod is a hint: of one depth, what was changed last goes first", async () => {
    const { web } = await crawlOf(
      {
        [MAP]: xml(
          urlset(
            `${HOME}none`,
            [`${HOME}old`, "2001-01-01"],
            [`${HOME}new`, "2026-11-29"],
            [`${HOME}mid`, "2026-10"],
            [`${HOME}bad`, "soon"],
          ),
        ),
        [HOME]: linksTo("/link"),
      },
      { hostConcurrency: 1, sitemaps: true },
    );
    const order = web.urls().map((url) => url.slice(HOME.length));
    expect(order.slice(0, 2).sort()).toEqual(["", "sitemap.xml"]);
    expect(order.indexOf("new")).toBeLessThan(order.indexOf("mid"));
    expect(order.indexOf("mid")).toBeLessThan(order.indexOf("old"));
    expect(order.indexOf("old")).toBeLessThan(order.indexOf("none"));
  });

  test("ends with the budget of the crawl, and what it listed is counted", async () => {
    const urls = Array.from({ length: 50 }, (_, i) => `${HOME}${i}`);
    const { stats } = await crawlOf({ [MAP]: xml(urlset(...urls)) }, { maxPages: 5 });
    expect(stats).toMatchObject({ pages: 5, accepted: 51, queued: 46, finishReason: "max-pages" });
  });

  test("counts among the requests that maxRequests allows, and not among the pages", async () => {
    const { stats, web } = await crawlOf({ [MAP]: xml(urlset(`${HOME}1`)) }, { maxRequests: 3 });
    expect(web.log).toHaveLength(3);
    expect(stats).toMatchObject({ requests: 2, robotsRequests: 1, pages: 1, finishReason: "max-requests" });
  });

  test("streams: what it lists is asked for while it still arrives", async () => {
    const total = 800;
    const { run, log, state } = trickling(total, 1);
    const { pages, stats } = await run({ timeoutMs: 60_000 });
    expect(pages).toHaveLength(total + 1);
    expect(stats).toMatchObject({ sitemapEntries: total, finishReason: "done" });
    const first = log.find(({ url }) => url === `${HOME}1`)!;
    expect(first.entriesSent).toBeLessThan(300);
    expect(state.sent).toBe(total);
  });

  test("is read no faster than the frontier takes it in, a batch at a time", async () => {
    const encoder = new TextEncoder();
    let sent = 0;
    let taken = 0;
    let mostAhead = 0;
    const sizes: number[] = [];
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (sent === 5_000) return controller.close();
          sent++;
          mostAhead = Math.max(mostAhead, sent - taken);
          const root = sent === 1 ? "<urlset>" : "";
          controller.enqueue(encoder.encode(`${root}<url><loc>${HOME}${sent}</loc></url>`));
        },
      },
      { highWaterMark: 0 },
    );
    const settings = settle({ scope: "any" });
    const admission = new Admission(settings, new Scope("any", [], []), () => false);
    const sitemap = admission.sitemap(MAP) as CrawlRequest;
    await readSitemap(
      sitemap,
      body,
      null,
      admission,
      async (requests) => {
        await settled(1);
        taken += requests.length;
        sizes.push(requests.length);
      },
      0,
    );
    expect([sent, taken]).toEqual([5_000, 5_000]);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
    // A batch, and what the reader has of the file at that moment.
    expect(mostAhead).toBeLessThan(250);
  });

  test("s-20: that trickles is given up at the time limit, with what it gave till then", async () => {
    const { run, state } = trickling(Number.POSITIVE_INFINITY, 300);
    const { pages, stats, maps } = await run({ timeoutMs: 1_000 });
    expect(stats.finishReason).toBe("done");
    expect(pages).toEqual([HOME, `${HOME}1`, `${HOME}2`, `${HOME}3`]);
    expect(maps).toMatchObject([{ entries: 3 }]);
    expect(maps[0]!.problems).toContain("the transfer broke off: The answer was not complete after 1000 ms");
    expect(state.cancelled).toBe(1);
  });

  test("that breaks off keeps what it gave till then", async () => {
    const { run } = trickling(Number.POSITIVE_INFINITY, 10, 20);
    const { pages, stats, maps } = await run();
    expect(stats.finishReason).toBe("done");
    expect(pages).toHaveLength(21);
    expect(maps).toMatchObject([{ entries: 20 }]);
    expect(maps[0]!.problems).toContain("the transfer broke off: terminated");
  });

  test("in flight at the end of a crawl is cut, and nothing is left of it", async () => {
    const { run, state, clock } = trickling(Number.POSITIVE_INFINITY, 300);
    const { stats } = await run({ timeoutMs: 3_600_000, maxPages: 2 });
    expect(stats).toMatchObject({ pages: 2, inFlight: 0, finishReason: "max-pages" });
    expect(state.cancelled).toBe(1);
    const { sent } = state;
    await clock.sleep(60_000);
    expect(state.sent).toBeLessThanOrEqual(sent + 1);
  });

  test("that is huge keeps nothing but what is in scope", async () => {
    // 8 MB of entries that are all out of scope: none is kept.
    const filler = "x".repeat(1_900);
    const { run, state } = trickling(4_000, 0, undefined, (n) => `https://b.test/${n}?${filler}`);
    const { pages, stats } = await run();
    expect(pages).toEqual([HOME]);
    expect(state.sent).toBe(4_000);
    expect(stats).toMatchObject({ sitemapEntries: 4_000, accepted: 1, skipsByReason: { scope: 4_000 } });
  });
});

/** A crawl with a sitemap that sends an entry every so many milliseconds, and breaks off after some where it is told to. */
function trickling(
  total: number,
  everyMs: number,
  breaksAfter = Number.POSITIVE_INFINITY,
  urlOf: (n: number) => string = (n) => `${HOME}${n}`,
) {
  const clock = new FakeClock();
  const encoder = new TextEncoder();
  const state = { sent: 0, cancelled: 0 };
  const log: { url: string; entriesSent: number }[] = [];
  const web = fakeWeb({}, { clock, otherwise: "" });
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream(
      {
        start: (controller) => controller.enqueue(encoder.encode("<urlset>")),
        async pull(controller) {
          if (everyMs > 0) await clock.sleep(everyMs);
          if (state.sent === breaksAfter) return controller.error(new TypeError("terminated"));
          state.sent++;
          controller.enqueue(encoder.encode(`<url><loc>${urlOf(state.sent)}</loc></url>`));
          if (state.sent === total) {
            controller.enqueue(encoder.encode("</urlset>"));
            controller.close();
          }
        },
        cancel() {
          state.cancelled++;
        },
      },
      { highWaterMark: 1 },
    );
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    log.push({ url: String(url), entriesSent: state.sent });
    if (String(url) !== MAP) return web.fetch(url, init);
    return new Response(body(), { headers: { "content-type": "application/xml" } });
  };
  const run = async (options: CrawlOptions = {}) => {
    const events: CrawlEvent[] = [];
    const pages: string[] = [];
    const base: CrawlOptions = { sitemaps: true, robots: false, delayMs: 0, hostConcurrency: 2 };
    const crawling = crawl(HOME, {
      ...base,
      fetch,
      clock,
      onEvent: (event) => void events.push(event),
      ...options,
    });
    for await (const page of crawling) pages.push(page.url);
    return { pages, stats: await crawling.finished, maps: sitemapEvents(events) };
  };
  return { run, log, state, clock };
}
