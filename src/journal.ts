import type { Clock } from "./clock.ts";
import type { CrawlEvent, Happening } from "./event.ts";
import type { FrontierCounts } from "./frontier/frontier.ts";
import type { PaceReason } from "./politeness/host.ts";
import type { CrawlResult } from "./result.ts";
import type { SavedCrawl } from "./snapshot.ts";
import { type CrawlStats, count, type FinishReason, noCounts, type PausedHost } from "./stats.ts";

/** Gets each event as it happens. */
export type Observer = (event: CrawlEvent) => void;

/** Counts what happens, and passes it on to the observers. */
export class Journal {
  readonly #clock: Clock;
  readonly #observers = new Set<Observer>();
  readonly #onError: (error: unknown) => void;
  readonly #counts = noCounts();
  // An entry leaves when stats are asked for after its end; at most one a host.
  readonly #pauses = new Map<string, { readonly untilMs: number; readonly why: PaceReason }>();
  #startedAtMs: number;
  #elapsedBeforeMs = 0;
  #hosts = 0;
  #end:
    | { readonly atMs: number; readonly reason: FinishReason; readonly detail: string | undefined }
    | undefined;

  /** `onError` gets what an observer throws. */
  constructor(clock: Clock, observer: Observer | undefined, onError: (error: unknown) => void) {
    this.#clock = clock;
    if (observer !== undefined) this.#observers.add(observer);
    this.#onError = onError;
    this.#startedAtMs = clock.now();
  }

  /** Tells the observer of all that happens from now on, until the returned function is called. */
  observe(observer: Observer): () => void {
    // Of two that are given the same function, each ends for itself.
    const own: Observer = (event) => observer(event);
    this.#observers.add(own);
    return () => {
      this.#observers.delete(own);
    };
  }

  get startedAtMs(): number {
    return this.#startedAtMs;
  }

  /** Requests sent so far, for whatever. */
  get requests(): number {
    return this.#counts.requests + this.#counts.robotsRequests;
  }

  get pages(): number {
    return this.#counts.pages;
  }

  skipsBy(reason: "depth" | "budget"): number {
    return this.#counts.skipsByReason[reason] ?? 0;
  }

  /** Sets the start to now: time before the first read does not count, but that of the crawl it goes on with does. */
  begin(): void {
    this.#startedAtMs = this.#clock.now() - this.#elapsedBeforeMs;
  }

  /** What was counted, as JSON. */
  save(): Pick<SavedCrawl, "counts" | "elapsedMs" | "hostsMet"> {
    const elapsedMs = (this.#end?.atMs ?? this.#clock.now()) - this.#startedAtMs;
    return { counts: structuredClone({ ...this.#counts, inFlight: 0 }), elapsedMs, hostsMet: this.#hosts };
  }

  /** Takes in what {@link save} gave. */
  restore({ counts, elapsedMs, hostsMet }: Pick<SavedCrawl, "counts" | "elapsedMs" | "hostsMet">): void {
    Object.assign(this.#counts, structuredClone(counts));
    this.#elapsedBeforeMs = elapsedMs;
    this.#hosts = hostsMet;
  }

  meetHost(): void {
    this.#hosts++;
  }

  finish(reason: FinishReason, detail: string | undefined): void {
    this.#end = { atMs: this.#clock.now(), reason, detail };
  }

  tell(happening: Happening): void {
    count(this.#counts, happening);
    if (happening.type === "paced" && happening.pausedUntilMs !== undefined) {
      this.#pauses.set(happening.host, { untilMs: happening.pausedUntilMs, why: happening.why });
    }
    if (this.#observers.size === 0) return;
    const event = { ...happening, atMs: this.#clock.now() } as CrawlEvent;
    for (const observer of this.#observers) {
      try {
        observer(event);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  tellResult(result: CrawlResult): void {
    switch (result.type) {
      case "page":
        this.tell({ type: "page", page: result });
        break;
      case "failure":
        this.tell({ type: "failure", failure: result });
        break;
      case "skip":
        this.tell({ type: "skip", skip: result });
        break;
      default:
        result satisfies never;
    }
  }

  stats(frontier: Pick<FrontierCounts, "queued" | "inProgress" | "overflowed">): CrawlStats {
    const { failuresByReason, skipsByReason, statuses } = this.#counts;
    const { queued, inProgress, overflowed = 0 } = frontier;
    return Object.freeze({
      ...this.#counts,
      failuresByReason: Object.freeze({ ...failuresByReason }),
      skipsByReason: Object.freeze({ ...skipsByReason }),
      statuses: Object.freeze({ ...statuses }),
      startedAtMs: this.#startedAtMs,
      elapsedMs: (this.#end?.atMs ?? this.#clock.now()) - this.#startedAtMs,
      queued,
      inProgress,
      overflowed,
      hosts: this.#hosts,
      pausedHosts: Object.freeze(this.#pausedHosts()),
      finishReason: this.#end?.reason,
      finishDetail: this.#end?.detail,
    });
  }

  #pausedHosts(): PausedHost[] {
    const nowMs = this.#clock.now();
    const paused: PausedHost[] = [];
    for (const [host, { untilMs, why }] of this.#pauses) {
      if (untilMs > nowMs) paused.push(Object.freeze({ host, untilMs, why }));
      else this.#pauses.delete(host);
    }
    return paused;
  }
}
