import { isToCome } from "./frontier/frontier.ts";
import type { LeasedFrontier } from "./leased_frontier.ts";
import type { CrawlRequest } from "./request.ts";
import type { Skip } from "./result.ts";
import type { Withheld } from "./withheld.ts";
import type { VisitState } from "./workbench.ts";

// How many of a queue that is skipped anyway are taken at once.
const SKIPPED_AT_ONCE = 64;

// How many are taken at once where those before were all held.
const HELD_AT_ONCE = 64;

/** What a feeder works with. */
export interface FeederParts {
  readonly leased: LeasedFrontier;
  readonly withheld: Withheld;
  /** Ends a request without asking for it. */
  readonly skip: (state: VisitState, request: CrawlRequest, skip: Pick<Skip, "reason" | "detail">) => void;
  /** Puts a request back for a later attempt. */
  readonly defer: (state: VisitState, request: CrawlRequest, notBeforeMs: number) => Promise<void>;
  /** Called when a host has nothing more in the frontier, and nothing is left to do there. */
  readonly giveBack: (state: VisitState) => Promise<void>;
  /** Called when a host may have another place: it may have been given back meanwhile. */
  readonly place: (state: VisitState) => void;
}

/** Takes the requests of hosts in hand out of the frontier: what may be started, and what is skipped or held. */
export class Feeder {
  readonly #parts: FeederParts;
  /** Hosts in hand whose queue is skipped, and may have more in the frontier. */
  readonly #draining = new Set<VisitState>();

  constructor(parts: FeederParts) {
    this.#parts = parts;
  }

  /** Whether there is a queue to be skipped. */
  get isToDrain(): boolean {
    return this.#draining.size > 0;
  }

  /** Has a host's queue skipped, where it is one that is given up. */
  drainLater(state: VisitState): void {
    this.#draining.add(state);
  }

  /** To be called when a host is no longer in hand. */
  forget(state: VisitState): void {
    this.#draining.delete(state);
  }

  /** Takes up to `n` requests of a host that is due; one that has none left is given back. */
  async feed(state: VisitState, n: number, nowMs: number): Promise<void> {
    const { withheld, defer, place } = this.#parts;
    if (state.lease === undefined) return;
    if (withheld.whyGivenUp(state.host.name, nowMs) !== undefined) {
      this.drainLater(state);
      return this.drain(nowMs);
    }
    const wanted = Math.max(1, Math.min(n, state.host.limit - state.host.inFlight));
    // What is held delays nothing behind it: the queue is read on until something else is there, or its end.
    let requests = await this.#takeFrom(state, wanted, nowMs);
    while (requests.length > 0) {
      for (const request of requests) {
        const heldUntilMs = this.#heldUntilMs(request, nowMs);
        if (heldUntilMs === undefined) state.ready.push(request);
        else await defer(state, request, heldUntilMs);
      }
      // Something may also have come back while the store took its time.
      if (state.ready.length > 0) break;
      requests = await this.#takeFrom(state, HELD_AT_ONCE, nowMs);
    }
    if (state.ready.length === 0) await this.#endFeeding(state);
    place(state);
  }

  /** Skips some of each queue that is to be skipped. */
  async drain(nowMs: number): Promise<void> {
    const { withheld, skip, place } = this.#parts;
    const draining = [...this.#draining];
    this.#draining.clear();
    for (const state of draining) {
      const givenUp = withheld.whyGivenUp(state.host.name, nowMs);
      if (givenUp === undefined || state.lease === undefined) continue;
      const skipped = await this.#takeFrom(state, SKIPPED_AT_ONCE, nowMs);
      for (const request of skipped) skip(state, request, givenUp);
      if (skipped.length > 0) this.#draining.add(state);
      else await this.#endFeeding(state);
      place(state);
    }
  }

  /** Notes that the frontier has nothing more of a host, and gives it back if nothing is left to do there. */
  async #endFeeding(state: VisitState): Promise<void> {
    state.mayHaveMore = false;
    const isIdle = state.inProgress === 0 && state.host.inFlight === 0 && state.errands.length === 0;
    if (isIdle) await this.#parts.giveBack(state);
  }

  async #takeFrom(state: VisitState, n: number, nowMs: number): Promise<readonly CrawlRequest[]> {
    const taken = this.#parts.leased.take(state, n);
    const requests = isToCome(taken) ? await taken : taken;
    while ((state.deferredUntilMs.peek() ?? Number.POSITIVE_INFINITY) <= nowMs) state.deferredUntilMs.pop();
    state.inProgress += requests.length;
    return requests;
  }

  /** Until when the request's tag is held; `undefined` where it is not. */
  #heldUntilMs({ tag }: CrawlRequest, nowMs: number): number | undefined {
    return tag === undefined ? undefined : this.#parts.withheld.tagHeldUntilMs(tag, nowMs);
  }
}
