import type { Clock } from "./clock.ts";
import {
  type Frontier,
  isToCome,
  type Lease,
  LeaseLostError,
  type MaybePromise,
} from "./frontier/frontier.ts";
import { type HostPace, savePace } from "./politeness/host.ts";
import type { CrawlRequest } from "./request.ts";
import type { VisitState } from "./workbench.ts";

// A renewal may come late, and once not at all.
const RENEWALS_A_LEASE = 3;

/** The frontier as a holder of leases sees it: a lease that is lost takes its host away, and is no error. */
export class LeasedFrontier {
  readonly #frontier: Frontier;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #onLost: (state: VisitState) => void;
  #renewAtMs: number;

  /** `onLost` is called when others have a host's requests: nothing of it is left to do. */
  constructor(frontier: Frontier, clock: Clock, onLost: (state: VisitState) => void) {
    const { leaseMs = Number.POSITIVE_INFINITY } = frontier;
    this.#frontier = frontier;
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#onLost = onLost;
    this.#renewAtMs = clock.now() + leaseMs / RENEWALS_A_LEASE;
  }

  /** Whether others may take from it and add to it at any time. */
  get isShared(): boolean {
    return this.#leaseMs !== Number.POSITIVE_INFINITY;
  }

  /** When the leases are to be renewed; `Infinity` where they do not run out. */
  get renewAtMs(): number {
    return this.#renewAtMs;
  }

  /** Keeps the leases of these hosts from running out. */
  async renew(states: Iterable<VisitState>, nowMs: number): Promise<void> {
    const held = new Map<string, VisitState>();
    const leases: Lease[] = [];
    for (const state of states) {
      if (state.lease === undefined) continue;
      held.set(state.lease.host, state);
      // The pace goes along, so that it outlives a holder that dies.
      leases.push({ ...state.lease, pace: savePace(state.host) });
    }
    this.#renewAtMs = nowMs + this.#leaseMs / RENEWALS_A_LEASE;
    for (const { host } of await this.#frontier.renew(leases, nowMs)) this.#onLost(held.get(host)!);
  }

  take(state: VisitState, n: number): MaybePromise<readonly CrawlRequest[]> {
    return this.#held(state, (lease, nowMs) => this.#frontier.take(lease, n, nowMs), []);
  }

  /** Says which of `found` was new. */
  async complete(
    state: VisitState,
    request: CrawlRequest,
    found: readonly CrawlRequest[],
  ): Promise<readonly CrawlRequest[]> {
    const isNew = await this.#held(
      state,
      (lease, nowMs) => this.#frontier.complete(lease, request, found, nowMs),
      [],
    );
    return found.filter((_, i) => isNew[i]);
  }

  async defer(state: VisitState, request: CrawlRequest, notBeforeMs: number): Promise<void> {
    await this.#held(
      state,
      (lease, nowMs) => this.#frontier.defer(lease, request, notBeforeMs, nowMs),
      undefined,
    );
  }

  async release(state: VisitState, pace: HostPace, dueMs: number): Promise<void> {
    await this.#held(state, (lease, nowMs) => this.#frontier.release(lease, pace, dueMs, nowMs), undefined);
  }

  /** What a store in memory answers is there at once. `lost` is given where the lease is lost, or was never there. */
  #held<T>(
    state: VisitState,
    operation: (lease: Lease, nowMs: number) => MaybePromise<T>,
    lost: T,
  ): MaybePromise<T> {
    if (state.lease === undefined) return lost;
    const onError = (error: unknown): T => {
      if (!(error instanceof LeaseLostError)) throw error;
      this.#onLost(state);
      return lost;
    };
    try {
      const done = operation(state.lease, this.#clock.now());
      return isToCome(done) ? Promise.resolve(done).catch(onError) : done;
    } catch (error) {
      return onError(error);
    }
  }
}
