import {
  type CrawlOptions,
  type CrawlResult,
  type CrawlSnapshot,
  crawl,
  memory,
  type Page,
  parseSitemap,
  toCsv,
} from "dragline";

const options: CrawlOptions = {
  concurrency: 4,
  delayMs: [0, 1000],
  robots: { maxAgeMs: 1000 },
  frontier: memory(),
};
for await (const page of crawl("https://example.com/", options)) {
  const title: string | undefined = page.title;
  const document = await page.document();
  console.log(title, document.querySelector("h1")?.textContent, page.headers.get("etag"));
}

const everything = crawl(["https://example.com/"], { results: "all" });
for await (const result of everything) console.log(labelOf(result));
const snapshot: CrawlSnapshot = await everything.snapshot();
const again: ReadableStream<Page> = crawl([], { resume: snapshot });
await again.pipeThrough(toCsv()).cancel();

function labelOf(result: CrawlResult): string {
  switch (result.type) {
    case "page":
      return result.links.map((link) => link.kind).join();
    case "failure":
      return `${result.reason} ${result.attempts} ${result.cause.message}`;
    case "skip":
      return `${result.reason} ${result.referrer ?? ""}`;
    default:
      return result satisfies never;
  }
}

for await (const item of parseSitemap("<urlset/>", "https://example.com/sitemap.xml")) {
  if (item.type === "url") console.log(item.lastModified);
}
