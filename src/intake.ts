import type { Refusal } from "./admission.ts";
import { SeenTable } from "./frontier/seen.ts";
import type { Journal } from "./journal.ts";
import type { CrawlRequest } from "./request.ts";
import type { Skip } from "./result.ts";

/** Tells what was found on a page, in a sitemap or among the seeds: what is queued now, and what is left alone. */
export class Intake {
  readonly #journal: Journal;
  // By reason and URL: a link that stands on every page is refused once. It grows as the seen table does.
  readonly #refused: SeenTable;
  readonly #onSkip: (skip: Skip) => void;

  /** `onSkip` gets each refused URL once. */
  constructor(journal: Journal, salt: number, onSkip: (skip: Skip) => void) {
    this.#journal = journal;
    this.#refused = new SeenTable(salt);
    this.#onSkip = onSkip;
  }

  accept(requests: readonly CrawlRequest[]): void {
    for (const request of requests) {
      if (request.kind !== "sitemap") this.#journal.tell({ type: "accepted", request });
    }
  }

  refuse(refusals: readonly Refusal[], referrer: string | undefined): void {
    for (const { refused: reason, url } of refusals) {
      if (!this.#refused.add(`${reason} ${url}`)) continue;
      const skip: Skip = { type: "skip", url, reason, referrer };
      this.#journal.tell({ type: "skip", skip });
      this.#onSkip(skip);
    }
  }
}
