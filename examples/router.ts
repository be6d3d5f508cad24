// Handlers by URL, tag or media type, in place of one long loop. They run side by side, and slow ones slow the crawl.
//
//   npx tsx examples/router.ts https://example.com/
import process from "node:process";
import { crawl, router } from "../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

const pages = crawl({ url: seed, tag: "start" }, { maxPages: 50 });
await pages.pipeTo(
  router({
    routes: [
      // The first that fits gets the page.
      { tag: "start", handle: (page) => console.log("start", page.title) },
      { url: "*/docs/*", handle: (page) => console.log("docs", page.url) },
      { type: "application/xml", handle: (page) => console.log("feed", page.url) },
    ],
    fallback: (page) => console.log("other", page.status, page.url),
  }),
);
