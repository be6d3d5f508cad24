/**
 * Dragline: a polite, streaming web crawler for every JavaScript runtime. One call gives a web stream of pages.
 *
 * ```ts
 * import { crawl } from "dragline";
 *
 * for await (const page of crawl("https://example.com/")) {
 *   console.log(page.status, page.url, page.title);
 * }
 * ```
 *
 * The readers of web formats that it is made of stand alone too: {@link parseRobots}, {@link parseSitemap},
 * {@link extractLinks}, {@link extractEmails}, {@link readDirectives}, {@link parseRetryAfter}, {@link canonicalKey},
 * {@link simhash}.
 *
 * @module
 */

export type { Clock, Random } from "./src/clock.ts";
export { Crawl, crawl } from "./src/crawl.ts";
export type { CrawlEvent, RequestKind } from "./src/event.ts";
export type { Transport, TransportRequest, TransportResponse } from "./src/fetcher.ts";
export type { BloomOptions } from "./src/frontier/bloom.ts";
export {
  type Frontier,
  type FrontierCounts,
  type Lease,
  LeaseLostError,
  type MaybePromise,
} from "./src/frontier/frontier.ts";
export { type MemoryOptions, memory } from "./src/frontier/memory.ts";
export type {
  CrawlOptions,
  Fetch,
  NearDuplicatesOptions,
  Pattern,
  RobotsOptions,
  Scope,
} from "./src/options.ts";
export { type CsvOptions, toCsv } from "./src/output/csv.ts";
export { type JsonLinesOptions, toJsonLines } from "./src/output/jsonl.ts";
export type { RecordField, ResultRecord } from "./src/output/result_record.ts";
export { Page, type PageDocument, type PageElement, type Timings } from "./src/page.ts";
export type { HostPace, PaceChange, PaceReason } from "./src/politeness/host.ts";
export type { RetryRules } from "./src/politeness/retry.ts";
export type { CrawlRequest, HostOrTag, JsonValue, Redirect } from "./src/request.ts";
export type { CrawlResult, Failure, FailureReason, Skip, SkipReason } from "./src/result.ts";
export { type PageHandler, type Route, type Routes, router } from "./src/router.ts";
export type { Seed, SeedObject } from "./src/seed.ts";
export type { Seeds } from "./src/seed_feed.ts";
export type { CrawlSnapshot } from "./src/snapshot.ts";
export type { CrawlStats, FinishReason, PausedHost } from "./src/stats.ts";
export { fetchTransport } from "./src/transport/fetch.ts";
export type { ValidatorStore, Validators } from "./src/validators.ts";
export { type Directives, readDirectives } from "./src/web/directives.ts";
export { type Email, type EmailSource, extractEmails } from "./src/web/emails.ts";
export { type AssetKind, extractLinks, type Link, type LinkKind, type LinkOptions } from "./src/web/links.ts";
export { parseRetryAfter } from "./src/web/retry_after.ts";
export { parseRobots, type Robots } from "./src/web/robots.ts";
export { hammingDistance, simhash } from "./src/web/simhash.ts";
export {
  parseSitemap,
  type SitemapAlternate,
  type SitemapBody,
  type SitemapFormat,
  type SitemapItem,
  type SitemapOptions,
} from "./src/web/sitemap.ts";
export { canonicalKey, type KeyOptions } from "./src/web/url.ts";
