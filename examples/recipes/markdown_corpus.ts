// The pages of a site's sitemaps as Markdown, one JSON object a line: text to search in, or to learn from.
// It needs `npm install turndown`.
//
//   npx tsx examples/recipes/markdown_corpus.ts https://example.com/ > corpus.jsonl
import process from "node:process";
import TurndownService from "turndown";
import { crawl } from "../../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
turndown.remove(["script", "style", "nav", "footer", "form"]);

const pages = crawl(seed, {
  sitemaps: true,
  follow: false,
  contentTypes: ["text/html"],
  nearDuplicates: { skip: true },
});
for await (const page of pages) {
  // `noindex` asks that a page be kept out of collections such as this one.
  if (!page.ok || !page.directives.index) continue;
  const document = await page.document();
  const main = document.querySelector("main, article") ?? document.body;
  const { url, title, canonical } = page;
  const modified = page.headers.get("last-modified") ?? undefined;
  const markdown = turndown.turndown(main.outerHTML);
  process.stdout.write(`${JSON.stringify({ url: canonical ?? url, title, modified, markdown })}\n`);
}
