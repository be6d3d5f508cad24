import type { Carrier } from "./carrier.ts";
import type { Clock } from "./clock.ts";
import type { Hosts } from "./hosts.ts";
import type { PageMaker } from "./page_maker.ts";
import type { RobotsKeeper } from "./robots_keeper.ts";
import type { VisitState } from "./workbench.ts";

/** What a dispatcher works with. */
export interface DispatcherParts {
  readonly clock: Clock;
  readonly hosts: Hosts;
  readonly pageMaker: PageMaker;
  readonly carrier: Carrier;
  /** None where robots.txt is not asked for. */
  readonly robots: RobotsKeeper | undefined;
  /** Runs work, which holds a slot until its end. */
  readonly occupy: (work: () => Promise<void>) => void;
  /** How much may start, as far as the whole crawl is concerned. */
  readonly freeSlots: () => number;
}

/** Takes the next due host and starts its next request, or its errand. */
export class Dispatcher {
  readonly #parts: DispatcherParts;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Starts what is due. Hosts that have nothing ready are fed first, all at once: a store may take its time. */
  async startDue(): Promise<void> {
    const { hosts, freeSlots, clock } = this.#parts;
    while (true) {
      const hungry: VisitState[] = [];
      while (freeSlots() > hungry.length) {
        // Read anew: by the time before its last start, a host without a gap would not be due yet.
        const nowMs = clock.now();
        const state = hosts.bench.due(nowMs);
        if (state === undefined) break;
        if (state.ready.length > 0 || state.errands.length > 0) {
          this.#serve(state, nowMs);
        } else {
          hosts.bench.withdraw(state);
          hungry.push(state);
        }
      }
      if (hungry.length === 0) return;
      const n = Math.ceil(freeSlots() / hungry.length);
      await Promise.all(hungry.map((state) => hosts.feed(state, n, clock.now())));
    }
  }

  /** Does the next thing for a host that is due: after it the host has another place. */
  #serve(state: VisitState, nowMs: number): void {
    const { hosts, pageMaker, carrier, robots, occupy } = this.#parts;
    const errand = state.errands.shift();
    if (errand !== undefined) {
      occupy(async () => robots?.carry(state, errand));
      return;
    }
    const request = state.ready[0]!;
    if (request.kind === undefined) {
      const mayGivePage = pageMaker.leave(state);
      if (mayGivePage === "never") hosts.giveUp(state, "budget", Number.POSITIVE_INFINITY);
      else if (mayGivePage === "later") state.blockedUntilMs = Number.POSITIVE_INFINITY;
      if (mayGivePage !== "now") {
        hosts.update(state);
        return;
      }
    }
    const leave = robots?.leave(state, request, nowMs) ?? { type: "go" };
    if (leave.type === "wait") {
      // A place that was out of date must not be found due again in the same breath.
      hosts.update(state);
      return;
    }
    state.ready.shift();
    if (leave.type === "go") occupy(() => carrier.carry(state, request));
    else occupy(() => carrier.skip(state, request, { reason: leave.reason, detail: leave.detail }));
    hosts.update(state);
  }
}
