import { systemClock, systemRandom } from "./clock.ts";
import {
  boolean,
  checkedHeaders,
  finite,
  notNegative,
  oneOf,
  outOfRange,
  positive,
  refuseUnknown,
  wholeNumber,
  wholeNumberOrInfinity,
  wrongType,
} from "./option_rules.ts";
import type { CrawlOptions, Settings } from "./options.ts";
import { checkedSnapshot } from "./snapshot.ts";
import { fetchTransport } from "./transport/fetch.ts";
import { VERSION } from "./version.ts";
import { hostKey, isCrawlable } from "./web/url.ts";

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
  refuseUnknown("", options, OPTION_NAMES);
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

  oneOf("results", results, ["pages", "all"]);
  wholeNumber("concurrency", concurrency, 1);
  for (const [name, value] of Object.entries({ maxPages, maxRequests, maxPagesPerHost, maxHostFailures })) {
    wholeNumberOrInfinity(name, value, 1);
  }
  for (const [name, value] of Object.entries({ maxDepth, maxRedirects })) {
    wholeNumberOrInfinity(name, value, 0);
  }
  for (const [name, value] of Object.entries({ timeoutMs, maxBodyBytes, maxDurationMs })) {
    positive(name, value);
  }
  for (const [name, value] of Object.entries({ maxRetryAfterMs, graceMs })) notNegative(name, value);
  for (const [name, value] of Object.entries({ directives, cookies, traps })) boolean(name, value);
  for (const [name, value] of Object.entries({ hostKey: ownHostKey, priority, fetch, onEvent, random })) {
    if (value !== undefined && typeof value !== "function") throw wrongType(name, "a function", value);
  }
  if (typeof scope !== "function") oneOf("scope", scope, ["origin", "host", "domain", "prefix", "any"]);
  if (typeof follow !== "function") boolean("follow", follow);
  oneOf("privateAddresses", privateAddresses, ["seeds", "allow", "deny"]);
  if (typeof signal !== "undefined" && !(signal instanceof AbortSignal)) {
    throw wrongType("signal", "an AbortSignal", signal);
  }
  if (fetch !== undefined && transport !== undefined) {
    throw new TypeError(
      "Cannot crawl as 'fetch' and 'transport' are both given: only one of them sends requests",
    );
  }
  if (transport !== undefined && typeof transport?.send !== "function") {
    throw wrongType("transport", "an object with a 'send' function", transport);
  }
  if (typeof clock?.now !== "function" || typeof clock.at !== "function") {
    throw wrongType("clock", "an object with 'now' and 'at' functions", clock);
  }
  if (revalidate !== undefined && !isValidatorStore(revalidate)) {
    throw wrongType("revalidate", "a Map, or an object with 'get' and 'set' functions", revalidate);
  }
  checkKeys(keys);
  checkFrontier(frontier, resume !== undefined, options.seen);
  const sends = transport ?? fetchTransport(fetch as typeof globalThis.fetch | undefined);
  return {
    results,
    concurrency,
    pace: { concurrency: paceConcurrency(hostConcurrency), ...gapRange(delayMs) },
    hostKey: ownHostKey === undefined ? hostKey : (url) => nonEmptyName(ownHostKey(new URL(url)), url),
    robots: robots === false ? undefined : robotsSettings(robots === true ? {} : robots),
    robotsTransport:
      typeof robots === "object" && robots.fetch !== undefined
        ? fetchTransport(robots.fetch as typeof globalThis.fetch)
        : sends,
    userAgent: headerValue("userAgent", userAgent),
    sitemaps: sitemapSettings(sitemaps),
    scope,
    include: patterns("include", include),
    exclude: patterns("exclude", exclude),
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
    contentTypes: mediaTypes(contentTypes),
    maxRedirects,
    retries: retrySettings(retries),
    maxHostFailures,
    maxRetryAfterMs,
    nearDuplicates: nearDuplicatesSettings(nearDuplicates),
    traps,
    privateAddresses,
    cookies,
    frontier,
    seen: seenSettings(seen),
    revalidate,
    resume: resume === undefined ? undefined : checkedSnapshot(resume),
    keys,
    headers: typeof headers === "function" ? headers : headerRecord(headers),
    transport: sends,
    signal,
    graceMs,
    onEvent,
    clock,
    random,
  };
}

// Every name once more, since types are gone at run time: a name that is missing here does not compile.
const OPTION_NAMES: Readonly<Record<keyof CrawlOptions, true>> = {
  results: true,
  concurrency: true,
  hostConcurrency: true,
  delayMs: true,
  hostKey: true,
  robots: true,
  userAgent: true,
  sitemaps: true,
  scope: true,
  include: true,
  exclude: true,
  follow: true,
  directives: true,
  priority: true,
  maxDepth: true,
  maxPages: true,
  maxRequests: true,
  maxDurationMs: true,
  maxPagesPerHost: true,
  timeoutMs: true,
  maxBodyBytes: true,
  contentTypes: true,
  maxRedirects: true,
  retries: true,
  maxHostFailures: true,
  maxRetryAfterMs: true,
  nearDuplicates: true,
  traps: true,
  privateAddresses: true,
  cookies: true,
  frontier: true,
  seen: true,
  revalidate: true,
  resume: true,
  keys: true,
  headers: true,
  fetch: true,
  transport: true,
  signal: true,
  graceMs: true,
  onEvent: true,
  clock: true,
  random: true,
};

function robotsSettings(robots: Exclude<CrawlOptions["robots"], boolean | undefined>): Settings["robots"] {
  if (typeof robots !== "object" || robots === null)
    throw wrongType("robots", "a boolean or an object", robots);
  refuseUnknown("robots.", robots, {
    maxAgeMs: true,
    unreachableRetries: true,
    maxCrawlDelayMs: true,
    fetch: true,
  });
  const { maxAgeMs = DAY_MS, unreachableRetries = 3, maxCrawlDelayMs = 300_000, fetch } = robots;
  positive("robots.maxAgeMs", maxAgeMs);
  wholeNumberOrInfinity("robots.unreachableRetries", unreachableRetries, 0);
  notNegative("robots.maxCrawlDelayMs", maxCrawlDelayMs);
  if (fetch !== undefined && typeof fetch !== "function")
    throw wrongType("robots.fetch", "a function", fetch);
  return { maxAgeMs, unreachableRetries, maxCrawlDelayMs };
}

function retrySettings(retries: NonNullable<CrawlOptions["retries"]>): Settings["retries"] {
  if (typeof retries !== "object" || retries === null) throw wrongType("retries", "an object", retries);
  refuseUnknown("retries.", retries, { max: true, baseMs: true, maxMs: true });
  const { max = 2, baseMs = 500, maxMs = 30_000 } = retries;
  wholeNumberOrInfinity("retries.max", max, 0);
  notNegative("retries.baseMs", baseMs);
  notNegative("retries.maxMs", maxMs);
  return { max, baseMs, maxMs };
}

function paceConcurrency(value: number | { adaptive: number }): Settings["pace"]["concurrency"] {
  if (typeof value !== "object" || value === null) {
    wholeNumber("hostConcurrency", value, 1);
    return value;
  }
  refuseUnknown("hostConcurrency.", value, { adaptive: true });
  wholeNumber("hostConcurrency.adaptive", value.adaptive, 1);
  return { adaptive: value.adaptive };
}

function gapRange(delayMs: number | readonly [number, number]): { minGapMs: number; maxGapMs: number } {
  if (typeof delayMs === "number") {
    notNegative("delayMs", delayMs);
    finite("delayMs", delayMs);
    return { minGapMs: delayMs, maxGapMs: Math.max(delayMs, 60_000) };
  }
  if (!Array.isArray(delayMs) || delayMs.length !== 2)
    throw wrongType("delayMs", "a number or [least, most]", delayMs);
  const [minGapMs, maxGapMs] = delayMs as [number, number];
  notNegative("delayMs[0]", minGapMs);
  finite("delayMs[0]", minGapMs);
  notNegative("delayMs[1]", maxGapMs);
  if (maxGapMs < minGapMs) {
    throw new RangeError(
      `Cannot crawl as 'delayMs' must not have a least above its most: received [${minGapMs}, ${maxGapMs}]`,
    );
  }
  return { minGapMs, maxGapMs };
}

function sitemapSettings(sitemaps: NonNullable<CrawlOptions["sitemaps"]>): Settings["sitemaps"] {
  if (typeof sitemaps === "boolean") return sitemaps;
  if (!Array.isArray(sitemaps)) throw wrongType("sitemaps", "a boolean or a list of URLs", sitemaps);
  return sitemaps.map((url: string | URL) => {
    if (!isCrawlable(url)) throw wrongType("sitemaps", "a list of http or https URLs", url);
    return String(url);
  });
}

function patterns(name: string, value: NonNullable<CrawlOptions["include"]>): Settings["include"] {
  const list = Array.isArray(value) ? value : [value];
  for (const pattern of list) {
    if (typeof pattern !== "string" && !(pattern instanceof RegExp)) {
      throw wrongType(name, "glob texts or regular expressions", pattern);
    }
  }
  return list;
}

function mediaTypes(value: readonly string[] | "any"): Settings["contentTypes"] {
  if (value === "any") return value;
  if (!Array.isArray(value)) throw wrongType("contentTypes", 'a list of media types or "any"', value);
  for (const type of value) {
    if (typeof type !== "string" || !/^[^\s/;]+\/[^\s/;]+$/.test(type)) {
      throw wrongType("contentTypes", 'media types such as "text/html" or "image/*"', type);
    }
  }
  return value.map((type: string) => type.toLowerCase());
}

function nearDuplicatesSettings(
  nearDuplicates: NonNullable<CrawlOptions["nearDuplicates"]>,
): Settings["nearDuplicates"] {
  if (nearDuplicates === false) return undefined;
  const options = nearDuplicates === true ? {} : nearDuplicates;
  if (typeof options !== "object" || options === null) {
    throw wrongType("nearDuplicates", "a boolean or an object", options);
  }
  refuseUnknown("nearDuplicates.", options, { distance: true, links: true, skip: true });
  const { distance = 3, links = false, skip = false } = options;
  wholeNumber("nearDuplicates.distance", distance, 0);
  if (distance > 8) throw outOfRange("nearDuplicates.distance", "at most 8", distance);
  boolean("nearDuplicates.links", links);
  boolean("nearDuplicates.skip", skip);
  return { distance, links, skip };
}

function seenSettings(seen: NonNullable<CrawlOptions["seen"]>): Settings["seen"] {
  if (seen === "exact") return seen;
  if (typeof seen !== "object" || seen === null) throw wrongType("seen", '"exact" or an object', seen);
  refuseUnknown("seen.", seen, { bloom: true });
  const { bloom } = seen;
  if (typeof bloom !== "object" || bloom === null) throw wrongType("seen.bloom", "an object", bloom);
  refuseUnknown("seen.bloom.", bloom, { capacity: true, falsePositives: true });
  const { capacity, falsePositives } = bloom;
  wholeNumber("seen.bloom.capacity", capacity, 1);
  if (!(falsePositives > 0 && falsePositives < 1)) {
    throw outOfRange("seen.bloom.falsePositives", "above 0 and below 1", falsePositives);
  }
  return { bloom: { capacity, falsePositives } };
}

function isValidatorStore(value: unknown): boolean {
  const store = value as { get?: unknown; set?: unknown } | null;
  return typeof store?.get === "function" && typeof store.set === "function";
}

function checkFrontier(frontier: unknown, isResumed: boolean, seen: unknown): void {
  if (frontier === undefined) return;
  if (typeof (frontier as { lease?: unknown } | null)?.lease !== "function") {
    throw wrongType("frontier", "a store such as memory(), sqlite() or redis()", frontier);
  }
  if (isResumed || seen !== undefined) {
    const other = isResumed ? "resume" : "seen";
    throw new TypeError(
      `Cannot crawl as 'frontier' and '${other}' are both given: a store keeps that itself`,
    );
  }
}

function checkKeys(keys: NonNullable<CrawlOptions["keys"]>): void {
  if (typeof keys !== "object" || keys === null) throw wrongType("keys", "an object", keys);
  refuseUnknown("keys.", keys, { stripTrackingParams: true, sortQuery: true, trailingSlash: true });
  if (keys.sortQuery !== undefined) boolean("keys.sortQuery", keys.sortQuery);
  if (keys.trailingSlash !== undefined) oneOf("keys.trailingSlash", keys.trailingSlash, ["keep", "drop"]);
  const { stripTrackingParams } = keys;
  if (stripTrackingParams === undefined || typeof stripTrackingParams === "boolean") return;
  if (!Array.isArray(stripTrackingParams) || !stripTrackingParams.every((name) => typeof name === "string")) {
    throw wrongType("keys.stripTrackingParams", "a boolean or a list of names", stripTrackingParams);
  }
}

function headerRecord(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (typeof headers !== "object" || headers === null) {
    throw wrongType("headers", "a record or a function", headers);
  }
  try {
    // A plain copy: neither a Headers nor a later change of the caller's record may be lost or come in unseen.
    return Object.fromEntries(checkedHeaders(headers));
  } catch (error) {
    throw new TypeError(
      `Cannot crawl as 'headers' must be names and values of HTTP: ${(error as Error).message}`,
    );
  }
}

function headerValue(name: string, value: string): string {
  // RFC 9110 §5.5, without octets above 0x7F, on which runtimes differ.
  if (typeof value !== "string" || !/^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(value)) {
    throw wrongType(name, "visible ASCII text", value);
  }
  return value;
}

function nonEmptyName(value: unknown, url: string): string {
  if (typeof value !== "string" || value === "") {
    throw new TypeError(`Cannot crawl as 'hostKey' must give a name for '${url}': received ${String(value)}`);
  }
  return value;
}
