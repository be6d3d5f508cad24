import type { CrawlEvent, Happening } from "./event.ts";
import type { PaceReason } from "./politeness/host.ts";
import type { FailureReason, SkipReason } from "./result.ts";

/**
 * Why a crawl is over.
 *
 * - `done`: all that was found has its result
 * - `max-depth`, `max-pages-per-host`: the same, but this budget kept something out
 * - `max-pages`, `max-requests`, `max-duration`: this budget was used up; what was left is in `queued`
 * - `stopped`: by `stop()`
 * - `cancelled`: by `cancel()`, or by `break` in a loop
 * - `aborted`: by `signal`
 * - `failed`: by an error, which the stream's reader got
 */
export type FinishReason =
  | "done"
  | "max-depth"
  | "max-pages-per-host"
  | "max-pages"
  | "max-requests"
  | "max-duration"
  | "stopped"
  | "cancelled"
  | "aborted"
  | "failed";

/** A host that nothing is asked of until an instant, by its own wish or the caller's. */
export interface PausedHost {
  readonly host: string;
  /** Milliseconds since the epoch. */
  readonly untilMs: number;
  readonly why: PaceReason;
}

/** A crawl in numbers, at one moment. Nothing changes it afterwards. */
export interface CrawlStats {
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** Milliseconds from the start to this moment, or to the end. */
  readonly elapsedMs: number;
  /** URLs that were new and in scope. Each comes to one page, failure or skip, or is among `queued` at the end. */
  readonly accepted: number;
  readonly pages: number;
  readonly failures: number;
  readonly skips: number;
  readonly failuresByReason: Readonly<Partial<Record<FailureReason, number>>>;
  readonly skipsByReason: Readonly<Partial<Record<SkipReason, number>>>;
  /** Answers by status code, of all requests but those for robots.txt. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Requests sent for pages and sitemaps, each attempt and each hop counted. */
  readonly requests: number;
  readonly robotsRequests: number;
  readonly retries: number;
  readonly redirects: number;
  /** Decoded bytes of all bodies that were read. */
  readonly bytes: number;
  readonly sitemapEntries: number;
  /** Accepted and not begun. */
  readonly queued: number;
  /** Begun, and no result with the reader yet. */
  readonly inProgress: number;
  /** URLs that were new and found their host's queue full, where the frontier has such a bound. */
  readonly overflowed: number;
  /** Requests on the wire at this moment. */
  readonly inFlight: number;
  /** Hosts of which something was asked. */
  readonly hosts: number;
  /** Hosts that nothing is asked of at this moment. */
  readonly pausedHosts: readonly PausedHost[];
  /** Only at the end. */
  readonly finishReason?: FinishReason | undefined;
  /** What was given to `stop()`. */
  readonly finishDetail?: string | undefined;
}

/** The counts that events alone give. */
export interface EventCounts {
  accepted: number;
  pages: number;
  failures: number;
  skips: number;
  failuresByReason: Partial<Record<FailureReason, number>>;
  skipsByReason: Partial<Record<SkipReason, number>>;
  statuses: Record<number, number>;
  requests: number;
  robotsRequests: number;
  retries: number;
  redirects: number;
  bytes: number;
  sitemapEntries: number;
  inFlight: number;
}

/** The counts before the first event. */
export function noCounts(): EventCounts {
  return {
    accepted: 0,
    pages: 0,
    failures: 0,
    skips: 0,
    failuresByReason: {},
    skipsByReason: {},
    statuses: {},
    requests: 0,
    robotsRequests: 0,
    retries: 0,
    redirects: 0,
    bytes: 0,
    sitemapEntries: 0,
    inFlight: 0,
  };
}

/** Adds one event to the counts: folded over a crawl's events from the first, it gives its stats. */
export function count(counts: EventCounts, event: CrawlEvent | Happening): void {
  switch (event.type) {
    case "accepted":
      counts.accepted++;
      break;
    case "started":
      counts.inFlight++;
      if (event.kind === "robots") counts.robotsRequests++;
      else counts.requests++;
      break;
    case "ended":
      counts.inFlight--;
      counts.bytes += event.bytes;
      if (event.status !== undefined && event.kind !== "robots") increment(counts.statuses, event.status);
      break;
    case "redirected":
      counts.redirects++;
      break;
    case "retrying":
      counts.retries++;
      break;
    case "page":
      counts.pages++;
      break;
    case "failure":
      counts.failures++;
      increment(counts.failuresByReason, event.failure.reason);
      break;
    case "skip":
      counts.skips++;
      increment(counts.skipsByReason, event.skip.reason);
      break;
    case "sitemap":
      counts.sitemapEntries += event.entries;
      break;
    case "paced":
    case "robots":
    case "scope":
    case "held":
    case "dropped":
    case "warning":
    case "finished":
      break;
    default:
      event satisfies never;
  }
}

function increment<K extends string | number>(counts: Partial<Record<K, number>>, name: K): void {
  counts[name] = ((counts[name] as number | undefined) ?? 0) + 1;
}
