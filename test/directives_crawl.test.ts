import { describe, expect, test } from "vitest";
import type { Page } from "../src/page.ts";
import type { FakePage } from "../src/testing/fake_web.ts";
import { type FakeCrawlOptions, fakeCrawl, gather, HOME, linksTo, told } from "./support/fake_crawl.ts";

const QUICK: FakeCrawlOptions = { delayMs: 0, robots: false, userAgent: "otter/1.0" };
const robots = (content: string, name = "robots"): string => `<meta name="${name}" content="${content}">`;
const tagged = (value: string): Record<string, string> => ({ "x-robots-tag": value });

async function crawlOf(home: FakePage, options: FakeCrawlOptions = {}) {
  const fake = fakeCrawl({ [HOME]: home }, { ...QUICK, ...options });
  const results = await gather(fake.crawl);
  return { ...fake, results, page: results.find(({ url }) => url === HOME) as Page };
}

const NOFOLLOW: [string, FakePage][] = [
  ["meta robots", robots("nofollow") + linksTo("/child")],
  ["meta robots in other letters, among others", robots("NoIndex, NoFollow") + linksTo("/child")],
  ["meta robots none", robots("none") + linksTo("/child")],
  ["meta for our own token", robots("nofollow", "Otter") + linksTo("/child")],
  ["X-Robots-Tag", { body: linksTo("/child"), headers: tagged("nofollow") }],
  ["X-Robots-Tag for our own token", { body: linksTo("/child"), headers: tagged("otter: nofollow") }],
  ["rel nofollow", '<a rel="nofollow" href="/child">'],
  ["rel ugc", '<a rel="external UGC" href="/child">'],
  ["rel sponsored", '<a rel="sponsored" href="/child">'],
];

describe("directives of a page", () => {
  test.each(NOFOLLOW)("%s is obeyed: its link is told as nofollow", async (_, home) => {
    const { web, results } = await crawlOf(home);
    expect(web.urls()).toEqual([HOME]);
    expect(told(results)).toEqual(["page / 200", "skip /child nofollow"]);
  });

  test.each(NOFOLLOW)("%s is not obeyed where `directives` is false, and stays readable", async (_, home) => {
    const { web, page } = await crawlOf(home, { directives: false });
    expect(web.urls()).toEqual([HOME, `${HOME}child`]);
    const isOnPage = !page.directives.follow;
    const isOnLink = page.links.some(({ rel }) => rel.length > 0);
    expect(isOnPage || isOnLink).toBe(true);
  });

  test.each<[string, FakePage]>([
    ["another agent's meta", robots("nofollow", "BulkBot") + linksTo("/child")],
    ["another agent's X-Robots-Tag", { body: linksTo("/child"), headers: tagged("bulkbot: nofollow") }],
    ["noindex alone", robots("noindex") + linksTo("/child")],
    ["a link without rel beside one with it", '<a rel="nofollow" href="/other"><a href="/child">'],
    ["the same link once without rel", '<a rel="nofollow" href="/child"><a href="/child">'],
  ])("%s keeps nobody from following", async (_, home) => {
    const { web } = await crawlOf(home);
    expect(web.urls()).toContain(`${HOME}child`);
  });

  test("a link that one page does not want followed is followed from another", async () => {
    const fake = fakeCrawl(
      { [HOME]: `<a rel="nofollow" href="/child"><a href="/next">`, [`${HOME}next`]: linksTo("/child") },
      QUICK,
    );
    expect(told(await gather(fake.crawl))).toContain("page /child 404");
  });

  test("what `follow` names is followed whatever the page says", async () => {
    const { web } = await crawlOf(robots("nofollow"), {
      follow: (page) => (page.depth === 0 ? ["/mine"] : []),
    });
    expect(web.urls()).toEqual([HOME, `${HOME}mine`]);
  });

  test("s-31: noindex marks the page, and its links are followed", async () => {
    const { page, web } = await crawlOf(robots("noindex,follow") + linksTo("/child"));
    expect(page.directives).toMatchObject({ index: false, follow: true });
    expect(web.urls()).toEqual([HOME, `${HOME}child`]);
    const byHeader = await crawlOf({ body: linksTo("/child"), headers: tagged("noindex") });
    expect(byHeader.page.directives).toMatchObject({ index: false, follow: true });
  });

  test("s-31: a canonical is data: its own, the first of two, and a foreign one change nothing", async () => {
    const canonical = (...hrefs: string[]): string =>
      hrefs.map((href) => `<link rel="canonical" href="${href}">`).join("") + linksTo("/child");
    for (const [html, url] of [
      [canonical("./"), HOME],
      [canonical("/one", "/two"), `${HOME}one`],
      [canonical("https://b.test/x"), "https://b.test/x"],
    ] as const) {
      const { page, web } = await crawlOf(html);
      expect(page.canonical).toBe(url);
      expect(web.urls()).toContain(`${HOME}child`);
      expect(web.urls().some((asked) => asked.startsWith("https://b.test/"))).toBe(false);
    }
  });

  test("a refresh leads on as a link does, by meta and by header", async () => {
    const byMeta = await crawlOf('<meta http-equiv="refresh" content="0; url=/moved">');
    expect(byMeta.web.urls()).toEqual([HOME, `${HOME}moved`]);
    const byHeader = await crawlOf({ body: "", headers: { refresh: "3;url=/moved" } });
    expect(byHeader.web.urls()).toEqual([HOME, `${HOME}moved`]);
    const kept = await crawlOf({ body: robots("nofollow"), headers: { refresh: "3;url=/moved" } });
    expect(kept.web.urls()).toEqual([HOME]);
  });
});
