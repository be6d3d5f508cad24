// Links that lead nowhere, each with the pages on which it stands. Links to other sites are asked too, and not followed.
//
//   npx tsx examples/recipes/broken_links.ts https://example.com/
import process from "node:process";
import { crawl } from "../../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

const home = new Set([new URL(seed).host]);
const broken = new Map<string, string>();
const pagesByLink = new Map([[new URL(seed).href, new Set(["(given)"])]]);

const results = crawl(seed, {
  results: "all",
  // Whatever a page of this site links to belongs; what another site links to does not.
  scope: (_, { referrer }) => referrer === undefined || home.has(new URL(referrer).host),
  contentTypes: "any",
});
for await (const result of results) {
  if (result.type === "skip") continue;
  const why = result.type === "failure" ? result.reason : result.ok ? undefined : `status ${result.status}`;
  // What redirects to nowhere leads nowhere too, and it is that which stands on a page.
  const chain = [...(result.request.redirects ?? []), result];
  if (why !== undefined) for (const { url } of chain) broken.set(url, why);
  if (result.type === "failure") continue;
  const { host } = new URL(result.url);
  if (result.depth === 0) home.add(host);
  for (const { url } of home.has(host) ? result.links : []) {
    const link = url.replace(/#.*/, "");
    pagesByLink.set(link, (pagesByLink.get(link) ?? new Set()).add(result.url));
  }
}

for (const [url, why] of broken) {
  const pages = pagesByLink.get(url);
  if (pages !== undefined) console.log(url, why, ...pages);
}
