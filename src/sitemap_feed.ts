import type { Admission, Refusal } from "./admission.ts";
import type { CrawlRequest } from "./request.ts";
import { parseSitemap } from "./web/sitemap.ts";

export { loadParser } from "./web/sitemap_xml.ts";

/** What a sitemap came to. */
export interface SitemapReport {
  /** URLs that it lists, of pages and of sitemaps. */
  readonly entries: number;
  /** What was wrong with it, in words. */
  readonly problems: readonly string[];
}

// sitemaps.org: an index lists sitemaps, not indexes. Sites do it all the same, though never deeper than this.
const MAX_NESTING = 4;

// Entries that go to the frontier in one step.
const BATCH = 200;

const DAY_MS = 86_400_000;

// Up to some ninety years.
const FRESHNESS_STEPS = 16;

/**
 * Reads a sitemap as it arrives and hands its entries on in batches, so that memory stays flat.
 *
 * @param queue takes requests in, and keeps the reading back until it has
 */
export async function readSitemap(
  request: CrawlRequest,
  body: Uint8Array | ReadableStream<Uint8Array>,
  contentType: string | null,
  admission: Admission,
  queue: (requests: readonly CrawlRequest[], refusals: readonly Refusal[]) => Promise<void>,
  nowMs: number,
): Promise<SitemapReport> {
  const problems: string[] = [];
  let entries = 0;
  let requests: CrawlRequest[] = [];
  let refusals: Refusal[] = [];
  const put = (admitted: CrawlRequest | Refusal): void => {
    entries++;
    if ("refused" in admitted) refusals.push(admitted);
    else requests.push(admitted);
  };
  const options = contentType === null ? {} : { contentType };
  for await (const item of parseSitemap(body, request.url, options)) {
    switch (item.type) {
      case "url":
        put(admission.entry(item.url, request, freshness(item.lastModified, nowMs)));
        break;
      case "sitemap":
        if ((request.nesting ?? 0) < MAX_NESTING) put(admission.sitemap(item.url, request));
        else problems.push(`'${item.url}' is left out as it is nested more than ${MAX_NESTING} deep`);
        break;
      case "problem":
        problems.push(item.message);
        break;
      case "format":
        break;
      default:
        item satisfies never;
    }
    if (requests.length + refusals.length >= BATCH) {
      await queue(requests, refusals);
      requests = [];
      refusals = [];
    }
  }
  await queue(requests, refusals);
  return { entries, problems };
}

/** A hint for the order among URLs of one depth: below 1, nearer to it the later a page was changed. */
function freshness(lastModified: Date | undefined, nowMs: number): number {
  if (lastModified === undefined) return 0;
  const ageDays = Math.max(0, nowMs - lastModified.getTime()) / DAY_MS;
  // In steps, each twice as old as the one before: few priorities are cheaper to keep apart than many.
  const step = Math.min(Math.floor(Math.log2(1 + ageDays)), FRESHNESS_STEPS - 1);
  return (FRESHNESS_STEPS - step) / (FRESHNESS_STEPS + 1);
}
