import { describe, expect, test } from "vitest";
import { MemoryFrontier } from "../src/frontier/memory.ts";
import { SeenTable } from "../src/frontier/seen.ts";
import type { Page } from "../src/page.ts";
import { fakeCrawl, gather, HOME, linksTo, told } from "./support/fake_crawl.ts";

const to = (location: string, status = 302) => ({ status, location });
const LEAVES = { otherwise: "leaf" };
const QUICK = { delayMs: 0, robots: false } as const;

describe("crawl() and redirects", () => {
  test("gives the final page with the chain that led to it", async () => {
    const site = { [HOME]: to("/b", 301), [`${HOME}b`]: to("/c", 307), [`${HOME}c`]: linksTo("d") };
    const { crawl, events } = fakeCrawl(site, { ...QUICK, web: LEAVES });
    const [page, child] = (await gather(crawl)) as Page[];
    expect(page).toMatchObject({ url: `${HOME}c`, status: 200, depth: 0 });
    expect(page!.redirects).toEqual([
      { url: HOME, status: 301 },
      { url: `${HOME}b`, status: 307 },
    ]);
    expect(child).toMatchObject({ url: `${HOME}d`, referrer: `${HOME}c`, redirects: [] });
    expect(await crawl.finished).toMatchObject({ accepted: 2, pages: 2, redirects: 2, requests: 4 });
    const hops = events.flatMap((event) => (event.type === "redirected" ? [[event.status, event.to]] : []));
    expect(hops).toEqual([
      [301, `${HOME}b`],
      [307, `${HOME}c`],
    ]);
  });

  test.each([301, 302, 303, 307, 308])("follows %i", async (status) => {
    const { crawl } = fakeCrawl({ [HOME]: to("/b", status), [`${HOME}b`]: "leaf" }, QUICK);
    expect(told(await gather(crawl))).toEqual(["page /b 200"]);
  });

  test.each([300, 304, 305, 306])("takes %i for a page that is not ok", async (status) => {
    const { crawl } = fakeCrawl({ [HOME]: to("/b", status) }, QUICK);
    expect(told(await gather(crawl))).toEqual([`page / ${status}`]);
  });

  test("s-09: two URLs that land on one page fetch and report it once, whatever is in flight", async () => {
    const site = {
      [HOME]: linksTo("/a", "/b", "/c/"),
      [`${HOME}a`]: to("/c/", 301),
      [`${HOME}b`]: to("/c/", 301),
      [`${HOME}c/`]: linksTo("d"),
      [`${HOME}c/d`]: "leaf",
    };
    for (const concurrency of [1, 8]) {
      const { crawl, web } = fakeCrawl(site, { ...QUICK, concurrency, hostConcurrency: concurrency });
      const results = told(await gather(crawl));
      expect(web.urls().sort()).toEqual([HOME, `${HOME}a`, `${HOME}b`, `${HOME}c/`, `${HOME}c/d`]);
      expect(results.sort()).toEqual([
        "page / 200",
        "page /c/ 200",
        "page /c/d 200",
        "skip /a seen",
        "skip /b seen",
      ]);
      expect(await crawl.finished).toMatchObject({ accepted: 5, pages: 3, skips: 2 });
    }
  });

  test("s-10: a page that redirects to itself with a cookie is a loop without a jar, and tried once", async () => {
    const gate = (_: number, { headers }: { headers: Headers }) =>
      headers.get("cookie") === "seen=1" ? "inside" : { ...to("/gate"), headers: { "set-cookie": "seen=1" } };
    const without = fakeCrawl({ [`${HOME}gate`]: gate }, { ...QUICK, seeds: `${HOME}gate` });
    const [failure] = await gather(without.crawl);
    expect(failure).toMatchObject({ type: "failure", reason: "redirect", attempts: 1, status: 302 });
    expect(without.web.log).toHaveLength(1);

    const withJar = fakeCrawl({ [`${HOME}gate`]: gate }, { ...QUICK, seeds: `${HOME}gate`, cookies: true });
    expect(told(await gather(withJar.crawl))).toEqual(["page /gate 200"]);
    expect(withJar.web.log).toHaveLength(2);
    expect(await withJar.crawl.finished).toMatchObject({ accepted: 1, pages: 1, queued: 0 });
  });

  test("s-10: a loop that no cookie ends, ends at maxRedirects", async () => {
    const { crawl, web } = fakeCrawl({ [HOME]: to("/") }, { ...QUICK, cookies: true, maxRedirects: 5 });
    expect(told(await gather(crawl))).toEqual(["failure / redirect"]);
    expect(web.log).toHaveLength(6);
  });

  test("a loop of several is one failure, and is not retried", async () => {
    const site = { [HOME]: to("/b"), [`${HOME}b`]: to("/c"), [`${HOME}c`]: to("/b") };
    const { crawl, web } = fakeCrawl(site, QUICK);
    expect(told(await gather(crawl))).toEqual(["failure /c redirect"]);
    expect(web.urls()).toEqual([HOME, `${HOME}b`, `${HOME}c`]);
  });

  test("follows up to maxRedirects hops, and no more", async () => {
    const hop = (_: number, { url }: { url: string }) => to(`${url}x`);
    for (const maxRedirects of [0, 1, 10]) {
      const { crawl, web } = fakeCrawl({}, { ...QUICK, maxRedirects, web: { otherwise: hop } });
      const [failure] = await gather(crawl);
      expect(failure).toMatchObject({ type: "failure", reason: "redirect" });
      expect(web.log).toHaveLength(maxRedirects + 1);
    }
    const site = { [HOME]: to("/1"), [`${HOME}1`]: to("/2"), [`${HOME}2`]: "leaf" };
    const { crawl } = fakeCrawl(site, { ...QUICK, maxRedirects: 2 });
    expect(told(await gather(crawl))).toEqual(["page /2 200"]);
  });

  test.each([
    ["no Location", { status: 302 }],
    ["no URL", to("http://")],
    ["another scheme", to("ftp://a.test/")],
    ["a mail address", to("mailto:a@a.test")],
  ])("with %s is a failure", async (_, answer) => {
    const { crawl } = fakeCrawl({ [HOME]: answer }, QUICK);
    expect(told(await gather(crawl))).toEqual(["failure / redirect"]);
  });

  test("takes the fragment off, and resolves against the URL that was asked", async () => {
    const { crawl, web } = fakeCrawl(
      { [`${HOME}x/y`]: to("../z#top"), [`${HOME}z`]: "leaf" },
      { ...QUICK, seeds: `${HOME}x/y` },
    );
    expect(told(await gather(crawl))).toEqual(["page /z 200"]);
    expect(web.urls()).toEqual([`${HOME}x/y`, `${HOME}z`]);
  });

  test("each hop passes robots.txt", async () => {
    const site = {
      [`${HOME}robots.txt`]: "User-agent: *\nDisallow: /closed",
      [HOME]: to("/closed/a"),
    };
    const { crawl, web } = fakeCrawl(site, { web: LEAVES });
    expect(told(await gather(crawl))).toEqual(["skip /closed/a robots"]);
    expect(web.urls()).toEqual([HOME]);
    expect(await crawl.finished).toMatchObject({ accepted: 1, skips: 1, queued: 0 });
  });

  test("each hop passes its own host's gate and robots.txt", async () => {
    const site = {
      [HOME]: to("https://b.test/x"),
      "https://b.test/robots.txt": "User-agent: *\nDisallow: /x",
    };
    const { crawl, web } = fakeCrawl(site);
    expect(told(await gather(crawl))).toEqual(["skip https://b.test/x robots"]);
    expect(web.log.map(({ url }) => url)).toEqual([`${HOME}robots.txt`, HOME, "https://b.test/robots.txt"]);
  });
});

describe("crawl(), redirects and scope", () => {
  test("the host on which a seed lands is kept before its page is read, so that a kill loses nothing of it", async () => {
    const saved: { territories: string[] }[] = [];
    const frontier = Object.assign(new MemoryFrontier(new SeenTable(1)), {
      saveState: (state: unknown) => {
        saved.push(structuredClone(state) as { territories: string[] });
      },
    });
    const site = { [HOME]: to("https://b.test/"), "https://b.test/": "leaf" };
    const { crawl } = fakeCrawl(site, { ...QUICK, frontier });
    const reader = crawl.getReader();
    expect((await reader.read()).value).toMatchObject({ url: "https://b.test/" });
    expect(saved.at(-1)?.territories).toEqual(["a.test", "b.test"]);
    await reader.cancel();
  });

  test("s-08 a: a page in scope that leads out of it is skipped, and its target not asked", async () => {
    const site = { [HOME]: linksTo("/out"), [`${HOME}out`]: to("https://other.test/landing") };
    const { crawl, web } = fakeCrawl(site, QUICK);
    const results = await gather(crawl);
    expect(told(results)).toEqual(["page / 200", "skip /out scope"]);
    expect(results[1]).toMatchObject({ status: 302, detail: "it redirects to https://other.test/landing" });
    expect(web.log.some(({ url }) => url.startsWith("https://other.test"))).toBe(false);
  });

  test("s-08 b: a seed that redirects within its origin starts the crawl", async () => {
    const site = { [`${HOME}old`]: to("/new/", 301), [`${HOME}new/`]: linksTo("a") };
    const { crawl, events } = fakeCrawl(site, { ...QUICK, seeds: `${HOME}old`, web: LEAVES });
    expect(told(await gather(crawl))).toEqual(["page /new/ 200", "page /new/a 200"]);
    expect(events.some(({ type }) => type === "scope")).toBe(false);
  });

  test.each(["origin", "host", "domain", "prefix"] as const)(
    "s-08 b: a seed that redirects across origins takes the scope %s along, and an event says so",
    async (scope) => {
      const site = {
        [HOME]: to("https://mid.test/"),
        "https://mid.test/": to("https://www.b.test/start/", 301),
        "https://www.b.test/start/": linksTo("deep", "https://mid.test/no"),
      };
      const { crawl, events } = fakeCrawl(site, { ...QUICK, scope, web: LEAVES });
      expect(told(await gather(crawl))).toEqual([
        "page https://www.b.test/start/ 200",
        "skip https://mid.test/no scope",
        "page https://www.b.test/start/deep 200",
      ]);
      expect(events.filter(({ type }) => type === "scope")).toMatchObject([
        { host: "www.b.test", from: HOME },
      ]);
    },
  );

  test("s-08 c: hosts are told apart by their labels, not by how they end", async () => {
    const links = linksTo(
      "https://nota.test/",
      "https://sub.a.test/",
      "https://a.test.evil.test/",
      "https://a.test:444/",
    );
    const { crawl, web } = fakeCrawl({ [HOME]: links }, { ...QUICK, web: LEAVES });
    await gather(crawl);
    expect(web.urls()).toEqual([HOME]);
    const domain = fakeCrawl({ [HOME]: links }, { ...QUICK, scope: "domain", web: LEAVES });
    await gather(domain.crawl);
    expect(domain.web.urls().sort()).toEqual([HOME, "https://a.test:444/", "https://sub.a.test/"].sort());
  });

  test("a seed that lands on an error takes no scope along but its own page", async () => {
    const site = { [HOME]: to("https://b.test/gone") };
    const { crawl } = fakeCrawl(site, QUICK);
    expect(told(await gather(crawl))).toEqual(["page https://b.test/gone 404"]);
  });

  test("nothing public leads into a private network", async () => {
    const site = { [HOME]: to("http://169.254.1.1/meta") };
    const { crawl, web } = fakeCrawl(site, { ...QUICK, web: LEAVES });
    expect(told(await gather(crawl))).toEqual(["skip / private-address"]);
    expect(web.urls()).toEqual([HOME]);
  });
});

describe("crawl(), redirects and what is sent along", () => {
  const post = { method: "POST", body: "a=1", headers: { "content-type": "text/plain", "x-own": "1" } };

  test.each([
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "POST", "GET"],
    [307, "POST", "POST"],
    [308, "POST", "POST"],
    [301, "PUT", "PUT"],
    [302, "PATCH", "PATCH"],
    [303, "PUT", "GET"],
    [303, "HEAD", "HEAD"],
    [302, "HEAD", "HEAD"],
  ])("%i makes of %s %s", async (status, method, then) => {
    const hasBody = method !== "HEAD";
    const seed = { url: HOME, method, ...(hasBody && { body: "a=1" }), headers: post.headers };
    const { crawl, web } = fakeCrawl({ [HOME]: to("/b", status) }, { ...QUICK, seeds: seed, web: LEAVES });
    await gather(crawl);
    const [, second] = web.log;
    expect(second).toMatchObject({
      url: `${HOME}b`,
      method: then,
      body: then === "GET" || !hasBody ? undefined : "a=1",
    });
    expect(second!.headers.get("content-type")).toBe(then === "GET" ? null : "text/plain");
    expect(second!.headers.get("x-own")).toBe("1");
  });

  const SECRETS = { authorization: "Bearer s3cret", cookie: "id=1", "x-plain": "1" };

  test("secrets in `headers` go to the seeds' origins only, not even by a redirect", async () => {
    const site = {
      [HOME]: linksTo("/out", "/in"),
      [`${HOME}out`]: to("https://b.test/"),
      [`${HOME}in`]: to("/inner"),
    };
    const { crawl, web } = fakeCrawl(site, { ...QUICK, scope: "any", headers: SECRETS, web: LEAVES });
    await gather(crawl);
    for (const { url, headers } of web.log) {
      const isOwn = url.startsWith(HOME);
      expect(headers.get("authorization")).toBe(isOwn ? SECRETS.authorization : null);
      expect(headers.get("cookie")).toBe(isOwn ? SECRETS.cookie : null);
      expect(headers.get("x-plain")).toBe("1");
    }
    expect(web.urls()).toContain("https://b.test/");
  });

  test("secrets in a seed's own headers stay at its origin, and do not come back by a second redirect", async () => {
    const site = { [HOME]: to("https://b.test/", 307), "https://b.test/": to(`${HOME}back`, 307) };
    const seeds = { url: HOME, headers: { Authorization: "Bearer s3cret", Cookie: "id=1", "x-plain": "1" } };
    const { crawl, web } = fakeCrawl(site, { ...QUICK, seeds, web: LEAVES });
    await gather(crawl);
    expect(
      web.log.map(({ headers }) => [
        headers.get("authorization"),
        headers.get("cookie"),
        headers.get("x-plain"),
      ]),
    ).toEqual([
      ["Bearer s3cret", "id=1", "1"],
      [null, null, "1"],
      [null, null, "1"],
    ]);
  });

  test("credentials in a seed's URL become a header for that origin, and show nowhere", async () => {
    const site = { [HOME]: linksTo("/1", "https://b.test/"), [`${HOME}1`]: to("https://c.test/") };
    const { crawl, web, events } = fakeCrawl(site, {
      ...QUICK,
      seeds: "https://me:s3cret@a.test/",
      scope: "any",
      web: LEAVES,
    });
    const results = await gather(crawl);
    for (const { url, headers } of web.log) {
      expect(url).not.toContain("s3cret");
      expect(headers.get("authorization")).toBe(url.startsWith(HOME) ? `Basic ${btoa("me:s3cret")}` : null);
    }
    expect(web.log).toHaveLength(4);
    expect(JSON.stringify([results, events])).not.toContain("s3cret");
  });

  test("credentials in a link or a redirect are not sent, nor handed on", async () => {
    const site = {
      [HOME]: linksTo("https://me:s3cret@a.test/1"),
      [`${HOME}1`]: to("https://me:s3cret@a.test/2"),
    };
    const { crawl, web } = fakeCrawl(site, { ...QUICK, web: LEAVES });
    expect(told(await gather(crawl))).toEqual(["page / 200", "page /2 200"]);
    expect(web.log.every(({ headers }) => headers.get("authorization") === null)).toBe(true);
  });

  test("a seed's headers are not those of its links", async () => {
    const seeds = { url: HOME, headers: { "x-own": "1" } };
    const { crawl, web } = fakeCrawl({ [HOME]: linksTo("/1") }, { ...QUICK, seeds, web: LEAVES });
    await gather(crawl);
    expect(web.log.map(({ headers }) => headers.get("x-own"))).toEqual(["1", null]);
  });

  test("a jar gives each host its own cookies", async () => {
    const site = {
      [HOME]: { body: linksTo("/1", "https://b.test/"), headers: { "set-cookie": "id=a; Path=/" } },
      "https://b.test/": { body: "leaf", headers: { "set-cookie": "id=b; Domain=a.test" } },
    };
    const { crawl, web } = fakeCrawl(site, { ...QUICK, scope: "any", cookies: true, web: LEAVES });
    await gather(crawl);
    expect(web.log.map(({ url, headers }) => [url, headers.get("cookie")])).toEqual(
      expect.arrayContaining([
        [HOME, null],
        [`${HOME}1`, "id=a"],
        ["https://b.test/", null],
      ]),
    );
  });
});
