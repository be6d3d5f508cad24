import type { HostPace } from "../politeness/host.ts";
import type { CrawlRequest, HostOrTag } from "../request.ts";

/** A value now, or the promise of one: a store in memory need not make its caller wait. */
export type MaybePromise<T> = T | Promise<T>;

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
}

/**
 * Every request not yet finished, with its order, by host. One contract for all stores: politeness is not in here,
 * only who holds which host.
 *
 * A request is queued, in progress, or done. `add` queues it, `take` puts it in progress, `defer` puts it back,
 * `complete` ends it. It is forgotten at `complete` alone, so a worker that dies loses nothing.
 */
export interface Frontier {
  /** Whether a key was accepted before, for a store that can tell without waiting: it saves the making of requests. */
  hasSeen?(key: string): boolean;
  /** Marks keys as seen and queues what is new, in one step. Says for each whether it was new. */
  add(requests: readonly CrawlRequest[]): MaybePromise<readonly boolean[]>;
  /** Up to `n` hosts that are due and held by nobody. */
  lease(n: number, nowMs: number): MaybePromise<readonly Lease[]>;
  /** Up to `n` requests of the host that are due, the first in order first. */
  take(lease: Lease, n: number, nowMs: number): MaybePromise<readonly CrawlRequest[]>;
  /** Ends a request and queues what it led to, in one step. Says for each of `found` whether it was new. */
  complete(
    lease: Lease,
    request: CrawlRequest,
    found: readonly CrawlRequest[],
  ): MaybePromise<readonly boolean[]>;
  /** Puts a request back, not to be taken before `notBeforeMs`; it keeps its place in the order. */
  defer(lease: Lease, request: CrawlRequest, notBeforeMs: number): MaybePromise<void>;
  /** Gives the host back, not to be leased before `dueMs`. What was taken and not ended is queued again. */
  release(lease: Lease, pace: HostPace, dueMs: number): MaybePromise<void>;
  /** Keeps leases from running out. */
  renew(leases: readonly Lease[]): MaybePromise<void>;
  /** Forgets what is queued of a host or tag, wherever it waits, and gives it back in order of acceptance. */
  drop(what: HostOrTag): MaybePromise<readonly CrawlRequest[]>;
  counts(): MaybePromise<FrontierCounts>;
}
