import { describe, expect, test } from "vitest";
import { fakeCrawl, gather, HOME } from "./support/fake_crawl.ts";

const SITEMAP = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${HOME}1</loc></url></urlset>`;

describe("SitemapReceiver", () => {
  // The only test that needs it stands here: nothing has loaded the reader before.
  test("loads its reader at no request's expense", async () => {
    const { crawl } = fakeCrawl(
      { [`${HOME}sitemap.xml`]: { body: SITEMAP, type: "application/xml" } },
      { sitemaps: true, delayMs: 0, timeoutMs: 20, retries: { max: 0 } },
    );
    await gather(crawl);
    expect(await crawl.finished).toMatchObject({ sitemapEntries: 1, accepted: 2 });
  });
});
