import { describe, expect, test } from "vitest";
import type { FakePage } from "../src/testing/fake_web.ts";
import { type FakeCrawlOptions, fakeCrawl, gather, HOME, linksTo, told } from "./support/fake_crawl.ts";

const QUICK: FakeCrawlOptions = { delayMs: 0, scope: "any" };

/** Addresses of private networks, in spellings that a URL parser takes for the same. */
const PRIVATE = [
  "http://2852039166/",
  "http://0xA9FEA9FE/",
  "http://[::ffff:a9fe:a9fe]/",
  "http://0x7f.1/",
  "http://127.0.0.1/",
  "http://localhost/",
  "http://a.localhost./",
  "http://10.1.2.3/",
  "http://192.168.1.1/",
  "http://172.31.255.255/",
  "http://[::1]/",
  "http://[fd00::1]/",
  "http://[fe80::1]/",
  "http://0.0.0.0/",
  "http://100.64.0.1/",
  "http://metadata.google.internal/",
];

/** What was asked besides the public hosts of these tests. */
function privateOf(web: ReturnType<typeof fakeCrawl>["web"]): string[] {
  return web.log.map(({ url }) => url).filter((url) => !/^https:\/\/[a-z.]+\.test\//.test(url));
}

async function crawlOf(pages: Record<string, FakePage>, options: FakeCrawlOptions = {}) {
  const fake = fakeCrawl(pages, { ...QUICK, ...options });
  const results = await gather(fake.crawl);
  return { ...fake, results, reached: privateOf(fake.web) };
}

describe.each(["seeds", "deny"] as const)(
  'privateAddresses: "%s", from a public seed',
  (privateAddresses) => {
    test.each(PRIVATE)("s-36: a link to %s is not followed", async (url) => {
      const { reached, results } = await crawlOf({ [HOME]: linksTo(url) }, { privateAddresses });
      expect(reached).toEqual([]);
      expect(results.map((result) => "reason" in result && result.reason)).toEqual([
        false,
        "private-address",
      ]);
    });

    test.each(PRIVATE)("s-36: a redirect to %s is not followed, of a seed neither", async (location) => {
      const { reached, results } = await crawlOf(
        {
          [HOME]: { status: 302, location },
          [`${HOME}2`]: linksTo("/3"),
          [`${HOME}3`]: { status: 307, location },
        },
        { privateAddresses, seeds: [HOME, `${HOME}2`] },
      );
      expect(reached).toEqual([]);
      expect(told(results).sort()).toEqual([
        "page /2 200",
        "skip / private-address",
        "skip /3 private-address",
      ]);
    });

    test.each(PRIVATE)(
      "s-36: a redirect of robots.txt to %s is not followed, and leaves the rules unknown",
      async (location) => {
        const { reached, results } = await crawlOf(
          { [`${HOME}robots.txt`]: { status: 302, location } },
          { privateAddresses, robots: { unreachableRetries: 0 } },
        );
        expect(reached).toEqual([]);
        expect(told(results)).toEqual(["skip / robots-unreachable"]);
      },
    );

    test("s-36: sitemaps there are not read, by robots.txt, by an index, by a redirect, or by the caller's list", async () => {
      const entries = PRIVATE.map((url) => `<sitemap><loc>${url}map.xml</loc></sitemap>`).join("");
      const urls = PRIVATE.map((url) => `<url><loc>${url}</loc></url>`).join("");
      const xml = (body: string): FakePage => ({ body, type: "application/xml" });
      const pages: Record<string, FakePage> = {
        [`${HOME}robots.txt`]:
          PRIVATE.map((url) => `Sitemap: ${url}map.xml`).join("\n") +
          `\nSitemap: ${HOME}index.xml\nSitemap: ${HOME}moved.xml\nSitemap: ${HOME}pages.xml`,
        [`${HOME}index.xml`]: xml(`<sitemapindex>${entries}</sitemapindex>`),
        [`${HOME}moved.xml`]: { status: 301, location: `${PRIVATE[0]}map.xml` },
        [`${HOME}pages.xml`]: xml(`<urlset>${urls}</urlset>`),
      };
      const byRobots = await crawlOf(pages, { privateAddresses, sitemaps: true });
      expect(byRobots.reached).toEqual([]);
      expect(byRobots.web.urls()).toContain(`${HOME}moved.xml`);
      const byList = await crawlOf({}, { privateAddresses, sitemaps: PRIVATE.map((url) => `${url}map.xml`) });
      expect(byList.reached).toEqual([]);
      expect(told(byList.results)).toEqual(["page / 404"]);
    });

    test("what add() brings later and what follow names is held to the same", async () => {
      const { reached, results } = await crawlOf({ [HOME]: "" }, { privateAddresses, follow: () => PRIVATE });
      expect(reached).toEqual([]);
      expect(
        results.filter((result) => "reason" in result && result.reason === "private-address").length,
      ).toBeGreaterThan(10);
    });
  },
);

describe("a seed at an address of a private network", () => {
  test('is crawled by "seeds", with its own address alone', async () => {
    const { web } = await crawlOf(
      {
        "http://127.0.0.1:8080/": linksTo(
          "/1",
          "http://127.0.0.1:9090/",
          "http://10.0.0.1/",
          "http://localhost:8080/",
        ),
      },
      { seeds: "http://127.0.0.1:8080/", robots: false },
    );
    expect(web.urls().sort()).toEqual([
      "http://127.0.0.1:8080/",
      "http://127.0.0.1:8080/1",
      "http://127.0.0.1:9090/",
    ]);
  });

  test("may redirect on in its own network", async () => {
    const { results } = await crawlOf(
      { "http://127.0.0.1:8080/": { status: 302, location: "http://10.0.0.1/" }, "http://10.0.0.1/": "" },
      { seeds: "http://127.0.0.1:8080/" },
    );
    expect(told(results)).toEqual(["page http://10.0.0.1/ 200"]);
  });

  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[fd00:ec2::254]/",
    "http://[fe80::1]/",
    "http://100.100.100.200/",
    "http://metadata.google.internal/",
  ])("does not open %s by a redirect: a cloud's metadata is no page's business", async (location) => {
    const seed = "http://127.0.0.1:8080/";
    const { web, results } = await crawlOf(
      { [seed]: { status: 302, location } },
      { seeds: seed, robots: false },
    );
    expect(web.urls()).toEqual([seed]);
    expect(results).toMatchObject([{ type: "skip", reason: "private-address" }]);
  });

  test('is skipped by "deny", in any spelling', async () => {
    for (const url of PRIVATE) {
      const { reached, results } = await crawlOf({}, { seeds: url, privateAddresses: "deny" });
      expect(reached).toEqual([]);
      expect(results).toMatchObject([{ type: "skip", reason: "private-address" }]);
    }
  });

  test("is not opened by a link that came before it", async () => {
    const { results } = await crawlOf({ [HOME]: linksTo("http://10.0.0.1/") });
    expect(told(results)).toContain("skip http://10.0.0.1/ private-address");
  });

  test('is no matter by "allow"', async () => {
    const { results } = await crawlOf(
      {
        [HOME]: linksTo("http://10.0.0.1/"),
        "http://10.0.0.1/": { status: 302, location: "http://127.0.0.1/" },
      },
      { privateAddresses: "allow" },
    );
    expect(told(results)).toEqual(["page / 200", "page http://127.0.0.1/ 404"]);
  });
});
