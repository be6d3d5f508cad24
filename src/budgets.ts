import type { Journal } from "./journal.ts";
import type { Settings } from "./options.ts";
import type { FinishReason } from "./stats.ts";

/** Holds what was counted against the crawl's budgets. */
export class Budgets {
  readonly #settings: Pick<Settings, "maxPages" | "maxRequests" | "maxDurationMs">;
  readonly #journal: Journal;

  constructor(settings: Pick<Settings, "maxPages" | "maxRequests" | "maxDurationMs">, journal: Journal) {
    this.#settings = settings;
    this.#journal = journal;
  }

  /** When time is up, in milliseconds since the epoch. */
  get deadlineMs(): number {
    return this.#journal.startedAtMs + this.#settings.maxDurationMs;
  }

  /** The budget that is used up; `undefined` while there is some of each. */
  usedUp(nowMs: number): FinishReason | undefined {
    if (this.#journal.pages >= this.#settings.maxPages) return "max-pages";
    if (this.#journal.requests >= this.#settings.maxRequests) return "max-requests";
    return nowMs >= this.deadlineMs ? "max-duration" : undefined;
  }

  /** How many requests may start beside those in flight of which each may become a page. */
  left(pagesInFlight: number): number {
    const { maxPages, maxRequests } = this.#settings;
    return Math.min(maxPages - this.#journal.pages - pagesInFlight, maxRequests - this.#journal.requests);
  }

  /** Why a crawl is over that has nothing left: a budget may have kept something out. */
  whyDone(): FinishReason {
    if (this.#journal.skipsBy("depth") > 0) return "max-depth";
    return this.#journal.skipsBy("budget") > 0 ? "max-pages-per-host" : "done";
  }
}
