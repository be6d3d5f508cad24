import { describe, expect, test } from "vitest";
import { Admission } from "../src/admission.ts";
import type { CrawlOptions } from "../src/options.ts";
import type { CrawlRequest } from "../src/request.ts";
import { requestHeaders, robotsHeaders } from "../src/request_headers.ts";
import { Scope } from "../src/scope.ts";
import { settle } from "../src/settings.ts";
import type { FakePage } from "../src/testing/fake_web.ts";
import { fakeCrawl, gather, HOME, linksTo } from "./support/fake_crawl.ts";

/** Admission with one seed, and the seed's request. */
function admitted(options: CrawlOptions, seed: Parameters<Admission["seed"]>[0] = HOME) {
  const settings = settle({ userAgent: "otter/1", ...options });
  const admission = new Admission(settings, new Scope("any", [], []), () => false);
  return { settings, admission, request: admission.seed(seed) as CrawlRequest };
}

function link(admission: Admission, url: string): CrawlRequest {
  return admission.link(url, HOME, 1) as CrawlRequest;
}

describe("requestHeaders()", () => {
  test("sends who asks, and what a page may be", () => {
    const { settings, admission, request } = admitted({});
    expect(Object.fromEntries(requestHeaders(request, settings, admission, undefined))).toEqual({
      accept: expect.stringContaining("text/html"),
      "user-agent": "otter/1",
    });
  });

  test("lets the caller's win over the crawl's, and the seed's over both", () => {
    const { settings, admission, request } = admitted(
      { headers: { "User-Agent": "mink/2", accept: "text/plain", "x-a": "1" } },
      { url: HOME, headers: { Accept: "text/css", "X-B": "2" } },
    );
    expect(Object.fromEntries(requestHeaders(request, settings, admission, undefined))).toEqual({
      accept: "text/css",
      "user-agent": "mink/2",
      "x-a": "1",
      "x-b": "2",
    });
  });

  test("keeps Authorization, Proxy-Authorization and Cookie of a record to the seeds' origins", () => {
    const headers = { AUTHORIZATION: "Bearer t", cookie: "a=b", "Proxy-Authorization": "p", "x-open": "1" };
    const { settings, admission, request } = admitted({ headers });
    const names = (of: CrawlRequest): string[] => [
      ...requestHeaders(of, settings, admission, undefined).keys(),
    ];
    const own = ["accept", "authorization", "cookie", "proxy-authorization", "user-agent", "x-open"];
    expect(names(request)).toEqual(own);
    expect(names(link(admission, `${HOME}1`))).toEqual(own);
    for (const url of [
      "http://a.test/1",
      "https://a.test:8443/1",
      "https://www.a.test/",
      "https://b.test/",
    ]) {
      expect(names(link(admission, url))).toEqual(["accept", "user-agent", "x-open"]);
    }
  });

  test("leaves it to a function what it sends where", () => {
    const { settings, admission } = admitted({
      headers: ({ url }) => ({ authorization: url.startsWith("https://b.test/") ? "b" : "a" }),
    });
    const sent = (url: string): string | null =>
      requestHeaders(link(admission, url), settings, admission, undefined).get("authorization");
    expect([sent("https://b.test/"), sent("https://c.test/")]).toEqual(["b", "a"]);
  });

  test("sends the credentials of a seed's URL to its origin alone, and a record's win", () => {
    const { settings, admission, request } = admitted({}, "https://me:p%40ss@a.test/x");
    expect(request.url).toBe("https://a.test/x");
    expect(request.key).toBe("https://a.test/x");
    const sent = (of: CrawlRequest): string | null =>
      requestHeaders(of, settings, admission, undefined).get("authorization");
    expect(sent(request)).toBe(`Basic ${btoa("me:p@ss")}`);
    expect(sent(link(admission, `${HOME}other`))).toBe(`Basic ${btoa("me:p@ss")}`);
    for (const url of ["http://a.test/", "https://b.test/", "https://a.test:8443/"]) {
      expect(sent(link(admission, url))).toBeNull();
    }
    const both = admitted({ headers: { authorization: "Bearer t" } }, "https://me:pass@a.test/");
    expect(requestHeaders(both.request, both.settings, both.admission, undefined).get("authorization")).toBe(
      "Bearer t",
    );
  });

  test("takes the jar's cookies, unless the caller has his own", () => {
    const jar = { header: () => "jar=1", store: () => {} } as unknown as Parameters<typeof requestHeaders>[3];
    const plain = admitted({});
    expect(requestHeaders(plain.request, plain.settings, plain.admission, jar).get("cookie")).toBe("jar=1");
    const own = admitted({ headers: { cookie: "own=1" } });
    expect(requestHeaders(own.request, own.settings, own.admission, jar).get("cookie")).toBe("own=1");
  });
});

describe("robotsHeaders()", () => {
  test("are those of a page, but for what is accepted", () => {
    const { settings, admission } = admitted(
      { headers: { "x-a": "1", accept: "text/html", cookie: "a=b" } },
      "https://me:pass@a.test/",
    );
    expect(Object.fromEntries(robotsHeaders(`${HOME}robots.txt`, settings, admission))).toEqual({
      accept: "text/plain,*/*;q=0.5",
      authorization: `Basic ${btoa("me:pass")}`,
      cookie: "a=b",
      "user-agent": "otter/1",
      "x-a": "1",
    });
    expect(Object.fromEntries(robotsHeaders("https://b.test/robots.txt", settings, admission))).toEqual({
      accept: "text/plain,*/*;q=0.5",
      "user-agent": "otter/1",
      "x-a": "1",
    });
  });
});

describe("secrets of a crawl", () => {
  test("never go along a redirect or a link to another origin, of a page, a sitemap or robots.txt", async () => {
    const pages: Record<string, FakePage> = {
      "https://b.test/robots.txt": "",
      [`${HOME}robots.txt`]: { status: 302, location: "https://b.test/robots.txt" },
      [`${HOME}sitemap.xml`]: { status: 302, location: "https://b.test/sitemap.xml" },
      [HOME]: linksTo("/out", "https://user:pw@b.test/link", "http://a.test/plain"),
      [`${HOME}out`]: { status: 307, location: "https://x:y@b.test/landed" },
    };
    const fake = fakeCrawl(pages, {
      seeds: { url: "https://me:secret@a.test/", headers: { cookie: "seed=1", "x-seed": "1" } },
      scope: "any",
      sitemaps: true,
      delayMs: 0,
      headers: { authorization: "Bearer t", cookie: "record=1" },
    });
    await gather(fake.crawl);
    const secrets = (prefix: string): (string | null)[] =>
      fake.web.log
        .filter(({ url }) => url.startsWith(prefix))
        .flatMap(({ headers }) => [headers.get("authorization"), headers.get("cookie")]);
    expect(secrets("https://b.test/").length).toBeGreaterThanOrEqual(8);
    expect(new Set(secrets("https://b.test/"))).toEqual(new Set([null]));
    expect(new Set(secrets("http://a.test/"))).toEqual(new Set([null]));
    expect(secrets(HOME)).not.toContain(null);
    expect(fake.web.log.every(({ url }) => !url.includes("@"))).toBe(true);
  });

  test("of a seed's own headers stay with its redirects within the origin alone", async () => {
    const pages: Record<string, FakePage> = {
      [HOME]: { status: 302, location: "/2" },
      [`${HOME}2`]: { status: 302, location: "https://b.test/3" },
      "https://b.test/3": { status: 302, location: `${HOME}4` },
    };
    const seeds = { url: HOME, headers: { authorization: "own", "x-seed": "1" } };
    const fake = fakeCrawl(pages, { seeds, robots: false, delayMs: 0 });
    await gather(fake.crawl);
    expect(
      fake.web.log.map(({ url, headers }) => [url, headers.get("authorization"), headers.get("x-seed")]),
    ).toEqual([
      [HOME, "own", "1"],
      [`${HOME}2`, "own", "1"],
      ["https://b.test/3", null, "1"],
      // Fetch standard, HTTP-redirect fetch: what was taken off does not come back.
      [`${HOME}4`, null, "1"],
    ]);
  });
});
