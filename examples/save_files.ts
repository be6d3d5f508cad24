// A site as files to be read offline: links between the saved pages lead from file to file. Started again, it goes on
// with the folder that is there.
//
//   npx tsx examples/save_files.ts https://example.com/ site
import process from "node:process";
import { crawl, extractLinks } from "../mod.ts";
import { toFiles } from "../src/output/files.ts";

const [, , seed = "https://example.com/", folder = "site"] = process.argv;

const pages = crawl(seed, {
  contentTypes: "any",
  maxPages: 500,
  // Images, styles and scripts too: by itself a crawl follows what leads to other pages alone.
  follow: ({ contentType, text, url }) =>
    contentType === "text/html"
      ? extractLinks(text, url, { assets: true }).links.map((link) => link.url)
      : [],
});
await pages.pipeTo(toFiles(folder, { offline: true }));

const { pages: count, finishReason } = pages.stats;
console.log(`${count} pages are in ${folder}, listed in its index.jsonl (${finishReason})`);
