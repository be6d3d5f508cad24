import { describe, expect, test } from "vitest";
import { outlinksOf, Page, type PageReaders } from "../src/page.ts";
import * as usualReaders from "../src/page_readers.ts";
import type { CrawlRequest } from "../src/request.ts";

const URL_OF_PAGE = "https://a.test/docs/page";

interface Answer {
  status?: number;
  body?: string | Uint8Array;
  type?: string | null;
  headers?: Record<string, string>;
  request?: Partial<CrawlRequest>;
  readers?: PageReaders;
}

function pageOf({
  status = 200,
  body = "",
  type = "text/html; charset=utf-8",
  headers = {},
  request = {},
  readers = usualReaders,
}: Answer): Page {
  const all = new Headers(headers);
  if (type !== null) all.set("content-type", type);
  return new Page({
    request: {
      url: URL_OF_PAGE,
      key: URL_OF_PAGE,
      host: "a.test",
      depth: 0,
      priority: 0,
      order: 1,
      ...request,
    },
    status,
    headers: all,
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    timings: { startedAtMs: 1_000, responseMs: 25 },
    userAgent: "otter/1.0",
    readers,
  });
}

describe("Page", () => {
  test("tells where it came from, and when", () => {
    const redirects = [{ url: "https://a.test/old", status: 301 }];
    const page = pageOf({ request: { depth: 2, referrer: "https://a.test/", redirects } });
    expect(page).toMatchObject({
      type: "page",
      url: URL_OF_PAGE,
      status: 200,
      depth: 2,
      referrer: "https://a.test/",
      redirects,
      timings: { startedAtMs: 1_000, responseMs: 25 },
    });
    expect(pageOf({})).toMatchObject({ depth: 0, referrer: undefined, redirects: [] });
  });

  test.each([
    [199, false],
    [200, true],
    [204, true],
    [299, true],
    [300, false],
    [404, false],
    [500, false],
    [999, false],
  ])("of status %i says ok: %s", (status, ok) => {
    expect(pageOf({ status }).ok).toBe(ok);
  });

  test("reads text by its charset, once", () => {
    const octets = Uint8Array.from([0x63, 0x61, 0x66, 0xe9]);
    const page = pageOf({ body: octets, type: "text/html; charset=iso-8859-1" });
    expect([page.text, page.charset]).toEqual(["caf\u00e9", "windows-1252"]);
    octets[0] = 0x7a;
    expect(page.text).toBe("caf\u00e9");
  });

  test("s-28: finds the charset that only the page itself declares", () => {
    const head = new TextEncoder().encode('<meta charset="Shift_JIS"><title>');
    const body = Uint8Array.from([
      ...head,
      0x96,
      0x7b,
      0x82,
      0xcc,
      0x8a,
      0x58,
      ...new TextEncoder().encode('</title><a href="/x">x</a>'),
    ]);
    const page = pageOf({ body, type: "text/html" });
    expect(page.title).toBe("\u672c\u306e\u8857");
    expect(page.links.map(({ url }) => url)).toEqual(["https://a.test/x"]);
  });

  test("resolves links against its URL and its base", () => {
    expect(
      pageOf({ body: '<a href="next">n</a><a href="../up">u</a><a href="?q">q</a>' }).links.map(
        ({ url }) => url,
      ),
    ).toEqual(["https://a.test/docs/next", "https://a.test/up", "https://a.test/docs/page?q"]);
    expect(pageOf({ body: '<base href="/other/"><a href="next">n</a>' }).links[0]!.url).toBe(
      "https://a.test/other/next",
    );
  });

  test("reads links, title and directives once: the same objects come back", () => {
    const page = pageOf({ body: "<title> A \n title </title><a href=x>x</a>" });
    expect(page.title).toBe("A title");
    expect(page.links).toBe(page.links);
    expect(page.directives).toBe(page.directives);
  });

  test.each(["text/plain", "application/json", "image/png"])("of %s has no links and no title", (type) => {
    const page = pageOf({ type, body: "<title>t</title><a href=/x>x</a>" });
    expect([page.links, page.title, page.contentType]).toEqual([[], undefined, type]);
  });

  test("of XHTML has both", () => {
    const page = pageOf({ type: "application/xhtml+xml", body: '<title>t</title><a href="/x">x</a>' });
    expect([page.title, page.links.length]).toEqual(["t", 1]);
  });

  test("reads directives for its own product token, from header and document", () => {
    const body =
      '<meta name="otter" content="nofollow"><meta name="lynx" content="noindex"><link rel="canonical" href="./self">';
    const page = pageOf({ body, headers: { "x-robots-tag": "noarchive" } });
    expect(page.directives).toMatchObject({ follow: false, index: true });
    expect(page.canonical).toBe("https://a.test/docs/self");
    expect(pageOf({}).canonical).toBeUndefined();
  });

  test("of another type reads the directives of its header alone", () => {
    const page = pageOf({
      type: "text/plain",
      body: '<meta name="robots" content="noindex">',
      headers: { "x-robots-tag": "nofollow" },
    });
    expect(page.directives).toMatchObject({ index: true, follow: false });
  });

  test("is told by its body where there is no Content-Type, and by nothing where there is no body", () => {
    expect(pageOf({ type: null, body: "<!doctype html><a href=/x>x</a>" })).toMatchObject({
      contentType: "text/html",
    });
    expect(pageOf({ type: null, body: "<!doctype html><a href=/x>x</a>" }).links).toHaveLength(1);
    expect(pageOf({ type: null }).contentType).toBeUndefined();
  });

  test("document() gives HTML and XML as a document, and refuses the rest", async () => {
    const html = await pageOf({ body: "<h1 class=x>Title</h1>" }).document();
    expect(html.querySelector("h1.x")?.textContent).toBe("Title");
    const xml = await pageOf({ type: "application/rss+xml", body: "<rss><Item>1</Item></rss>" }).document();
    expect(xml.querySelector("Item")?.textContent).toBe("1");
    await expect(pageOf({ type: "text/plain", body: "x" }).document()).rejects.toThrow(
      `Cannot read '${URL_OF_PAGE}' as a document as it is text/plain`,
    );
    await expect(pageOf({ type: null }).document()).rejects.toThrow(/of no known type/);
  });

  test("json() gives what the body says, whatever its type, and throws where it is none", () => {
    expect(pageOf({ type: "application/json", body: '\u{feff}{"a":[1,null]}' }).json()).toEqual({
      a: [1, null],
    });
    expect(pageOf({ type: "text/plain", body: "5" }).json()).toBe(5);
    expect(() => pageOf({ body: "<p>" }).json()).toThrow(SyntaxError);
  });
});

describe("outlinksOf()", () => {
  test("gives a page's links as written, with their URLs when they are asked for", () => {
    const page = pageOf({ body: '<base href="/b/"><a href=x rel=nofollow>X</a><a href="http://"></a>' });
    const outlinks = outlinksOf(page);
    expect(outlinks.base).toBe("https://a.test/b/");
    expect(outlinks.found.map(({ href, rel }) => [href, rel, outlinks.urlOf(href)])).toEqual([
      ["x", ["nofollow"], "https://a.test/b/x"],
      ["http://", [], undefined],
    ]);
    expect(outlinksOf(pageOf({ type: "text/plain", body: "<a href=/x>" })).found).toEqual([]);
  });

  test("reads a document once, with the texts of links only where they are asked for", () => {
    const read: string[] = [];
    const readers: PageReaders = {
      ...usualReaders,
      readHtml(...args) {
        read.push("whole");
        return usualReaders.readHtml(...args);
      },
      skimHtml(...args) {
        read.push("skimmed");
        return usualReaders.skimHtml(...args);
      },
    };
    const body = "<title>T</title><a href=/x>X</a>";
    const skimmed = pageOf({ body, readers });
    expect([skimmed.title, skimmed.directives.follow, outlinksOf(skimmed).found.length]).toEqual([
      "T",
      true,
      1,
    ]);
    expect(read).toEqual(["skimmed"]);
    expect(skimmed.links[0]?.text).toBe("X");
    expect(read).toEqual(["skimmed", "whole"]);

    read.length = 0;
    const whole = pageOf({ body, readers });
    expect([whole.links.length, whole.title, outlinksOf(whole).found.length]).toEqual([1, "T", 1]);
    expect(read).toEqual(["whole"]);
  });
});
