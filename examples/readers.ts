// The readers of web formats on their own: pure functions, without a crawl and without a network.
//
//   npx tsx examples/readers.ts
import { extractEmails, extractLinks, parseRetryAfter, parseRobots, parseSitemap } from "../mod.ts";

const robots = parseRobots(
  "User-agent: *\nDisallow: /private/\nCrawl-delay: 1.5",
  "https://a.test/robots.txt",
);
console.log(robots.isAllowed("https://a.test/private/diary", "MyBot"), robots.crawlDelayMs("MyBot"));

const { links } = extractLinks(`<base href="/docs/"><a href=one>One</a>`, "https://a.test/");
console.log(links.map(({ url, text }) => `${url} ${text}`).join());

const emails = extractEmails("<p>ann&#64;teapots.example or bob [at] teapots.example</p>");
console.log(emails.map(({ address, how }) => `${address} ${how}`).join(", "));

const sitemap = "<urlset><url><loc>https://a.test/one</loc><lastmod>2026-11-30</lastmod></url></urlset>";
for await (const item of parseSitemap(sitemap, "https://a.test/sitemap.xml")) {
  if (item.type === "url") console.log(item.url, item.lastModified);
}

console.log(parseRetryAfter("120", Date.now()));
