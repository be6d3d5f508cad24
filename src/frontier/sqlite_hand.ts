import type { CrawlRequest } from "../request.ts";
import type { Lease } from "./frontier.ts";
import { type Place, placeOf } from "./sqlite_requests.ts";

const FOREMOST: Place = { rank: Number.NEGATIVE_INFINITY, order: 0 };
const HINDMOST: Place = { rank: Number.POSITIVE_INFINITY, order: Number.POSITIVE_INFINITY };

// What is queued meanwhile is kept too, up to so many: a host's whole queue, where it is that short.
const MOST_AHEAD = 64;

/** A host in hand: what of its queue is in progress, and what of it is in memory. */
export class Hand {
  readonly lease: Lease;
  readonly hostId: number;
  /** Orders of what was taken and has not ended. */
  readonly taken: Set<number> = new Set();
  /** When something that was deferred is due, or earlier. */
  deferredUntilMs: number;
  /** What stands at or before this place, and waits for nothing, is in progress or in `#ahead`. */
  #readTo: Place = FOREMOST;
  /** What comes next in the queue, in order, without a gap. */
  #ahead: CrawlRequest[] = [];

  constructor(lease: Lease, hostId: number, deferredUntilMs: number) {
    this.lease = lease;
    this.hostId = hostId;
    this.deferredUntilMs = deferredUntilMs;
  }

  /** Whether the file may have more of the queue, where up to `n` are wanted. */
  lacks(n: number): boolean {
    return this.#ahead.length < n && this.#readTo !== HINDMOST;
  }

  /** The place after which the queue is to be read. */
  get readTo(): Place {
    return this.#readTo;
  }

  /** To be called with what stands after {@link readTo} in the queue, in order; `isRest`: there is no more. */
  readOn(requests: readonly CrawlRequest[], isRest: boolean): void {
    this.#readTo = isRest ? HINDMOST : placeOf(requests.at(-1)!);
    // What is in progress is still there.
    for (const request of requests) if (!this.taken.has(request.order)) this.#ahead.push(request);
  }

  /** Up to `n` of what is in memory. */
  take(n: number): CrawlRequest[] {
    const requests = this.#ahead.splice(0, n);
    for (const { order } of requests) this.taken.add(order);
    return requests;
  }

  /**
   * @throws {Error} where the request is not in progress
   */
  checkTaken({ order, url }: CrawlRequest): void {
    if (this.taken.has(order)) return;
    throw new Error(`Cannot end the request for '${url}' as it is not in progress`);
  }

  /** To be called when a request was queued, new or once more. */
  noteQueued(request: CrawlRequest): void {
    if (request.notBeforeMs !== undefined) {
      this.deferredUntilMs = Math.min(this.deferredUntilMs, request.notBeforeMs);
      return;
    }
    const place = placeOf(request);
    if (isBefore(this.#readTo, place)) return;
    let at = this.#ahead.length;
    while (at > 0 && isBefore(place, placeOf(this.#ahead[at - 1]!))) at--;
    this.#ahead.splice(at, 0, request);
    if (this.#ahead.length <= MOST_AHEAD) return;
    this.#ahead.pop();
    this.#readTo = placeOf(this.#ahead.at(-1)!);
  }

  /** To be called when what was deferred may be taken; `deferredUntilMs`: when the next is due. */
  startOver(deferredUntilMs: number): void {
    this.deferredUntilMs = deferredUntilMs;
    this.#readTo = FOREMOST;
    this.#ahead = [];
  }

  /** To be called when requests were dropped out of the queue. */
  forget(orders: ReadonlySet<number>): void {
    this.#ahead = this.#ahead.filter(({ order }) => !orders.has(order));
  }
}

function isBefore(a: Place, b: Place): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.order < b.order);
}
