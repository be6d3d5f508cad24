import { describe, expect, test } from "vitest";
import { Admission, withoutSecrets } from "../src/admission.ts";
import type { CrawlOptions } from "../src/options.ts";
import type { CrawlRequest } from "../src/request.ts";
import { Scope } from "../src/scope.ts";
import { checkedSeed, type Seed } from "../src/seed.ts";
import { settle } from "../src/settings.ts";

const HOME = "https://a.test/";

function admissionOf(options: CrawlOptions = {}, seeds: Seed[] = [HOME], seen: readonly string[] = []) {
  const settings = settle(options);
  const scope = new Scope(settings.scope, settings.include, settings.exclude);
  const admission = new Admission(settings, scope, (key) => seen.includes(key));
  const requests = seeds.map((seed) => admission.seed(seed)) as CrawlRequest[];
  return { admission, requests, seed: requests[0]! };
}

describe("checkedSeed()", () => {
  test("gives a seed as an object", () => {
    const url = new URL(HOME);
    expect([checkedSeed(HOME), checkedSeed(url), checkedSeed({ url, tag: "t" })]).toEqual([
      { url: HOME },
      { url },
      { url, tag: "t" },
    ]);
  });

  test.each([
    [{ url: HOME, headers: { "no header": "x" } }, TypeError, /'headers' must be names and values of HTTP/],
    [{ url: HOME, headers: [["a", "b"]] }, TypeError, /'headers' must be a record/],
    [{ url: HOME, headers: new Headers({ a: "b" }) }, TypeError, /'headers' must be a record/],
    [{ url: HOME, method: "POST", body: 5 }, TypeError, /'body' must be a string: received 5/],
    [{ url: HOME, body: "x" }, TypeError, /'body' needs a method that takes one: received GET/],
    [{ url: HOME, method: "head", body: "x" }, TypeError, /'body' needs a method/],
    [{ url: HOME, depth: 1.5 }, RangeError, /'depth' must be a whole number of 0 or more: received 1.5/],
    [{ url: HOME, priority: Number.NaN }, RangeError, /'priority' must be a finite number: received NaN/],
  ])("refuses %o", (seed, kind, message) => {
    const check = (): unknown => checkedSeed(seed as never);
    expect(check).toThrow(kind);
    expect(check).toThrow(message);
  });
});

describe("Admission.seed()", () => {
  test("makes a request that is sent as written, without fragment and credentials", () => {
    const { requests, admission } = admissionOf({}, ["https://me:pw@A.test:443/%7ex?b=2&a=1#top"]);
    expect(requests[0]).toEqual({
      url: "https://a.test/%7ex?b=2&a=1",
      key: "https://a.test/~x?b=2&a=1",
      host: "a.test",
      depth: 0,
      priority: 0,
      order: 1,
      seed: true,
    });
    expect(admission.secrets("https://a.test/other")).toEqual({
      isSeedOrigin: true,
      authorization: `Basic ${btoa("me:pw")}`,
    });
    expect(admission.secrets("http://a.test/")).toEqual({ isSeedOrigin: false, authorization: undefined });
  });

  test("gives each request the next order", () => {
    const { requests } = admissionOf({}, [HOME, `${HOME}1`, `${HOME}2`]);
    expect(requests.map(({ order }) => order)).toEqual([1, 2, 3]);
  });

  test("tells requests of other methods apart by method and body, in any case of the method", () => {
    const { requests } = admissionOf({}, [
      HOME,
      { url: HOME, method: "get" },
      { url: HOME, method: "post", body: "a" },
      { url: HOME, method: "POST", body: "a" },
      { url: HOME, method: "POST", body: "b" },
      { url: HOME, method: "HEAD" },
    ]);
    const keys = requests.map(({ key }) => key);
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).toBe(keys[3]);
    expect(new Set(keys).size).toBe(4);
    expect(requests.map(({ method }) => method)).toEqual([undefined, "GET", "POST", "POST", "POST", "HEAD"]);
  });

  test("takes its own priority, else the function's, else minus its depth", () => {
    const seeds: Seed[] = [
      { url: HOME, priority: 7 },
      { url: HOME, depth: 3 },
    ];
    expect(admissionOf({}, seeds).requests.map(({ priority }) => priority)).toEqual([7, -3]);
    expect(
      admissionOf({ priority: ({ depth }) => depth * 10 }, seeds).requests.map(({ priority }) => priority),
    ).toEqual([7, 30]);
  });

  test("refuses a private address by deny", () => {
    expect(admissionOf({ privateAddresses: "deny" }, ["http://10.0.0.1/"]).requests[0]).toEqual({
      refused: "private-address",
      url: "http://10.0.0.1/",
    });
  });
});

describe("Admission.link()", () => {
  test("makes a request one hop further, without the seed's own", () => {
    const { admission } = admissionOf({}, [{ url: HOME, tag: "t", headers: { a: "b" }, data: 1 }]);
    expect(admission.link("https://a.test/1#x", HOME, 1)).toEqual({
      url: "https://a.test/1",
      key: "https://a.test/1",
      host: "a.test",
      depth: 1,
      priority: -1,
      order: 2,
      referrer: HOME,
    });
  });

  test.each([
    "mailto:a@a.test",
    "http://",
    "https://",
    "/relative",
    "",
    "javascript:void 0",
    "http://xn--fx-3s9cx68e-jpnet.test/",
  ])("refuses %j as no URL", (url) => {
    expect(admissionOf().admission.link(url, HOME, 1)).toEqual({ refused: "invalid-url", url });
  });

  test("gives nothing for what has been seen", () => {
    const { admission } = admissionOf({}, [HOME], ["https://a.test/1"]);
    expect(admission.link("https://A.test/%31", HOME, 1)).toBeUndefined();
  });

  test("refuses by private address before scope, and by scope before depth", () => {
    const { admission } = admissionOf({ maxDepth: 0 });
    const refusals = ["http://10.0.0.1/", "https://b.test/", "https://a.test/1"].map((url) =>
      admission.link(url, HOME, 1),
    );
    expect(refusals).toMatchObject([
      { refused: "private-address" },
      { refused: "scope" },
      { refused: "depth" },
    ]);
  });

  test("hands what would be queued to a scope of the caller's", () => {
    const asked: string[] = [];
    const { admission } = admissionOf({
      scope: (url, request) => {
        asked.push(`${url.pathname} ${request.depth} ${request.referrer}`);
        return true;
      },
    });
    admission.link("https://b.test/1", HOME, 4);
    expect(asked).toEqual([`/1 4 ${HOME}`]);
  });
});

describe("Admission.isSettled()", () => {
  test.each([
    ["seen", "https://a.test/1", true],
    ["no URL to ask for", "mailto:a@a.test", true],
    ["out of scope", "https://b.test/", true],
    ["new", "https://a.test/2", false],
    ["in a private network", "http://10.0.0.1/", false],
  ])("tells at sight what was found to be %s: %s", (_, url, isSettled) => {
    const { admission } = admissionOf({}, [HOME], ["https://a.test/1"]);
    expect(admission.isSettled(url)).toBe(false);
    admission.link(url, HOME, 1);
    expect(admission.isSettled(url)).toBe(isSettled);
  });

  test("tells a link as it is written where it was settled, until the scope is larger", () => {
    const { admission } = admissionOf();
    admission.settle("x", "https://a.test/docs/");
    expect([
      admission.isSettled("x", "https://a.test/docs/"),
      admission.isSettled("x", "https://a.test/"),
      admission.isSettled("x"),
    ]).toEqual([true, false, false]);
    admission.seed("https://b.test/");
    expect(admission.isSettled("x", "https://a.test/docs/")).toBe(false);
  });

  test("leaves open what is too deep on this page: another may be nearer", () => {
    const { admission } = admissionOf({ maxDepth: 1 });
    expect(admission.link("https://a.test/1", HOME, 2)).toMatchObject({ refused: "depth" });
    expect(admission.isSettled("https://a.test/1")).toBe(false);
  });

  test("leaves open what a scope of the caller's refused: it may go by the page too", () => {
    const { admission } = admissionOf({ scope: () => false });
    expect(admission.link("https://b.test/", HOME, 1)).toMatchObject({ refused: "scope" });
    expect(admission.isSettled("https://b.test/")).toBe(false);
  });

  test("begins anew where a seed has made the scope larger", () => {
    const { admission } = admissionOf();
    admission.link("https://b.test/1", HOME, 1);
    admission.seed("https://b.test/");
    expect(admission.isSettled("https://b.test/1")).toBe(false);
    expect(admission.link("https://b.test/1", HOME, 1)).toMatchObject({ key: "https://b.test/1" });
  });
});

describe("Admission.entry() and sitemap()", () => {
  test("an entry is one hop from its sitemap's place, and moved forward by its hint", () => {
    const { admission } = admissionOf();
    const map = admission.sitemap(`${HOME}map.xml`) as CrawlRequest;
    expect(map).toMatchObject({
      kind: "sitemap",
      depth: 0,
      nesting: 0,
      key: "sitemap https://a.test/map.xml",
    });
    expect(admission.entry(`${HOME}1`, map, 0.25)).toMatchObject({
      depth: 1,
      priority: -0.75,
      referrer: `${HOME}map.xml`,
    });
    expect(admission.entry("https://b.test/", map, 0)).toMatchObject({ refused: "scope" });
  });

  test("a sitemap of an index is nested one deeper, and may be on any public host", () => {
    const { admission } = admissionOf();
    const index = admission.sitemap(`${HOME}index.xml`) as CrawlRequest;
    expect(admission.sitemap("https://cdn.test/part.xml", index)).toMatchObject({
      nesting: 1,
      depth: 0,
      referrer: `${HOME}index.xml`,
    });
    expect(admission.sitemap("http://10.0.0.1/", index)).toMatchObject({ refused: "private-address" });
    expect(admission.sitemap("map.xml", index)).toMatchObject({ refused: "invalid-url" });
  });
});

describe("Admission.redirect()", () => {
  test("keeps what the request was, and notes the hop", () => {
    const { admission, seed } = admissionOf({}, [{ url: HOME, tag: "t", data: [1], depth: 2, priority: 5 }]);
    const once = admission.redirect({ ...seed, attempts: 2 }, 301, "https://b.test/x#y") as CrawlRequest;
    expect(once).toEqual({
      ...seed,
      url: "https://b.test/x",
      key: "https://b.test/x",
      host: "b.test",
      redirects: [{ url: HOME, status: 301 }],
    });
    const twice = admission.redirect(once, 302, "https://c.test/") as CrawlRequest;
    expect(twice.redirects).toEqual([
      { url: HOME, status: 301 },
      { url: "https://b.test/x", status: 302 },
    ]);
  });

  test("refuses a link's target out of scope, and takes a seed's anywhere public", () => {
    const { admission, seed } = admissionOf();
    const link = admission.link(`${HOME}1`, HOME, 1) as CrawlRequest;
    expect(admission.redirect(link, 302, "https://b.test/")).toMatchObject({
      refused: "scope",
      url: "https://b.test/",
    });
    expect(admission.redirect(link, 302, `${HOME}2`)).toMatchObject({ url: `${HOME}2`, depth: 1 });
    expect(admission.redirect(seed, 302, "https://b.test/")).toMatchObject({
      url: "https://b.test/",
      seed: true,
    });
    expect(admission.redirect(seed, 302, "http://[::1]/")).toMatchObject({ refused: "private-address" });
  });

  test("lets a private seed lead on in private networks", () => {
    const { admission, seed } = admissionOf({}, ["http://localhost/"]);
    expect(admission.redirect(seed, 302, "http://127.0.0.1:8080/")).toMatchObject({
      url: "http://127.0.0.1:8080/",
    });
  });
});

describe("withoutSecrets()", () => {
  test("takes off what authenticates, in any case", () => {
    const secrets = { Authorization: "1", cookie: "2", "PROXY-authorization": "3" };
    expect(withoutSecrets({ ...secrets, "x-api": "4", accept: "5" })).toEqual({ "x-api": "4", accept: "5" });
  });
});
