import { type Clock, type Random, systemClock, systemRandom } from "../clock.ts";
import { oneOf, positive, refuseUnknown, wholeNumber, wrongType } from "../option_rules.ts";
import type { CrawlOptions } from "../options.ts";
import { settle } from "../settings.ts";
import { type CrawlLimits, settleLimits } from "./crawl_limits.ts";
import { CrawlRegistry } from "./crawl_registry.ts";
import type { SseDeadlines } from "./sse_client.ts";
import { limitedDefaults } from "./submitted_options.ts";

/** What a crawl of the server may be given besides what its client sends. */
export type ServedCrawlOptions = Omit<
  CrawlOptions,
  "results" | "privateAddresses" | "onEvent" | "signal" | "clock" | "random" | "frontier" | "resume"
>;

/** Options of {@link createApp}; each has a default. */
export interface ServerOptions extends SseDeadlines {
  /** What clients have to send as `Authorization: Bearer`. Default: none, and then only loopback is answered. */
  readonly token?: string;
  /** Host names by which requests are answered without a token, besides those of loopback. Default: none. */
  readonly trustedHosts?: readonly string[];
  /** Most crawls that are not over. Default: 4. */
  readonly maxCrawls?: number;
  /** Most crawls that are over and still known. Default: 20. */
  readonly maxFinished?: number;
  /** Milliseconds for which a crawl is known after its end. Default: one hour. */
  readonly keepMs?: number;
  /** Most bytes of the body of `POST /crawls`. Default: 64 KiB. */
  readonly maxSubmissionBytes?: number;
  /** Most characters of the lines that are kept of each crawl for `/pages`. Default: 4,194,304. */
  readonly maxResultChars?: number;
  /** What a client may ask of a crawl. */
  readonly limits?: Partial<CrawlLimits>;
  /**
   * Whether private, loopback and link-local addresses may be crawled. Default: `"deny"`. A name that resolves to one
   * is found out only where `crawl.transport` looks: on Node by `publicTransport()` of `dragline/server/node`.
   */
  readonly privateAddresses?: "deny" | "allow";
  /** What holds for every crawl where its client says nothing: `userAgent`, `transport` and the like. */
  readonly crawl?: ServedCrawlOptions;
  /** When it is aborted, every crawl is stopped gently. */
  readonly signal?: AbortSignal;
  /** Time, for tests. Default: the system's. */
  readonly clock?: Clock;
  /** Chance, for tests. Default: the system's. */
  readonly random?: Random;
}

/** The options as the app uses them. */
export interface ServerSettings {
  readonly token: string | undefined;
  readonly trustedHosts: readonly string[];
  readonly maxSubmissionBytes: number;
  readonly limits: CrawlLimits;
  readonly allowsPrivate: boolean;
  readonly deadlines: SseDeadlines;
  readonly registry: CrawlRegistry;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
}

const NAMES: Readonly<Record<keyof ServerOptions, true>> = {
  token: true,
  trustedHosts: true,
  maxCrawls: true,
  maxFinished: true,
  keepMs: true,
  maxSubmissionBytes: true,
  maxResultChars: true,
  limits: true,
  privateAddresses: true,
  crawl: true,
  signal: true,
  clock: true,
  random: true,
  heartbeatMs: true,
  idleMs: true,
  maxAgeMs: true,
  retryMs: true,
};

/**
 * Checks the options and gives each its value.
 *
 * @throws {TypeError | RangeError} naming the option, the rule and the value
 */
export function settleServer(options: ServerOptions): ServerSettings {
  refuseUnknown("", options, NAMES);
  const {
    token,
    trustedHosts = [],
    maxCrawls = 4,
    maxFinished = 20,
    keepMs = 3_600_000,
    maxSubmissionBytes = 64 * 1024,
    maxResultChars = 4 * 1024 ** 2,
    limits: givenLimits = {},
    privateAddresses = "deny",
    crawl = {},
    signal,
    clock = systemClock,
    random = systemRandom,
    heartbeatMs = 15_000,
    idleMs = 60_000,
    maxAgeMs = 1_800_000,
    retryMs = 2000,
  } = options;
  // RFC 6750 §2.1: what a client can send as one.
  if (token !== undefined && !/^[\w.~+/-]+=*$/.test(token)) {
    throw new TypeError("Cannot serve as 'token' must be of letters, digits and -._~+/ alone");
  }
  if (!Array.isArray(trustedHosts)) throw wrongType("trustedHosts", "a list of host names", trustedHosts);
  for (const [name, value] of Object.entries({ maxCrawls, maxSubmissionBytes, maxResultChars })) {
    wholeNumber(name, value, 1);
  }
  wholeNumber("maxFinished", maxFinished, 0);
  for (const [name, value] of Object.entries({ keepMs, heartbeatMs, idleMs, maxAgeMs }))
    positive(name, value);
  wholeNumber("retryMs", retryMs, 0);
  oneOf("privateAddresses", privateAddresses, ["deny", "allow"]);
  settle(crawl);
  const limits = settleLimits(givenLimits);
  const registry = new CrawlRegistry({
    clock,
    random,
    maxCrawls,
    maxFinished,
    keepMs,
    maxResultChars,
    idleMs,
    defaults: { ...limitedDefaults(limits), ...crawl },
    overrides: { privateAddresses },
  });
  return {
    token,
    trustedHosts,
    maxSubmissionBytes,
    limits,
    allowsPrivate: privateAddresses === "allow",
    deadlines: { heartbeatMs, idleMs, maxAgeMs, retryMs },
    registry,
    signal,
    clock,
  };
}
