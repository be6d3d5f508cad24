import type { Clock } from "./clock.ts";
import { Feeder } from "./feeder.ts";
import type { Frontier, Lease } from "./frontier/frontier.ts";
import type { Journal } from "./journal.ts";
import { LeasedFrontier } from "./leased_frontier.ts";
import type { Settings } from "./options.ts";
import {
  type Host,
  type HostPace,
  newHost,
  type PaceChange,
  type PaceRules,
  pauseUntil,
  readyAtMs,
  savePace,
} from "./politeness/host.ts";
import { type CrawlRequest, type HostOrTag, matches } from "./request.ts";
import { newerPace, RestingHosts, resumePace } from "./resting_hosts.ts";
import type { Skip, SkipReason } from "./result.ts";
import type { SavedGivenUp, SavedState } from "./snapshot.ts";
import { type GivenUp, Withheld } from "./withheld.ts";
import { type VisitState, Workbench } from "./workbench.ts";

// So many hosts wait in hand; with more, those that are due last go back to the frontier. At one request each in
// four minutes they still keep eight requests a second going.
const MAX_IN_HAND = 2_000;

// Of a store that others share, a worker takes no more than it can keep busy, so that the others have some too.
const HOSTS_A_PLACE = 2;

// How often a shared store is asked whether others have queued something.
const POLL_MS = 500;

// Hosts that change places at once when all in hand wait and others are due.
const EXCHANGED = 200;

// How often a full hand is looked through while something in it is due: walking over all of it costs as much as some
// requests do.
const WALK_EVERY_MS = 1_000;

/**
 * Moves hosts and their requests between the frontier and the workbench, and keeps back what the caller holds and
 * what is not to be asked at all.
 */
export class Hosts {
  readonly bench: Workbench = new Workbench();
  readonly #frontier: Frontier;
  readonly #clock: Clock;
  readonly #pace: PaceRules;
  readonly #leased: LeasedFrontier;
  readonly #maxInHand: number;
  readonly #maxFailures: number;
  readonly #journal: Journal;
  /** Ends a request without asking for it. */
  readonly #skip: (state: VisitState, request: CrawlRequest, skip: Pick<Skip, "reason" | "detail">) => void;
  readonly #feeder: Feeder;
  readonly #withheld = new Withheld();
  readonly #resting = new RestingHosts();

  #leaseAtMs = Number.NEGATIVE_INFINITY;
  #walkAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    frontier: Frontier,
    settings: Pick<Settings, "pace" | "clock" | "concurrency" | "maxHostFailures">,
    journal: Journal,
    skip: (state: VisitState, request: CrawlRequest, skip: Pick<Skip, "reason" | "detail">) => void,
  ) {
    const { pace, clock, concurrency, maxHostFailures } = settings;
    this.#frontier = frontier;
    this.#clock = clock;
    this.#leased = new LeasedFrontier(frontier, clock, (state) => this.#lose(state));
    this.#maxInHand = this.#leased.isShared ? concurrency * HOSTS_A_PLACE : MAX_IN_HAND;
    this.#pace = pace;
    this.#maxFailures = maxHostFailures;
    this.#journal = journal;
    this.#skip = skip;
    this.#feeder = new Feeder({
      leased: this.#leased,
      withheld: this.#withheld,
      skip,
      defer: (state, request, notBeforeMs) => this.defer(state, request, notBeforeMs),
      giveBack: (state) => this.#release(state, readyAtMs(state.host)),
      place: (state) => this.#place(state),
    });
  }

  /** When the leases are to be renewed; `Infinity` where they do not run out. */
  get renewAtMs(): number {
    return this.#leased.renewAtMs;
  }

  /** Whether there is anything to {@link fill} from, or to be skipped. */
  isToFill(nowMs: number): boolean {
    return this.#leaseAtMs <= nowMs || this.#feeder.isToDrain;
  }

  /** Takes hosts that are due into hand, and skips what is to be skipped. */
  async fill(nowMs: number): Promise<void> {
    await this.#feeder.drain(nowMs);
    if (this.#leaseAtMs > nowMs) return;
    if (this.bench.size >= this.#maxInHand) await this.#makeRoom(nowMs);
    const n = Math.max(0, this.#maxInHand - this.bench.size);
    const leases = n === 0 ? [] : await this.#frontier.lease(n, nowMs);
    for (const lease of leases) this.update(this.#open(lease));
    if (leases.length < n) await this.#findNextLease(nowMs);
    await this.#feeder.drain(nowMs);
  }

  /** Takes up to `n` requests of a host that is due; one that has none left is given back. */
  feed(state: VisitState, n: number, nowMs: number): Promise<void> {
    return this.#feeder.feed(state, n, nowMs);
  }

  /** When something can be started next: a host in hand is due, or one that nobody holds. */
  get nextDueMs(): number {
    const leaseAtMs = this.bench.size < this.#maxInHand ? this.#leaseAtMs : Number.POSITIVE_INFINITY;
    return Math.min(this.bench.nextDueMs, leaseAtMs);
  }

  /** Keeps the leases from running out, once that is due. */
  renew(nowMs: number): Promise<void> {
    return this.#leased.renew(this.bench.values(), nowMs);
  }

  /** A host in hand; one that only an errand leads to is taken into hand for it. */
  inHand(name: string): VisitState {
    const known = this.bench.get(name);
    return known ?? this.#takeInHand(newHost(name, this.#pace, this.#resting.take(name)), undefined);
  }

  /** To be called when something of a host has changed: its pace, its requests, its robots.txt. */
  update(state: VisitState): void {
    // It may have been given back while its robots.txt was on the way.
    if (this.bench.get(state.host.name) !== state) return;
    if (state.ready.length === 0) {
      state.mayHaveMore = state.lease !== undefined;
      if (this.whyGivenUp(state.host.name, this.#clock.now()) !== undefined) this.#feeder.drainLater(state);
    }
    this.bench.place(state);
  }

  /** To be called when requests were queued. */
  noteQueued(requests: readonly CrawlRequest[]): void {
    for (const { host, notBeforeMs } of requests) {
      const state = this.bench.get(host);
      if (state?.lease === undefined) {
        this.#leaseAtMs = Number.NEGATIVE_INFINITY;
        continue;
      }
      if (notBeforeMs !== undefined) state.deferredUntilMs.push(notBeforeMs);
      this.update(state);
    }
  }

  /** Puts a request back for a later attempt. */
  async defer(state: VisitState, request: CrawlRequest, notBeforeMs: number): Promise<void> {
    await this.#leased.defer(state, request, notBeforeMs);
    state.inProgress--;
    state.deferredUntilMs.push(notBeforeMs);
    this.update(state);
  }

  /** Ends a request, and queues what it led to. Says which of it was new. */
  async complete(
    state: VisitState,
    request: CrawlRequest,
    found: readonly CrawlRequest[],
  ): Promise<readonly CrawlRequest[]> {
    const accepted = await this.#leased.complete(state, request, found);
    state.inProgress--;
    this.update(state);
    this.noteQueued(accepted);
    return accepted;
  }

  /**
   * Tells a change of a host's pace, and gives the host its new place at once: until its request is settled there may be
   * much to wait for, and nothing must start in between.
   */
  notePace(state: VisitState, change: PaceChange | undefined): void {
    if (change === undefined) return;
    this.#place(state);
    this.#journal.tell({ type: "paced", host: state.host.name, ...change });
  }

  /** Skips a host's queue from now on, until then. */
  giveUp(state: VisitState, reason: SkipReason, untilMs: number, detail?: string): void {
    this.#withheld.giveUp(state.host.name, { reason, untilMs, detail });
    for (const request of state.ready.splice(0)) this.#skip(state, request, { reason, detail });
    this.update(state);
  }

  /** The pace of each host in hand. */
  savePaces(): Map<string, { pace: HostPace; dueMs: number }> {
    const paces = new Map<string, { pace: HostPace; dueMs: number }>();
    for (const { host } of this.bench.values()) {
      paces.set(host.name, { pace: savePace(host), dueMs: readyAtMs(host) });
    }
    return paces;
  }

  /** Takes in what {@link savePaces} gave, for hosts that their holder could not give back. */
  restorePaces(paces: NonNullable<SavedState["paces"]>): void {
    const nowMs = this.#clock.now();
    // JSON has no -Infinity, and makes null of it.
    for (const [host, pace, readyMs] of paces) this.#resting.keep(host, pace, readyMs ?? 0, nowMs);
  }

  /** Hosts whose queue is skipped, as JSON. */
  saveGivenUp(): SavedGivenUp[] {
    return this.#withheld.save();
  }

  /** Takes in what {@link saveGivenUp} gave. */
  restoreGivenUp(givenUp: readonly SavedGivenUp[]): void {
    this.#withheld.restore(givenUp);
  }

  /** Skips the queue of a host that has failed too often in a row. */
  giveUpIfFailing(state: VisitState): void {
    const { name, failuresInRow } = state.host;
    if (failuresInRow < this.#maxFailures) return;
    const detail = `${name} failed ${failuresInRow} times in a row`;
    this.giveUp(state, "host-unavailable", Number.POSITIVE_INFINITY, detail);
  }

  /** Why a host's queue is skipped; `undefined` where it is not. */
  whyGivenUp(host: string, nowMs: number): GivenUp | undefined {
    return this.#withheld.whyGivenUp(host, nowMs);
  }

  async hold(what: HostOrTag, untilMs: number): Promise<void> {
    if ("host" in what) {
      const state = this.bench.get(what.host);
      if (state === undefined) this.#withheld.holdHost(what.host, untilMs);
      else this.#pause(state, untilMs);
      return;
    }
    this.#withheld.holdTag(what.tag, untilMs);
    for (const [state, request] of this.#takeReady(what)) await this.defer(state, request, untilMs);
  }

  /** Ends what is queued of a host or tag. */
  async drop(what: HostOrTag): Promise<readonly CrawlRequest[]> {
    for (const [state, request] of this.#takeReady(what)) this.#skip(state, request, { reason: "dropped" });
    return this.#frontier.drop(what, this.#clock.now());
  }

  /** Gives every host back, with its pace. */
  async releaseAll(): Promise<void> {
    // At once: to a store that is far off, one round trip after another would hold the end of the crawl up.
    const released = await Promise.allSettled(
      [...this.bench.values()].map((state) => this.#release(state, readyAtMs(state.host))),
    );
    for (const each of released) if (each.status === "rejected") throw each.reason;
  }

  #place(state: VisitState): void {
    if (this.bench.get(state.host.name) === state) this.bench.place(state);
  }

  #open(lease: Lease): VisitState {
    const known = this.bench.get(lease.host);
    if (known === undefined) {
      const pace = newerPace(lease.pace, this.#resting.take(lease.host));
      return this.#takeInHand(newHost(lease.host, this.#pace, pace), lease);
    }
    known.lease = lease;
    if (lease.pace !== undefined) resumePace(known.host, this.#pace, lease.pace);
    return known;
  }

  #takeInHand(host: Host, lease: Lease | undefined): VisitState {
    const state = this.bench.open(host, lease);
    const heldUntilMs = this.#withheld.takeHostHold(host.name);
    if (heldUntilMs !== undefined) this.#pause(state, heldUntilMs);
    return state;
  }

  #pause(state: VisitState, untilMs: number): void {
    this.notePace(state, pauseUntil(state.host, untilMs, "hold"));
    this.bench.place(state);
  }

  async #release(state: VisitState, dueMs: number): Promise<void> {
    this.#feeder.forget(state);
    this.bench.close(state);
    const { name } = state.host;
    const saved = savePace(state.host);
    const atMs = this.#clock.now();
    this.#resting.keep(name, saved, readyAtMs(state.host), atMs);
    if (state.lease === undefined) return;
    // A host that is skipped anyway is not waited for.
    const isGivenUp = this.whyGivenUp(name, atMs) !== undefined;
    const freeAtMs = isGivenUp ? Number.NEGATIVE_INFINITY : dueMs;
    await this.#leased.release(state, saved, freeAtMs);
    this.#leaseAtMs = Math.min(this.#leaseAtMs, freeAtMs);
  }

  /** Lets go of hosts that only an errand led to, and gives those back that wait the longest while others are due. */
  async #makeRoom(nowMs: number): Promise<void> {
    const isBusy = this.bench.nextDueMs <= nowMs;
    if (isBusy && nowMs < this.#walkAtMs) return;
    this.#walkAtMs = nowMs + WALK_EVERY_MS;
    const waiting: VisitState[] = [];
    for (const state of this.bench.values()) {
      const isIdle = state.host.inFlight === 0 && state.inProgress === state.ready.length;
      if (!isIdle || state.errands.length > 0) continue;
      // Where nothing is left to wait for, its pace is forgotten without harm.
      if (readyAtMs(state.host) > nowMs) waiting.push(state);
      else if (state.lease === undefined) this.bench.close(state);
    }
    if (isBusy) return;
    waiting.sort((a, b) => readyAtMs(b.host) - readyAtMs(a.host));
    for (const state of waiting.slice(0, EXCHANGED)) await this.#release(state, readyAtMs(state.host));
  }

  /** Takes matching requests out of what is ready in hand. */
  #takeReady(what: HostOrTag): [VisitState, CrawlRequest][] {
    const taken: [VisitState, CrawlRequest][] = [];
    for (const state of this.bench.values()) {
      for (const request of state.ready.splice(0)) {
        if (matches(request, what)) taken.push([state, request]);
        else state.ready.push(request);
      }
      this.update(state);
    }
    return taken;
  }

  #lose(state: VisitState): void {
    state.lease = undefined;
    state.ready.length = 0;
    this.#feeder.forget(state);
    if (this.bench.get(state.host.name) === state) this.bench.close(state);
  }

  async #findNextLease(nowMs: number): Promise<void> {
    const { nextDueMs } = await this.#frontier.counts(nowMs);
    // Others may queue something at any time.
    this.#leaseAtMs = this.#leased.isShared ? Math.min(nextDueMs, nowMs + POLL_MS) : nextDueMs;
  }
}
