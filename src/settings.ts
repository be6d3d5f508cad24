import { systemClock, systemRandom } from "./clock.ts";
import { checkOptions } from "./option_checks.ts";
import { checkedHeaders } from "./option_rules.ts";
import type { CrawlOptions, Settings } from "./options.ts";
import type { RetryRules } from "./politeness/retry.ts";
import { checkedSnapshot } from "./snapshot.ts";
import { fetchTransport } from "./transport/fetch.ts";
import { VERSION } from "./version.ts";
import { hostKey } from "./web/url.ts";

const DAY_MS = 86_400_000;
const HTML_AND_TEXT: readonly string[] = [
  "text/html",
  "application/xhtml+xml",
  "application/xml",
  "text/xml",
  "text/plain",
];

/**
 * Checks the options and gives each its value.
 *
 * @throws {TypeError} naming an option that there is not, or a value of the wrong kind
 * @throws {RangeError} naming a number that is out of its range
 */
export function settle(options: CrawlOptions): Settings {
  checkOptions(options);
  const {
    results = "pages",
    concurrency = 8,
    hostConcurrency = { adaptive: 4 },
    delayMs = 250,
    hostKey: ownHostKey,
    robots = true,
    userAgent = `dragline/${VERSION}`,
    sitemaps = false,
    scope = "host",
    include = [],
    exclude = [],
    follow = true,
    directives = true,
    priority,
    maxDepth = Number.POSITIVE_INFINITY,
    maxPages = Number.POSITIVE_INFINITY,
    maxRequests = Number.POSITIVE_INFINITY,
    maxDurationMs = Number.POSITIVE_INFINITY,
    maxPagesPerHost = Number.POSITIVE_INFINITY,
    timeoutMs = 10_000,
    maxBodyBytes = 10 * 1024 * 1024,
    contentTypes = HTML_AND_TEXT,
    maxRedirects = 10,
    retries = {},
    maxHostFailures = 20,
    maxRetryAfterMs = 3_600_000,
    nearDuplicates = false,
    traps = true,
    privateAddresses = "seeds",
    cookies = false,
    frontier,
    seen = "exact",
    revalidate,
    resume,
    keys = {},
    headers = {},
    fetch,
    transport,
    signal,
    graceMs = Number.POSITIVE_INFINITY,
    onEvent,
    clock = systemClock,
    random = systemRandom,
  } = options;
  const sends = transport ?? fetchTransport(fetch as typeof globalThis.fetch | undefined);
  return {
    results,
    concurrency,
    pace: {
      concurrency: typeof hostConcurrency === "object" ? { ...hostConcurrency } : hostConcurrency,
      ...gapRange(delayMs),
    },
    hostKey: ownHostKey === undefined ? hostKey : (url) => nonEmptyName(ownHostKey(new URL(url)), url),
    robots: robotsSettings(robots),
    robotsTransport:
      typeof robots === "object" && robots.fetch !== undefined
        ? fetchTransport(robots.fetch as typeof globalThis.fetch)
        : sends,
    userAgent,
    sitemaps: typeof sitemaps === "boolean" ? sitemaps : sitemaps.map(String),
    scope,
    include: [include].flat(),
    exclude: [exclude].flat(),
    follow,
    directives,
    priority,
    maxDepth,
    maxPages,
    maxRequests,
    maxDurationMs,
    maxPagesPerHost,
    timeoutMs,
    maxBodyBytes,
    contentTypes: contentTypes === "any" ? contentTypes : contentTypes.map((type) => type.toLowerCase()),
    maxRedirects,
    retries: retrySettings(retries),
    maxHostFailures,
    maxRetryAfterMs,
    nearDuplicates: nearDuplicatesSettings(nearDuplicates),
    traps,
    privateAddresses,
    cookies,
    frontier,
    seen,
    revalidate,
    resume: resume === undefined ? undefined : checkedSnapshot(resume),
    keys,
    // A plain copy: neither a Headers nor a later change of the caller's record may be lost or come in unseen.
    headers: typeof headers === "function" ? headers : Object.fromEntries(checkedHeaders(headers)),
    transport: sends,
    signal,
    graceMs,
    onEvent,
    clock,
    random,
  };
}

function robotsSettings(robots: NonNullable<CrawlOptions["robots"]>): Settings["robots"] {
  if (robots === false) return undefined;
  const {
    maxAgeMs = DAY_MS,
    unreachableRetries = 3,
    maxCrawlDelayMs = 300_000,
  } = robots === true ? {} : robots;
  return { maxAgeMs, unreachableRetries, maxCrawlDelayMs };
}

function retrySettings({ max = 2, baseMs = 500, maxMs = 30_000 }: Partial<RetryRules>): RetryRules {
  return { max, baseMs, maxMs };
}

function gapRange(
  delayMs: NonNullable<CrawlOptions["delayMs"]>,
): Pick<Settings["pace"], "minGapMs" | "maxGapMs"> {
  const [minGapMs, maxGapMs] = typeof delayMs === "number" ? [delayMs, Math.max(delayMs, 60_000)] : delayMs;
  return { minGapMs, maxGapMs };
}

function nearDuplicatesSettings(
  nearDuplicates: NonNullable<CrawlOptions["nearDuplicates"]>,
): Settings["nearDuplicates"] {
  if (nearDuplicates === false) return undefined;
  const { distance = 3, links = false, skip = false } = nearDuplicates === true ? {} : nearDuplicates;
  return { distance, links, skip };
}

function nonEmptyName(value: unknown, url: string): string {
  if (typeof value !== "string" || value === "") {
    throw new TypeError(`Cannot crawl as 'hostKey' must give a name for '${url}': received ${String(value)}`);
  }
  return value;
}
