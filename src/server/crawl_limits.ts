import { boolean, finite, notNegative, refuseUnknown, wholeNumberOrInfinity } from "../option_rules.ts";

/** The most that a client may ask of one crawl. What it leaves out is at most that, too. */
export interface CrawlLimits {
  /** Default: 100. */
  readonly maxSeeds: number;
  /** Requests in flight over all hosts. Default: 32. */
  readonly maxConcurrency: number;
  /** Requests in flight to one host. Default: 8. */
  readonly maxHostConcurrency: number;
  /** The least milliseconds between two starts to one host. Default: 100. */
  readonly minDelayMs: number;
  /** Default: 10,000. */
  readonly maxPages: number;
  /** Default: 50,000. */
  readonly maxRequests: number;
  /** Default: one hour. */
  readonly maxDurationMs: number;
  /** Default: 100. */
  readonly maxDepth: number;
  /** Default: 60,000. */
  readonly maxTimeoutMs: number;
  /** Default: 10 MiB. */
  readonly maxBodyBytes: number;
  /** More attempts of one request. Default: 5. */
  readonly maxRetries: number;
  /** Whether a client may have robots.txt left unread. Default: `false`. */
  readonly optionalRobots: boolean;
}

const DEFAULTS: CrawlLimits = {
  maxSeeds: 100,
  maxConcurrency: 32,
  maxHostConcurrency: 8,
  minDelayMs: 100,
  maxPages: 10_000,
  maxRequests: 50_000,
  maxDurationMs: 3_600_000,
  maxDepth: 100,
  maxTimeoutMs: 60_000,
  maxBodyBytes: 10 * 1024 ** 2,
  maxRetries: 5,
  optionalRobots: false,
};
const NAMES = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, true as const]));

/**
 * Checks the limits and gives each its value; `Infinity` is no limit.
 *
 * @throws {TypeError | RangeError} naming a limit that there is not, or its rule and the value
 */
export function settleLimits(limits: Partial<CrawlLimits>): CrawlLimits {
  refuseUnknown("limits.", limits, NAMES);
  const settled = { ...DEFAULTS, ...limits };
  const { optionalRobots, minDelayMs, maxDepth, maxRetries, ...others } = settled;
  boolean("limits.optionalRobots", optionalRobots);
  notNegative("limits.minDelayMs", minDelayMs);
  finite("limits.minDelayMs", minDelayMs);
  for (const [name, value] of Object.entries({ maxDepth, maxRetries })) {
    wholeNumberOrInfinity(`limits.${name}`, value, 0);
  }
  for (const [name, value] of Object.entries(others)) wholeNumberOrInfinity(`limits.${name}`, value, 1);
  return settled;
}
