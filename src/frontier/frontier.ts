import type { HostPace } from "../politeness/host.ts";
import type { CrawlRequest, HostOrTag, JsonValue } from "../request.ts";

/** A value now, or the promise of one: a store in memory need not make its caller wait. */
export type MaybePromise<T> = T | Promise<T>;

/** Whether an answer is yet to come, also by a promise of another library's or another realm's making. */
export function isToCome<T>(answer: MaybePromise<T>): answer is Promise<T> {
  return typeof (answer as { then?: unknown } | null | undefined)?.then === "function";
}

/**
 * The right to one host: no other worker asks it for anything while the lease lasts. A lease that was released or
 * lost refuses every later operation with an error.
 */
export interface Lease {
  readonly id: string;
  readonly host: string;
  /** How the host was last asked, by whichever worker; none for a host that is new. */
  readonly pace?: HostPace;
}

/** What is still to be done, and what was ever accepted. */
export interface FrontierCounts {
  /** Requests that nobody works on. */
  readonly queued: number;
  /** Requests taken and neither completed nor deferred. An empty queue is not the end while there are some. */
  readonly inProgress: number;
  /** Keys that were ever accepted. */
  readonly seen: number;
  /** Milliseconds since the epoch at which a host that nobody holds is next due; `Infinity` when none is. */
  readonly nextDueMs: number;
  /** Requests that were new and found their host's queue full, where the store has such a bound. */
  readonly overflowed?: number;
  /** Whether what remembers the seen holds more than it was made for, and loses more new URLs than was promised. */
  readonly isOverfull?: boolean;
}

/** What every operation on a lease throws once it was released or has run out. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";

  constructor(host: string) {
    super(`Cannot go on with '${host}' as its lease was released or has run out`);
  }
}

/**
 * Every request not yet finished, with its order, by host. One contract for all stores: politeness is not in here,
 * only who holds which host.
 *
 * A request is queued, in progress, or done. `add` queues it, `take` puts it in progress, `defer` puts it back,
 * `complete` ends it. It is forgotten at `complete` alone, so a worker that dies loses nothing.
 *
 * Every operation is told the time, in milliseconds since the epoch, as its caller's clock has it. A store that
 * several workers share has a clock of its own, and reads all times as so far from then.
 *
 * A host's requests come out by priority, the higher first, then by `order`, the lower first. `order` is each
 * request's own: a store may give it a new one as it comes in, and knows it by that afterwards.
 */
export interface Frontier {
  /**
   * Milliseconds after which a lease runs out unless it is renewed. Only for a store that others share: the crawl
   * then renews in time, and asks again now and then while others are at work.
   */
  readonly leaseMs?: number;
  /** Whether a key was accepted before, for a store that can tell without waiting: it saves the making of requests. */
  hasSeen?(key: string): boolean;
  /** Marks keys as seen and queues what is new, in one step. Says for each whether it was new. */
  add(requests: readonly CrawlRequest[], nowMs: number): MaybePromise<readonly boolean[]>;
  /** Up to `n` hosts that are due and held by nobody, those that have been due the longest first. */
  lease(n: number, nowMs: number): MaybePromise<readonly Lease[]>;
  /** Up to `n` requests of the host that are due, the first in order first. */
  take(lease: Lease, n: number, nowMs: number): MaybePromise<readonly CrawlRequest[]>;
  /** Ends a request and queues what it led to, in one step. Says for each of `found` whether it was new. */
  complete(
    lease: Lease,
    request: CrawlRequest,
    found: readonly CrawlRequest[],
    nowMs: number,
  ): MaybePromise<readonly boolean[]>;
  /** Puts a request back as it is handed in, not to be taken before `notBeforeMs`; it keeps its place in the order. */
  defer(lease: Lease, request: CrawlRequest, notBeforeMs: number, nowMs: number): MaybePromise<void>;
  /** Gives the host back, not to be leased before `dueMs`. What was taken and not ended is queued again. */
  release(lease: Lease, pace: HostPace, dueMs: number, nowMs: number): MaybePromise<void>;
  /**
   * Keeps leases from running out, each with its host's pace as it is now, which the next holder gets where this one
   * dies. Gives those that were lost already.
   */
  renew(leases: readonly Lease[], nowMs: number): MaybePromise<readonly Lease[]>;
  /** Forgets what is queued of a host or tag, wherever it waits, and gives it back in order of acceptance. */
  drop(what: HostOrTag, nowMs: number): MaybePromise<readonly CrawlRequest[]>;
  counts(nowMs: number): MaybePromise<FrontierCounts>;
  /**
   * Keeps what the crawl remembers beside its requests, for the process that goes on: scope, budgets used, cookies. Only
   * for a store that outlives its process and belongs to one worker.
   */
  saveState?(state: JsonValue): MaybePromise<void>;
  /** What {@link saveState} was given last; `undefined` where nothing was. */
  loadState?(): MaybePromise<JsonValue | undefined>;
  /** Lets go of what the store holds open. Called once, after the last other operation. */
  close?(): MaybePromise<void>;
}
