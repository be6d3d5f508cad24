import { nearestName } from "../nearest.ts";
import type { CrawlOptions } from "../options.ts";
import { settle } from "../settings.ts";
import { isPrivateAddress } from "../web/private_address.ts";
import type { CrawlLimits } from "./crawl_limits.ts";
import type { FieldFault } from "./problem.ts";

/** What is wrong with a value beside its type, as the end of a sentence; `undefined` where nothing is. */
type Cap = (value: unknown, limits: CrawlLimits, allowsPrivate: boolean) => string | undefined;

const HOUR_MS = 3_600_000;
const MAX_LIST = 50;
const MAX_TEXT_LENGTH = 500;
const MAX_HEADERS_LENGTH = 4096;
// The connection's own, and what is said elsewhere: RFC 9110 §7.6.1 and the fetch standard's forbidden request-headers.
const FORBIDDEN_HEADERS =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-length|accept-encoding|user-agent|proxy-.*)$/i;

/**
 * The options that a client may send, which are those that JSON can hold, each with its cap. What type a value has to
 * be of is left to the crawl's own rules.
 */
const CAPS: Readonly<Partial<Record<keyof CrawlOptions, Cap>>> = {
  concurrency: (value, { maxConcurrency }) => atMost(value, maxConcurrency),
  hostConcurrency: (value, { maxHostConcurrency }) =>
    atMost(isRecord(value) ? value.adaptive : value, maxHostConcurrency),
  delayMs: (value, { minDelayMs }) => {
    const ends = Array.isArray(value) ? value : [value];
    return firstFault(ends, (end) => atLeast(end, minDelayMs) ?? atMost(end, HOUR_MS));
  },
  robots: robotsCap,
  userAgent: shortText,
  sitemaps: (value, _, allowsPrivate) =>
    Array.isArray(value)
      ? (shortList(value) ?? firstFault(value, (url) => publicUrl(url, allowsPrivate)))
      : undefined,
  scope: shortText,
  include: patternsCap,
  exclude: patternsCap,
  follow: () => undefined,
  directives: () => undefined,
  maxDepth: (value, { maxDepth }) => atMost(value, maxDepth),
  maxPages: (value, { maxPages }) => atMost(value, maxPages),
  maxRequests: (value, { maxRequests }) => atMost(value, maxRequests),
  maxDurationMs: (value, { maxDurationMs }) => atMost(value, maxDurationMs),
  maxPagesPerHost: (value, { maxPages }) => atMost(value, maxPages),
  timeoutMs: (value, { maxTimeoutMs }) => atMost(value, maxTimeoutMs),
  maxBodyBytes: (value, { maxBodyBytes }) => atMost(value, maxBodyBytes),
  contentTypes: (value) => (Array.isArray(value) ? shortList(value) : shortText(value)),
  maxRedirects: (value) => atMost(value, 20),
  retries: (value, { maxRetries }) =>
    isRecord(value)
      ? (atMost(value.max, maxRetries) ?? atMost(value.baseMs, HOUR_MS) ?? atMost(value.maxMs, HOUR_MS))
      : undefined,
  maxHostFailures: (value) => atMost(value, 1000),
  maxRetryAfterMs: (value) => atMost(value, HOUR_MS),
  nearDuplicates: () => undefined,
  traps: () => undefined,
  cookies: () => undefined,
  keys: (value) => {
    const list = isRecord(value) ? value.stripTrackingParams : undefined;
    return Array.isArray(list) ? shortList(list) : undefined;
  },
  headers: headersCap,
  graceMs: (value) => atMost(value, 60_000),
};

/** What is wrong with the options that a client sent: nothing, where a crawl can be made of them. */
export function optionFaults(
  options: Readonly<Record<string, unknown>>,
  limits: CrawlLimits,
  allowsPrivate: boolean,
): FieldFault[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const fault = optionFault(name, value, limits, allowsPrivate);
    if (fault === undefined) return [];
    return [{ pointer: `#/options/${pointerToken(name)}`, detail: `options.${name} ${fault}` }];
  });
}

/** What holds for a crawl where the client says nothing, with every limit kept. */
export function limitedDefaults(limits: CrawlLimits): CrawlOptions {
  const delayMs = Math.max(250, limits.minDelayMs);
  return {
    concurrency: Math.min(8, limits.maxConcurrency),
    hostConcurrency: { adaptive: Math.min(4, limits.maxHostConcurrency) },
    delayMs,
    maxDepth: limits.maxDepth,
    maxPages: limits.maxPages,
    maxRequests: limits.maxRequests,
    maxDurationMs: limits.maxDurationMs,
    timeoutMs: Math.min(10_000, limits.maxTimeoutMs),
    maxBodyBytes: Math.min(10 * 1024 ** 2, limits.maxBodyBytes),
    retries: { max: Math.min(2, limits.maxRetries) },
    graceMs: 60_000,
  };
}

/** Whether a client may send an option of that name. */
function isSubmittable(name: string): name is keyof CrawlOptions {
  return Object.hasOwn(CAPS, name);
}

function optionFault(
  name: string,
  value: unknown,
  limits: CrawlLimits,
  allowsPrivate: boolean,
): string | undefined {
  if (!isSubmittable(name)) {
    const nearest = nearestName(name, Object.keys(CAPS));
    return `is no option that can be sent${nearest === undefined ? "" : `: did you mean '${nearest}'?`}`;
  }
  // No rule of the crawl looks into what JSON has no value for.
  if (value === null) return "must not be null: leave it out for its default";
  return CAPS[name]?.(value, limits, allowsPrivate) ?? ruleFault(name, value);
}

/** What the crawl's own rules say of one option. */
function ruleFault(name: string, value: unknown): string | undefined {
  try {
    settle({ [name]: value });
    return undefined;
  } catch (error) {
    return `is not right: ${(error as Error).message}`;
  }
}

function robotsCap(value: unknown, { optionalRobots }: CrawlLimits): string | undefined {
  if (value === false && !optionalRobots) return "must not be false: robots.txt is obeyed here";
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, "fetch")) return "must not have 'fetch'";
  return (
    atMost(value.maxAgeMs, 24 * HOUR_MS) ??
    atMost(value.unreachableRetries, 5) ??
    atMost(value.maxCrawlDelayMs, HOUR_MS)
  );
}

function patternsCap(value: unknown): string | undefined {
  const list = Array.isArray(value) ? value : [value];
  return (
    shortList(list) ??
    firstFault(list, (pattern) => (typeof pattern === "string" ? undefined : "must be text"))
  );
}

function headersCap(value: unknown): string | undefined {
  if (!isRecord(value)) return "must be an object of names and values";
  const entries = Object.entries(value);
  if (entries.length > MAX_LIST) return `must have at most ${MAX_LIST} entries: received ${entries.length}`;
  if (JSON.stringify(value).length > MAX_HEADERS_LENGTH) return `must be at most ${MAX_HEADERS_LENGTH} long`;
  return firstFault(entries, ([name, text]) => {
    if (FORBIDDEN_HEADERS.test(name)) return `must not have '${name}'`;
    return typeof text === "string" ? undefined : `must have text for '${name}'`;
  });
}

/** What keeps an address from being asked for; `undefined` where nothing does. */
export function publicUrl(url: unknown, allowsPrivate: boolean): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url)) return "must be an absolute http or https URL";
  const { hostname, username, password } = new URL(url);
  if (username !== "" || password !== "") return "must have no credentials";
  if (!allowsPrivate && isPrivateAddress(hostname))
    return `must not lie in a private network: received '${hostname}'`;
  return undefined;
}

// A value of another type is left to the crawl's own rules.
function atMost(value: unknown, most: number): string | undefined {
  return typeof value === "number" && value > most ? `must be at most ${most}: received ${value}` : undefined;
}

function atLeast(value: unknown, least: number): string | undefined {
  return typeof value === "number" && value < least
    ? `must be at least ${least}: received ${value}`
    : undefined;
}

function shortText(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length <= MAX_TEXT_LENGTH) return undefined;
  return `must be at most ${MAX_TEXT_LENGTH} characters long: received ${value.length}`;
}

function shortList(list: readonly unknown[]): string | undefined {
  if (list.length > MAX_LIST) return `must have at most ${MAX_LIST} entries: received ${list.length}`;
  return firstFault(list, shortText);
}

function firstFault<T>(values: readonly T[], fault: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const found = fault(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** RFC 6901 §3 and §6. */
function pointerToken(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}
