import type { SkipReason } from "./result.ts";
import type { SavedGivenUp } from "./snapshot.ts";

/** Why a host's queue is skipped, and until when: a host may ask to be left alone for a time. */
export interface GivenUp {
  readonly reason: SkipReason;
  readonly untilMs: number;
  readonly detail: string | undefined;
}

/** What is not to be asked: hosts that were given up, and hosts and tags that the caller holds. */
export class Withheld {
  // One entry for each host that was given up: it stays so for the crawl, or for its time.
  readonly #givenUp = new Map<string, GivenUp>();
  // An entry leaves when its tag is asked about after its end.
  readonly #tags = new Map<string, number>();
  // Of hosts that are not in hand. An entry leaves when its host is taken in hand.
  readonly #hosts = new Map<string, number>();

  /** An earlier end never shortens what is so already. */
  giveUp(host: string, givenUp: GivenUp): void {
    if ((this.#givenUp.get(host)?.untilMs ?? 0) < givenUp.untilMs) this.#givenUp.set(host, givenUp);
  }

  /** Why a host's queue is skipped; `undefined` where it is not. */
  whyGivenUp(host: string, nowMs: number): GivenUp | undefined {
    const givenUp = this.#givenUp.get(host);
    if (givenUp === undefined || givenUp.untilMs > nowMs) return givenUp;
    this.#givenUp.delete(host);
    return undefined;
  }

  holdTag(tag: string, untilMs: number): void {
    keepLatest(this.#tags, tag, untilMs);
  }

  /** Until when a tag is held; `undefined` where it is not. */
  tagHeldUntilMs(tag: string, nowMs: number): number | undefined {
    const untilMs = this.#tags.get(tag);
    if (untilMs === undefined || untilMs > nowMs) return untilMs;
    this.#tags.delete(tag);
    return undefined;
  }

  /** Holds a host that is not in hand. */
  holdHost(host: string, untilMs: number): void {
    keepLatest(this.#hosts, host, untilMs);
  }

  /** Until when a host that is taken in hand now is held; from here on its own pause tells. */
  takeHostHold(host: string): number | undefined {
    const untilMs = this.#hosts.get(host);
    this.#hosts.delete(host);
    return untilMs;
  }

  /** The hosts that were given up, as JSON. */
  save(): SavedGivenUp[] {
    return Array.from(this.#givenUp, ([host, { reason, untilMs, detail }]) => ({
      host,
      reason,
      untilMs: untilMs === Number.POSITIVE_INFINITY ? undefined : untilMs,
      detail,
    }));
  }

  /** Takes in what {@link save} gave. */
  restore(saved: readonly SavedGivenUp[]): void {
    for (const { host, reason, untilMs = Number.POSITIVE_INFINITY, detail } of saved) {
      this.#givenUp.set(host, { reason, untilMs, detail });
    }
  }
}

function keepLatest(held: Map<string, number>, name: string, untilMs: number): void {
  held.set(name, Math.max(untilMs, held.get(name) ?? 0));
}
