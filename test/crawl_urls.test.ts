import { describe, expect, test } from "vitest";
import { fakeCrawl, gather, HOME, linksTo, told } from "./support/fake_crawl.ts";

const QUICK = { delayMs: 0, robots: false } as const;
const LEAVES = { otherwise: "leaf" };

/** The paths that were asked for, in order. */
async function asked(pages: Parameters<typeof fakeCrawl>[0], options: Parameters<typeof fakeCrawl>[1] = {}) {
  const { crawl, web } = fakeCrawl(pages, { ...QUICK, web: LEAVES, ...options });
  await gather(crawl);
  return web.urls().map((url) => (url.startsWith(HOME) ? url.slice(HOME.length - 1) : url));
}

describe("crawl() asks for URLs as they are meant:", () => {
  test("s-01: white space in href", async () => {
    const links =
      '<a href=" /shop/one ">1</a><a href="\n\thttps://a.test/shop/two\n">2</a><a href="th\nree\t">3</a>';
    const targets = await asked({}, { seeds: `${HOME}shop/list?page=2`, web: { otherwise: links } });
    expect(targets).toEqual(["/shop/list?page=2", "/shop/one", "/shop/two", "/shop/three"]);
  });

  test("s-02: one page under many spellings", async () => {
    const hrefs = [
      "/",
      "./",
      "././",
      "HTTPS://A.test/",
      "https://a.test/x/..",
      "//a.test/./",
      "#top",
      "#",
      "",
      "https://a.test:443/",
      "https://a.test",
    ];
    expect(await asked({ [HOME]: linksTo(...hrefs) }, { seeds: "https://a.test" })).toEqual(["/"]);
  });

  test("s-03: order, values and escapes of a query stay as they are", async () => {
    const links =
      '<a href="/img?w=120&amp;h=60&amp;sig=9f&amp;h=30">1</a><a href="/cgi?2172">2</a><a href="/cgi?k=">3</a><a href="/q?a=%7e&b=%2f">4</a><a href="/e?">5</a>';
    expect(await asked({ [HOME]: links })).toEqual([
      "/",
      "/img?w=120&h=60&sig=9f&h=30",
      "/cgi?2172",
      "/cgi?k=",
      "/q?a=%7e&b=%2f",
      "/e?",
    ]);
  });

  test("s-04: percent signs that are no escapes", async () => {
    const hrefs = ["/50%off", "/D%C9PLIANT", "/%u011f.html", "/end%", "/good"];
    expect(await asked({ [HOME]: linksTo(...hrefs) })).toEqual(["/", ...hrefs]);
  });

  test("s-05: one host under each spelling of its name, with one robots.txt; what is no name is told", async () => {
    const hrefs = [
      "https://bücher.test/",
      "https://xn--bcher-kva.test/",
      "https://BÜCHER.test/",
      "https://xn--fx-3s9cx68e-jpnet.test/",
    ];
    const { crawl, web } = fakeCrawl({ [HOME]: linksTo(...hrefs) }, { scope: "any", web: LEAVES });
    const results = told(await gather(crawl));
    expect(web.log.map(({ url }) => url)).toEqual([
      `${HOME}robots.txt`,
      HOME,
      "https://xn--bcher-kva.test/robots.txt",
      "https://xn--bcher-kva.test/",
    ]);
    expect(results).toContain("skip https://xn--fx-3s9cx68e-jpnet.test/ invalid-url");
    expect(results).toHaveLength(3);
  });

  test("s-06: fragments are links of one page, and never sent", async () => {
    const hrefs = ["/app#intro", "/app#/orders/7", "/app#!/blog/1", "/app#:~:text=x"];
    const { crawl, web } = fakeCrawl(
      { [`${HOME}app`]: linksTo(...hrefs) },
      { ...QUICK, seeds: `${HOME}app#start` },
    );
    const [page] = await gather(crawl);
    expect(web.urls()).toEqual([`${HOME}app`]);
    expect(page?.type === "page" && page.links.map(({ url }) => url)).toEqual(
      hrefs.map((href) => HOME + href.slice(1)),
    );
  });

  test("s-07: base href", async () => {
    const page = `<head><base href="/"></head>${linksTo("moon", "../sun", "?d=1")}`;
    expect(await asked({ [`${HOME}sky/today/`]: page }, { seeds: `${HOME}sky/today/` })).toEqual([
      "/sky/today/",
      "/moon",
      "/sun",
      "/?d=1",
    ]);
  });

  test("links of other schemes have no result; what should be a URL and is none has one, once", async () => {
    const others = [
      "mailto:a@a.test",
      "javascript:void 0",
      "tel:+1",
      "ftp://a.test/",
      "data:,x",
      "Mailto:b@a.test",
    ];
    const links = `${linksTo(...others, "http://", "https://[")}<a rel=nofollow href="mailto:c@a.test">c</a>`;
    const { crawl, web } = fakeCrawl({ [HOME]: links + linksTo("/1"), [`${HOME}1`]: links }, QUICK);
    const skips = told(await gather(crawl)).filter((line) => line.startsWith("skip"));
    expect(skips.sort()).toEqual(["skip http:// invalid-url", "skip https://[ invalid-url"]);
    expect((await crawl.finished).skips).toBe(2);
    expect(web.urls()).toEqual([HOME, `${HOME}1`]);
  });

  test("`keys` make one of what the caller says is one, and send it as written", async () => {
    const hrefs = ["/a?utm_source=x&b=1", "/a?b=1", "/c/", "/c", "/d?y=2&x=1", "/d?x=1&y=2"];
    const keys = { stripTrackingParams: true, sortQuery: true, trailingSlash: "drop" } as const;
    expect(await asked({ [HOME]: linksTo(...hrefs) }, { keys })).toEqual([
      "/",
      "/a?utm_source=x&b=1",
      "/c/",
      "/d?y=2&x=1",
    ]);
    expect(await asked({ [HOME]: linksTo(...hrefs) })).toEqual(["/", ...hrefs]);
  });
});

describe("crawl() and addresses that must not be reached", () => {
  const PRIVATE = [
    "http://2852039166/",
    "http://0xA9FEA9FE/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://0x7f.1/",
    "http://10.0.0.1/",
    "http://localhost/",
  ];

  test.each(["seeds", "deny"] as const)(
    's-36: no link leads there by privateAddresses "%s", in any spelling',
    async (privateAddresses) => {
      const { crawl, web } = fakeCrawl(
        { [HOME]: linksTo(...PRIVATE) },
        { ...QUICK, privateAddresses, scope: "any", web: LEAVES },
      );
      const skips = told(await gather(crawl)).slice(1);
      // The first two are one.
      const hosts = ["169.254.169.254", "[::ffff:a9fe:a9fe]", "127.0.0.1", "10.0.0.1", "localhost"];
      expect(skips).toEqual(hosts.map((host) => `skip http://${host}/ private-address`));
      expect(web.urls()).toEqual([HOME]);
    },
  );

  test("s-36: neither do redirects, of pages, seeds or robots.txt", async () => {
    const site = {
      "https://a.test/robots.txt": { status: 301, location: "http://10.0.0.1/robots.txt" },
      "https://b.test/": { status: 302, location: "http://127.1/" },
      "https://c.test/": linksTo("/in"),
      "https://c.test/in": { status: 307, location: "http://[::1]/" },
    };
    const seeds = [HOME, "https://b.test/", "https://c.test/"];
    const { crawl, web } = fakeCrawl(site, { seeds, scope: "any", retries: { max: 0 }, web: LEAVES });
    expect(told(await gather(crawl)).sort()).toEqual([
      "page https://c.test/ 200",
      "skip / robots-unreachable",
      "skip https://b.test/ private-address",
      "skip https://c.test/in private-address",
    ]);
    expect(web.log.every(({ url }) => /^https:\/\/[abc]\.test\//.test(url))).toBe(true);
  });

  test('a seed opens its own address alone by "seeds"', async () => {
    const seeds = ["http://127.0.0.1:8080/"];
    const site = { "http://127.0.0.1:8080/": linksTo("/1", "http://127.0.0.1:9090/", "http://10.0.0.1/") };
    const { crawl, web } = fakeCrawl(site, { ...QUICK, seeds, scope: "any", web: LEAVES });
    await gather(crawl);
    expect(web.urls().sort()).toEqual([
      "http://127.0.0.1:8080/",
      "http://127.0.0.1:8080/1",
      "http://127.0.0.1:9090/",
    ]);
  });

  test('"deny" refuses a seed too, and "allow" refuses nothing', async () => {
    const denied = fakeCrawl(
      {},
      { ...QUICK, seeds: ["http://127.0.0.1/", HOME], privateAddresses: "deny", web: LEAVES },
    );
    expect(told(await gather(denied.crawl))).toEqual([
      "skip http://127.0.0.1/ private-address",
      "page / 200",
    ]);
    const allowed = fakeCrawl(
      { [HOME]: linksTo(...PRIVATE) },
      { ...QUICK, privateAddresses: "allow", scope: "any", web: LEAVES },
    );
    expect(told(await gather(allowed.crawl)).every((line) => line.startsWith("page"))).toBe(true);
    expect(allowed.web.urls()).toContain("http://169.254.169.254/");
  });
});
