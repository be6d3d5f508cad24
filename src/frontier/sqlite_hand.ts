import type { CrawlRequest } from "../request.ts";
import type { Lease } from "./frontier.ts";
import { type Place, placeOf } from "./sqlite_requests.ts";

const FOREMOST: Place = { rank: Number.NEGATIVE_INFINITY, order: 0 };

/** A host in hand: what of its queue is in progress, and what was read ahead. */
export class Hand {
  readonly lease: Lease;
  readonly hostId: number;
  /** Orders of what was taken and has not ended. */
  readonly taken: Set<number> = new Set();
  /** When something that was deferred is due, or earlier. */
  deferredUntilMs: number;
  /** What stands at or before this place, and waits for nothing, is in progress. */
  #after: Place = FOREMOST;
  /** What comes next in the queue, in order, without a gap. */
  #ahead: CrawlRequest[] = [];

  constructor(lease: Lease, hostId: number, deferredUntilMs: number) {
    this.lease = lease;
    this.hostId = hostId;
    this.deferredUntilMs = deferredUntilMs;
  }

  /** Requests that were read ahead. */
  get ahead(): number {
    return this.#ahead.length;
  }

  /** The place after which the queue is to be read. */
  get after(): Place {
    return this.#after;
  }

  /** To be called with what stands after {@link after} in the queue, in order. */
  readOn(requests: readonly CrawlRequest[]): void {
    // What is in progress is still there.
    this.#ahead = requests.filter(({ order }) => !this.taken.has(order));
  }

  /** Up to `n` of what was read ahead. */
  take(n: number): CrawlRequest[] {
    const requests = this.#ahead.splice(0, n);
    for (const { order } of requests) this.taken.add(order);
    const last = requests.at(-1);
    if (last !== undefined) this.#after = placeOf(last);
    return requests;
  }

  /** To be called when a request was queued, new or once more. */
  noteQueued(request: CrawlRequest): void {
    if (request.notBeforeMs !== undefined) {
      this.deferredUntilMs = Math.min(this.deferredUntilMs, request.notBeforeMs);
      return;
    }
    const place = placeOf(request);
    const last = this.#ahead.at(-1);
    // A redirect's target may stand just where what it follows on stood, the last that was taken.
    if (!isBefore(this.#after, place)) this.#startOver();
    else if (last !== undefined && isBefore(place, placeOf(last))) this.forgetAhead();
  }

  /** To be called when what was deferred may be taken; `deferredUntilMs`: when the next is due. */
  startOver(deferredUntilMs: number): void {
    this.deferredUntilMs = deferredUntilMs;
    this.#startOver();
  }

  /** To be called when something of the queue is gone. */
  forgetAhead(): void {
    this.#ahead = [];
  }

  #startOver(): void {
    this.#after = FOREMOST;
    this.forgetAhead();
  }
}

function isBefore(a: Place, b: Place): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.order < b.order);
}
