import { describe, expect, test } from "vitest";
import type { Page } from "../src/page.ts";
import { fakeCrawl, gather, HOME, linksTo, paths, told } from "./support/fake_crawl.ts";

const QUICK = { delayMs: 0, robots: false } as const;
const LEAVES = { otherwise: "leaf" };

describe("crawl() and what becomes of a URL", () => {
  const TEN = {
    [`${HOME}robots.txt`]: "User-agent: *\nDisallow: /secret",
    [HOME]: linksTo(
      "/good",
      "/fine",
      "/gone",
      "/reset",
      "/home",
      "/large",
      "https://off.test/",
      "/secret/1",
      "http://",
      "/slow",
    ),
    [`${HOME}good`]: "leaf",
    [`${HOME}fine`]: "leaf",
    [`${HOME}reset`]: { fault: "ECONNRESET" as const },
    [`${HOME}home`]: { status: 302, location: "/" },
    [`${HOME}large`]: { body: "x".repeat(2_000) },
    [`${HOME}slow`]: { fault: "never" as const },
  };

  test("s-23: each of ten kinds has exactly one outcome, however many are in flight", async () => {
    for (const concurrency of [1, 2, 8]) {
      const { crawl, events } = fakeCrawl(TEN, {
        concurrency,
        hostConcurrency: 8,
        delayMs: 0,
        maxBodyBytes: 1_000,
      });
      const results = told(await gather(crawl));
      expect(results.sort()).toEqual([
        "failure /large too-large",
        "failure /reset reset",
        "failure /slow timeout",
        "page / 200",
        "page /fine 200",
        "page /gone 404",
        "page /good 200",
        "skip /home seen",
        "skip /secret/1 robots",
        "skip http:// invalid-url",
        "skip https://off.test/ scope",
      ]);
      expect(events.filter(({ type }) => type === "finished")).toHaveLength(1);
      expect(await crawl.finished).toMatchObject({
        finishReason: "done",
        accepted: 9,
        pages: 4,
        failures: 3,
        skips: 4,
        failuresByReason: { "too-large": 1, reset: 1, timeout: 1 },
        skipsByReason: { seen: 1, robots: 1, "invalid-url": 1, scope: 1 },
      });
    }
  });

  test("s-23: with a handler that throws, the crawl ends; with maxPages 3, exactly three pages come", async () => {
    const { crawl } = fakeCrawl(TEN, { maxPages: 3, delayMs: 0, hostConcurrency: 8, results: "pages" });
    expect(await gather(crawl)).toHaveLength(3);
    const thrown = fakeCrawl(TEN, { delayMs: 0 });
    const loop = async (): Promise<void> => {
      for await (const _ of thrown.crawl) throw new Error("handler");
    };
    await expect(loop()).rejects.toThrow("handler");
    expect((await thrown.crawl.finished).finishReason).toBe("cancelled");
  });

  test("s-27: a link that twenty pages find at once is fetched once", async () => {
    for (let run = 0; run < 20; run++) {
      const site = {
        [HOME]: linksTo(...paths(20)),
        ...Object.fromEntries(
          paths(20).map((path, i) => [
            `https://a.test${path}`,
            { body: linksTo("/hub"), afterMs: (i * 7 + run * 13) % 50 },
          ]),
        ),
      };
      const options = { ...QUICK, concurrency: 20, hostConcurrency: 20, web: LEAVES };
      const { crawl, web } = fakeCrawl(site, options);
      expect(await gather(crawl)).toHaveLength(22);
      expect(web.urls().filter((url) => url.endsWith("/hub"))).toHaveLength(1);
    }
  });

  test("a 404 or a 500 is a page that is not ok, and its links are not followed", async () => {
    for (const status of [404, 500]) {
      const { crawl, web } = fakeCrawl(
        { [HOME]: { status, body: linksTo("/1") } },
        { ...QUICK, retries: { max: 0 }, web: LEAVES },
      );
      const [page] = (await gather(crawl)) as Page[];
      expect(page).toMatchObject({ status, ok: false });
      expect(page!.links).toHaveLength(1);
      expect(web.urls()).toEqual([HOME]);
    }
  });

  test("an answer without a body is a page", async () => {
    const { crawl } = fakeCrawl({ [HOME]: { status: 204, type: null } }, QUICK);
    const [page] = (await gather(crawl)) as Page[];
    expect(page).toMatchObject({ status: 204, ok: true, text: "", links: [], contentType: undefined });
  });

  test("a failure tells its request, attempts, last status and cause", async () => {
    const { crawl } = fakeCrawl(
      { [HOME]: linksTo("/1"), [`${HOME}1`]: { fault: "ECONNREFUSED" } },
      { ...QUICK, retries: { max: 1 } },
    );
    const [, failure] = await gather(crawl);
    expect(failure).toMatchObject({
      type: "failure",
      url: `${HOME}1`,
      reason: "connect",
      attempts: 2,
      request: { url: `${HOME}1`, depth: 1, referrer: HOME },
    });
  });

  test("a skip tells its referrer, and its request where it was accepted", async () => {
    const site = {
      [`${HOME}robots.txt`]: "User-agent: *\nDisallow: /no",
      [HOME]: linksTo("/no", "https://b.test/"),
    };
    const { crawl } = fakeCrawl(site);
    const skips = (await gather(crawl)).filter(({ type }) => type === "skip");
    expect(skips).toEqual([
      { type: "skip", url: "https://b.test/", reason: "scope", referrer: HOME },
      expect.objectContaining({
        url: `${HOME}no`,
        reason: "robots",
        referrer: HOME,
        request: expect.objectContaining({ depth: 1 }),
      }),
    ]);
  });
});

describe("crawl() and content types", () => {
  const SITE = {
    [HOME]: linksTo("/a.pdf", "/b.png", "/c.txt", "/d.xhtml", "/e.json", "/f"),
    [`${HOME}a.pdf`]: { type: "application/pdf", body: "%PDF-" },
    [`${HOME}b.png`]: { type: "image/png", body: "png" },
    [`${HOME}c.txt`]: { type: "text/plain", body: "text" },
    [`${HOME}d.xhtml`]: { type: "Application/XHTML+XML; charset=utf-8", body: linksTo("/g") },
    [`${HOME}e.json`]: { type: "application/json", body: '{"a":1}' },
    [`${HOME}f`]: { type: null, body: `<!doctype html>${linksTo("/h")}` },
  };

  test("s-29: reads HTML, XHTML and text by default, and skips the rest unread at its head", async () => {
    let bodiesRead = 0;
    const { crawl, web } = fakeCrawl(SITE, { ...QUICK, web: LEAVES });
    const results = await gather(crawl);
    expect(told(results)).toEqual([
      "page / 200",
      "skip /a.pdf content-type",
      "skip /b.png content-type",
      "page /c.txt 200",
      "page /d.xhtml 200",
      "skip /e.json content-type",
      "page /f 200",
      "page /g 200",
      "page /h 200",
    ]);
    expect(results[1]).toMatchObject({
      status: 200,
      detail: "application/pdf",
      request: { url: `${HOME}a.pdf` },
    });
    bodiesRead = (await crawl.finished).bytes;
    expect(bodiesRead).toBe(
      (results.filter(({ type }) => type === "page") as Page[]).reduce(
        (sum, { body }) => sum + body.length,
        0,
      ),
    );
    expect(web.urls()).toHaveLength(9);
  });

  test("s-29: a page without a Content-Type is told by its body", async () => {
    const bodies: [string, string][] = [
      ["<!DOCTYPE HTML><p>", "text/html"],
      ["  \n<html>", "text/html"],
      ["<?xml version='1.0'?><a/>", "text/xml"],
      ["just words", "text/plain"],
    ];
    for (const [body, type] of bodies) {
      const { crawl } = fakeCrawl({ [HOME]: { type: null, body } }, QUICK);
      expect(await gather(crawl)).toMatchObject([{ type: "page", contentType: type }]);
    }
    const { crawl } = fakeCrawl({ [HOME]: { type: null, body: "%PDF-1.7" } }, QUICK);
    expect(told(await gather(crawl))).toEqual(["skip / content-type"]);
  });

  test("reads what the caller lists, and all of a kind", async () => {
    const { crawl } = fakeCrawl(SITE, {
      ...QUICK,
      contentTypes: ["text/html", "IMAGE/*", "application/json"],
      web: LEAVES,
    });
    expect(told(await gather(crawl))).toEqual([
      "page / 200",
      "skip /a.pdf content-type",
      "page /b.png 200",
      "skip /c.txt content-type",
      "skip /d.xhtml content-type",
      "page /e.json 200",
      "page /f 200",
      "page /h 200",
    ]);
  });

  test('reads everything by "any", and follows the links of HTML alone', async () => {
    const site = { ...SITE, [`${HOME}c.txt`]: { type: "text/plain", body: linksTo("/not") } };
    const { crawl } = fakeCrawl(site, { ...QUICK, contentTypes: "any", web: LEAVES });
    const results = told(await gather(crawl));
    expect(results.every((line) => line.startsWith("page"))).toBe(true);
    expect(results).toHaveLength(9);
    expect(results).not.toContain("page /not 200");
  });

  test("an error of another type is a page without a body", async () => {
    const { crawl } = fakeCrawl({ [HOME]: { status: 404, type: "image/png", body: "png" } }, QUICK);
    expect(await gather(crawl)).toMatchObject([{ type: "page", status: 404, body: new Uint8Array() }]);
  });
});

describe("crawl() and what pages ask for", () => {
  test("s-31: noindex is a mark and its links are followed; canonicals are data", async () => {
    const site = {
      [HOME]: `<link rel="canonical" href="./">${linksTo("/noindex", "/two", "/foreign")}`,
      [`${HOME}noindex`]: `<meta name="robots" content="noindex,follow">${linksTo("/child")}`,
      [`${HOME}two`]: '<link rel="canonical" href="/x"><link rel="canonical" href="/y">',
      [`${HOME}foreign`]: '<link rel="canonical" href="https://other.test/page">',
    };
    const { crawl, web } = fakeCrawl(site, { ...QUICK, web: LEAVES });
    const pages = Object.fromEntries(
      (await gather(crawl)).flatMap((page) =>
        page.type === "page" ? [[page.url.slice(HOME.length), page]] : [],
      ),
    );
    expect(pages[""]!.canonical).toBe(HOME);
    expect(pages.noindex!.directives).toMatchObject({ index: false, follow: true });
    expect(pages).toHaveProperty("child");
    expect(pages.two!.canonical).toBe(`${HOME}x`);
    expect(pages.foreign!.canonical).toBe("https://other.test/page");
    expect(web.log.every(({ url }) => url.startsWith(HOME))).toBe(true);
  });

  const NOFOLLOW = {
    [HOME]: `${linksTo("/header", "/meta")}<a href="/rel" rel="nofollow">3</a>`,
    [`${HOME}header`]: { body: linksTo("/h"), headers: { "x-robots-tag": "nofollow" } },
    [`${HOME}meta`]: `<meta name="robots" content="nofollow">${linksTo("/m")}`,
  };

  test("nofollow in header, meta and rel keeps links out, and says so", async () => {
    const { crawl, web } = fakeCrawl(NOFOLLOW, { ...QUICK, web: LEAVES });
    expect(told(await gather(crawl)).sort()).toEqual([
      "page / 200",
      "page /header 200",
      "page /meta 200",
      "skip /h nofollow",
      "skip /m nofollow",
      "skip /rel nofollow",
    ]);
    expect(web.log).toHaveLength(3);
  });

  test("directives: false follows all of them, and the page still tells them", async () => {
    const { crawl } = fakeCrawl(NOFOLLOW, { ...QUICK, directives: false, web: LEAVES });
    const results = await gather(crawl);
    expect(told(results).every((line) => line.startsWith("page"))).toBe(true);
    expect(results).toHaveLength(6);
    const meta = results.find(({ url }) => url.endsWith("/meta")) as Page;
    expect(meta.directives.follow).toBe(false);
  });

  test("a link that one page forbids and another allows is followed", async () => {
    const site = { [HOME]: `<a href="/x" rel="nofollow">x</a>${linksTo("/1")}`, [`${HOME}1`]: linksTo("/x") };
    const { crawl } = fakeCrawl(site, { ...QUICK, web: LEAVES });
    expect(told(await gather(crawl))).toContain("page /x 200");
  });
});

describe("follow", () => {
  test("false takes no links", async () => {
    const { crawl, web } = fakeCrawl({ [HOME]: linksTo("/1") }, { ...QUICK, follow: false });
    expect(told(await gather(crawl))).toEqual(["page / 200"]);
    expect(web.log).toHaveLength(1);
  });

  test("a function names the links, absolute or not, which pass scope and depth like any", async () => {
    const { crawl } = fakeCrawl(
      { [HOME]: linksTo("/1", "/2") },
      {
        ...QUICK,
        maxDepth: 1,
        follow: (page) =>
          page.url === HOME
            ? ["/x", new URL("https://a.test/y"), "z#top", "z", "https://b.test/", "http://"]
            : ["/deep"],
        web: LEAVES,
      },
    );
    expect(told(await gather(crawl)).sort()).toEqual([
      "page / 200",
      "page /x 200",
      "page /y 200",
      "page /z 200",
      "skip /deep depth",
      "skip http:// invalid-url",
      "skip https://b.test/ scope",
    ]);
  });
});
