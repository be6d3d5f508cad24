import type { Page } from "./page.ts";
import type { CrawlRequest } from "./request.ts";

/**
 * Why a request got no answer, the same on every runtime.
 *
 * - `dns`: the name could not be resolved
 * - `connect`: refused, unreachable, or no connection in time
 * - `tls`: no secure connection, say an expired certificate
 * - `reset`: the connection ended before the answer did
 * - `timeout`: not all of the answer was there after `timeoutMs`
 * - `redirect`: a loop, more than `maxRedirects` hops, or no usable Location
 * - `too-large`: more than `maxBodyBytes` decoded bytes
 * - `decode`: the body is not in the content-encoding that it claims
 * - `protocol`: what came is not HTTP
 * - `network`: any other fault below HTTP
 */
export type FailureReason =
  | "dns"
  | "connect"
  | "tls"
  | "reset"
  | "timeout"
  | "redirect"
  | "too-large"
  | "decode"
  | "protocol"
  | "network";

/**
 * Why a URL was not fetched, or its answer not read.
 *
 * - `robots`: robots.txt forbids it, or asks for a longer crawl-delay than `maxCrawlDelayMs`
 * - `robots-unreachable`: robots.txt could not be had, which forbids all (RFC 9309 §2.3.1.4)
 * - `scope`: outside of `scope`, `include` and `exclude`
 * - `depth`: more than `maxDepth` hops from a seed
 * - `seen`: a redirect to a URL that the crawl has already
 * - `trap`: the shape of a URL that never ends
 * - `content-type`: not one of `contentTypes`; the body was left unread
 * - `nofollow`: the page asks that its link not be followed
 * - `duplicate`: nearly the same as a page before
 * - `private-address`: an address of a private network
 * - `host-unavailable`: its host failed `maxHostFailures` times in a row
 * - `budget`: its host has given `maxPagesPerHost` pages
 * - `invalid-url`: not a URL, or not of http or https
 * - `retry-after`: its host asked to wait longer than `maxRetryAfterMs`
 * - `dropped`: the caller dropped its host or tag
 */
export type SkipReason =
  | "robots"
  | "robots-unreachable"
  | "scope"
  | "depth"
  | "seen"
  | "trap"
  | "content-type"
  | "nofollow"
  | "duplicate"
  | "private-address"
  | "host-unavailable"
  | "budget"
  | "invalid-url"
  | "retry-after"
  | "dropped";

/** A request that `fetch` would have rejected: every attempt failed. */
export interface Failure {
  readonly type: "failure";
  readonly url: string;
  readonly request: CrawlRequest;
  readonly reason: FailureReason;
  /** How many times it was tried. */
  readonly attempts: number;
  /** The last status that came, when one came at all. */
  readonly status?: number | undefined;
  /** What the runtime threw. */
  readonly cause: Error;
}

/** A URL that was found and left alone. */
export interface Skip {
  readonly type: "skip";
  /** As written where it is no URL at all. */
  readonly url: string;
  readonly reason: SkipReason;
  /** The page on which it was found; none for a seed. */
  readonly referrer?: string | undefined;
  /** What the frontier had accepted; none for a link that never got so far. */
  readonly request?: CrawlRequest | undefined;
  /** The answer's, when it was asked for at all. */
  readonly status?: number | undefined;
  /** One sentence where the reason alone does not say enough. */
  readonly detail?: string | undefined;
}

/** What becomes of a URL. */
export type CrawlResult = Page | Failure | Skip;
