import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseSitemap, type SitemapItem } from "../../src/web/sitemap.ts";

interface Location {
  loc: string;
  lastmod?: string | null;
  images?: string[];
}

interface Outcome {
  urls: Location[] | { contains: string[] };
  sitemaps: Location[];
  errors: "none" | "some" | "any";
  type?: string;
}

interface Vector {
  id: string;
  file: string;
  level: "must" | "should";
  url: string;
  contentType: string;
  accept: Outcome[];
}

const DIRECTORY = new URL("../vectors/sitemaps/", import.meta.url);
const vectors = JSON.parse(readFileSync(new URL("expected.json", DIRECTORY), "utf8")) as Vector[];

describe("parseSitemap() reads", () => {
  it.each(vectors)("$id ($level)", async ({ file, url, contentType, accept }) => {
    const bytes = new Uint8Array(readFileSync(new URL(file, DIRECTORY)));
    const items: SitemapItem[] = [];
    for await (const item of parseSitemap(bytes, url, { contentType })) items.push(item);
    const misses = accept.map((outcome) => differences(outcome, items));
    expect(misses.some((miss) => miss.length === 0) ? [] : misses).toEqual([]);
  });
});

/** What keeps the items from being this outcome. */
function differences(outcome: Outcome, items: SitemapItem[]): string[] {
  const problems = items.filter((item) => item.type === "problem");
  const format = items.find((item) => item.type === "format")?.format;
  const found: string[] = [];
  if (outcome.errors === "none" && problems.length > 0) found.push(`problems: ${JSON.stringify(problems)}`);
  if (outcome.errors === "some" && problems.length === 0) found.push("no problem");
  if (outcome.type !== undefined && outcome.type !== format) found.push(`format: ${format}`);
  return [
    ...found,
    ...urlDifferences(outcome, items),
    ...locationDifferences(outcome.sitemaps, items, "sitemap"),
  ];
}

function urlDifferences({ urls }: Outcome, items: SitemapItem[]): string[] {
  if (Array.isArray(urls)) return locationDifferences(urls, items, "url");
  const found = new Set(items.map((item) => (item.type === "url" ? item.url : undefined)));
  return urls.contains.filter((url) => !found.has(url)).map((url) => `missing: ${url}`);
}

function locationDifferences(expected: Location[], items: SitemapItem[], type: "url" | "sitemap"): string[] {
  const entries = items.flatMap((item) => (isEntry(item) && item.type === type ? item : []));
  const count = Math.max(expected.length, entries.length);
  return Array.from({ length: count }, (_, i) => {
    const [wanted, entry] = [expected[i], entries[i]];
    if (wanted?.loc !== entry?.url) return `${type} ${i}: ${entry?.url} instead of ${wanted?.loc}`;
    const lastmod = entry?.lastModified?.toISOString() ?? null;
    if (wanted?.lastmod !== undefined && wanted.lastmod !== lastmod)
      return `${type} ${i}: lastmod ${lastmod}`;
    const images = JSON.stringify(entry?.type === "url" ? entry.images : []);
    if (wanted?.images !== undefined && images !== JSON.stringify(wanted.images))
      return `${type} ${i}: ${images}`;
    return "";
  }).filter((difference) => difference !== "");
}

function isEntry(item: SitemapItem): item is Extract<SitemapItem, { url: string }> {
  return item.type === "url" || item.type === "sitemap";
}
