import { DueOrder } from "./due_order.ts";
import type { HopOutcome, HopStream } from "./fetcher.ts";
import type { Lease } from "./frontier/frontier.ts";
import { Heap } from "./heap.ts";
import { type Host, readyAtMs } from "./politeness/host.ts";
import type { CrawlRequest } from "./request.ts";

/** A request of the crawl's own, for robots.txt: it goes before all others of its host, through the same gate. */
export interface Errand {
  readonly url: string;
  readonly settle: (outcome: Exclude<HopOutcome, HopStream>) => void;
}

/** A host in hand: its pace, the right to it, and what is to be asked of it next. */
export interface VisitState {
  readonly host: Host;
  /** None for a host that only an errand leads to. */
  lease: Lease | undefined;
  readonly errands: Errand[];
  /** Taken from the frontier and not started, the next one first. */
  readonly ready: CrawlRequest[];
  /** Whether the frontier may have more of it. It is asked when the host is due, so that the order is the newest. */
  mayHaveMore: boolean;
  /** Taken from the frontier and not ended: ready, in flight, or with the reader. */
  inProgress: number;
  /** Page requests in flight: each may become a page. */
  pagesInFlight: number;
  /** Nothing starts before: robots.txt of the first request's origin is unreachable until then, or on its way. */
  blockedUntilMs: number;
  /** When what was deferred is due again, so that the frontier is asked although nothing new was queued. */
  readonly deferredUntilMs: Heap<number>;
  /** Whether it has ever answered, so that a connection of it may have been kept. */
  hasAnswered: boolean;
}

/** The hosts in hand, ordered by the time at which each may be asked next. */
export class Workbench {
  // An entry leaves when its host is released.
  readonly #states = new Map<string, VisitState>();
  readonly #order = new DueOrder<VisitState>();

  get size(): number {
    return this.#states.size;
  }

  /** When the first host is due; `Infinity` while none has anything to ask. */
  get nextDueMs(): number {
    return this.#order.nextDueMs;
  }

  get(host: string): VisitState | undefined {
    return this.#states.get(host);
  }

  values(): Iterable<VisitState> {
    return this.#states.values();
  }

  open(host: Host, lease: Lease | undefined): VisitState {
    const state: VisitState = {
      host,
      lease,
      errands: [],
      ready: [],
      mayHaveMore: lease !== undefined,
      inProgress: 0,
      pagesInFlight: 0,
      blockedUntilMs: 0,
      deferredUntilMs: new Heap((a, b) => a < b),
      hasAnswered: false,
    };
    this.#states.set(host.name, state);
    return state;
  }

  close(state: VisitState): void {
    this.#order.place(state, Number.POSITIVE_INFINITY);
    this.#states.delete(state.host.name);
  }

  /** The host that may be asked now, the one that waited longest. */
  due(nowMs: number): VisitState | undefined {
    return this.#order.due(nowMs);
  }

  /** Takes a host out of the order until it is placed again. */
  withdraw(state: VisitState): void {
    this.#order.place(state, Number.POSITIVE_INFINITY);
  }

  /** Puts a host where it is due now: after every change of its pace, its requests or its robots.txt. */
  place(state: VisitState): void {
    this.#order.place(state, dueMs(state));
  }
}

function dueMs(state: VisitState): number {
  if (state.errands.length > 0) return readyAtMs(state.host);
  if (state.ready.length > 0) return Math.max(readyAtMs(state.host), state.blockedUntilMs);
  if (state.mayHaveMore) return readyAtMs(state.host);
  return Math.max(readyAtMs(state.host), state.deferredUntilMs.peek() ?? Number.POSITIVE_INFINITY);
}
