// The pages that a site's sitemaps list, whether or not anything links to them; links are not followed.
//
//   npx tsx examples/sitemap.ts https://example.com/
import process from "node:process";
import { crawl } from "../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

const pages = crawl(seed, {
  sitemaps: true,
  follow: false,
  maxPages: 100,
  onEvent(event) {
    if (event.type === "sitemap") console.log(event.url, event.entries, ...event.problems);
  },
});
for await (const page of pages) console.log(page.status, page.url, page.title);
