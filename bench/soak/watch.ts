import type { CrawlEvent } from "../../src/event.ts";
import type { CrawlResult } from "../../src/result.ts";
import type { CrawlStats } from "../../src/stats.ts";
import type { CrawlPlan } from "./plan.ts";

// On a busy machine the process may be put aside between a start and the word of it.
const LATE_MS = 50;

/** Holds a crawl to the invariants by what it tells of itself. */
export class Watch {
  readonly #plan: CrawlPlan;
  readonly #complaints: string[] = [];
  readonly #starts = new Map<string, { count: number; latestMs: number }>();
  readonly #inFlight = new Map<string, number>();
  readonly #delivered = new Set<string>();
  readonly #ended = new Set<number>();
  #allInFlight = 0;
  #isFinished = false;

  constructor(plan: CrawlPlan) {
    this.#plan = plan;
  }

  /** What was broken, in sentences. */
  get complaints(): readonly string[] {
    return this.#complaints;
  }

  /** To be called for a crawl that goes on with what another one left. */
  goOn(): void {
    this.#starts.clear();
    this.#isFinished = false;
  }

  onEvent(event: CrawlEvent): void {
    if (this.#isFinished) this.#complaints.push(`told of '${event.type}' after the end`);
    switch (event.type) {
      case "started":
        this.#started(event.host, event.atMs);
        return;
      case "ended":
        this.#count(event.host, -1);
        return;
      case "finished":
        this.#isFinished = true;
        return;
      default:
    }
  }

  /** To be called with each result that the reader has. */
  onResult(result: CrawlResult): void {
    if (result.type === "page") {
      if (this.#delivered.has(result.url)) this.#complaints.push(`delivered ${result.url} twice`);
      this.#delivered.add(result.url);
    }
    const order = result.request?.order;
    if (order === undefined) return;
    if (this.#ended.has(order)) this.#complaints.push(`ended the request of ${result.url} twice`);
    this.#ended.add(order);
  }

  /** To be called at the end of a crawl whose every result was read, this run's and those before. */
  checkCounts({ accepted, queued, inProgress, inFlight }: CrawlStats): void {
    const ended = this.#ended.size;
    const told = ended + queued + inProgress;
    // Sitemaps that were not read yet are queued too, and were never accepted.
    if (this.#plan.options.sitemaps === true ? accepted > told : accepted !== told) {
      this.#complaints.push(
        `accepted ${accepted}, but ended ${ended}, with ${queued} queued and ${inProgress} in progress`,
      );
    }
    if (inFlight !== 0) this.#complaints.push(`${inFlight} requests in flight after the end`);
  }

  #started(host: string, atMs: number): void {
    const { options, gapMs, limit } = this.#plan;
    const last = this.#starts.get(host) ?? { count: 0, latestMs: Number.NEGATIVE_INFINITY };
    // n starts take n - 1 gaps, however late each is told of.
    const sinceMs = atMs - last.count * gapMs;
    if (sinceMs < last.latestMs - LATE_MS) {
      this.#complaints.push(`${host}: started ${Math.round(last.latestMs - sinceMs)} ms too soon`);
    }
    this.#starts.set(host, { count: last.count + 1, latestMs: Math.max(last.latestMs, sinceMs) });
    const now = this.#count(host, 1);
    if (now > limit) this.#complaints.push(`${host}: ${now} requests at once`);
    if (this.#allInFlight > options.concurrency!)
      this.#complaints.push(`${this.#allInFlight} requests at once`);
  }

  #count(host: string, by: 1 | -1): number {
    const now = (this.#inFlight.get(host) ?? 0) + by;
    this.#inFlight.set(host, now);
    this.#allInFlight += by;
    return now;
  }
}
