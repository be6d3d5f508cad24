import type { Admission } from "./admission.ts";
import type { Clock } from "./clock.ts";
import type { Hosts } from "./hosts.ts";
import type { Intake } from "./intake.ts";
import type { Journal } from "./journal.ts";
import type { Outbox } from "./outbox.ts";
import type { Page } from "./page.ts";
import type { CrawlRequest, HostOrTag } from "./request.ts";
import type { Skip } from "./result.ts";

/** What steering works with. */
export interface SteeringParts {
  readonly clock: Clock;
  readonly admission: Admission;
  readonly hosts: Hosts;
  readonly intake: Intake;
  readonly journal: Journal;
  readonly outbox: Outbox;
  /** Gets what a dropped request comes to. */
  readonly onSkip: (skip: Skip) => void;
  /** Whether the crawl has ended: then there is nothing to steer. */
  readonly isOver: () => boolean;
  /** Runs work that the crawl is not over before. */
  readonly occupy: (work: () => Promise<void>) => void;
}

/** What the loop's body may do to a crawl under way. */
export class Steering {
  readonly #parts: SteeringParts;

  constructor(parts: SteeringParts) {
    this.#parts = parts;
  }

  /** Has a page's request made again, not before `afterMs` milliseconds from now. */
  retry(page: Page, afterMs: number): void {
    const { clock, outbox, admission, journal, intake, occupy, isOver } = this.#parts;
    if (isOver()) return;
    const notBeforeMs = clock.now() + afterMs;
    const held = outbox.held(page);
    if (held !== undefined) {
      held.retryAtMs = notBeforeMs;
      return;
    }
    // The reader has asked for more since, so that the request has ended: it comes in anew.
    const { attempts, ...fresh } = page.request;
    const request: CrawlRequest = { ...fresh, revisit: true, notBeforeMs, order: admission.nextOrder() };
    journal.tell({ type: "retrying", request, notBeforeMs, status: page.status });
    occupy(async () => {
      await intake.queue([request]);
    });
  }

  /** Starts nothing of a host or tag for `ms` milliseconds. */
  hold(what: HostOrTag, ms: number): void {
    const { clock, hosts, journal, occupy, isOver } = this.#parts;
    if (isOver()) return;
    const untilMs = clock.now() + ms;
    journal.tell({ type: "held", what, untilMs });
    occupy(() => hosts.hold(what, untilMs));
  }

  /** Ends what is queued of a host or tag. */
  drop(what: HostOrTag): void {
    const { hosts, journal, onSkip, occupy, isOver } = this.#parts;
    if (isOver()) return;
    journal.tell({ type: "dropped", what });
    occupy(async () => {
      for (const request of await hosts.drop(what)) {
        if (request.kind === "sitemap") continue;
        const { url, referrer } = request;
        const skip: Skip = { type: "skip", url, reason: "dropped", referrer, request };
        journal.tell({ type: "skip", skip });
        onSkip(skip);
      }
    });
  }
}
