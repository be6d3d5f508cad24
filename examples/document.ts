// A page's document, for what its text, title and links do not tell. linkedom is loaded at the first use.
//
//   npx tsx examples/document.ts https://example.com/
import process from "node:process";
import { crawl } from "../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

for await (const page of crawl(seed, { maxPages: 10 })) {
  const document = await page.document();
  console.log(page.url);
  for (const heading of document.querySelectorAll("h1, h2")) {
    console.log(`  ${heading.textContent?.trim()}`);
  }
}
