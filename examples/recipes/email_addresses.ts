// A site's e-mail addresses, hidden ones too, each with the pages on which it stands and how it was written.
//
//   npx tsx examples/recipes/email_addresses.ts https://example.com/
import process from "node:process";
import { crawl, extractEmails } from "../../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

const found = new Map<string, { how: string; pages: Set<string> }>();
for await (const { text, url } of crawl(seed, { contentTypes: ["text/html"], maxPages: 500 })) {
  for (const { address, how } of extractEmails(text)) {
    const known = found.get(address) ?? { how, pages: new Set() };
    found.set(address, known);
    known.pages.add(url);
  }
}

for (const [address, { how, pages }] of found) console.log(address, how, ...pages);
