import { loadCookies } from "./cookies.ts";
import { Dispatcher } from "./dispatcher.ts";
import { type FrontierCounts, isToCome } from "./frontier/frontier.ts";
import type { Observer } from "./journal.ts";
import type { Settings } from "./options.ts";
import { makeParts, type Parts, restore, save, saveState } from "./parts.ts";
import { newHost } from "./politeness/host.ts";
import type { JsonValue } from "./request.ts";
import type { CrawlResult, Skip } from "./result.ts";
import type { Seed } from "./seed.ts";
import { closeSeeds, type SeedFeed } from "./seed_feed.ts";
import { Slots } from "./slots.ts";
import { type CrawlSnapshot, isState } from "./snapshot.ts";
import type { CrawlStats, FinishReason } from "./stats.ts";
import type { Steering } from "./steering.ts";

// How often the crawl looks after its store, and gives it what it remembers beside its requests.
const LOOK_EVERY_MS = 1_000;

/** Ties the parts together. It alone waits, decides when something starts, and when the crawl is over. */
export class Engine {
  /** Fulfilled when nothing of the crawl is left running, with its last stats. */
  readonly finished: Promise<CrawlStats>;
  readonly #settings: Settings;
  readonly #feed: SeedFeed;
  readonly #parts: Parts;
  #phase: "new" | "running" | "over" = "new";
  /** Why nothing starts any more, while what is in flight may still end. */
  #ending: FinishReason | undefined;
  #endingDetail: string | undefined;
  readonly #slots: Slots;
  readonly #dispatcher: Dispatcher;
  #cancelGrace: (() => void) | undefined;
  #savedCookies: object | undefined;
  #lookAtMs = Number.NEGATIVE_INFINITY;
  #isOverfullTold = false;
  #lastStats: CrawlStats | undefined;
  #counts: FrontierCounts = { queued: 0, inProgress: 0, seen: 0, nextDueMs: Number.POSITIVE_INFINITY };
  #resolveFinished: (stats: CrawlStats) => void = () => {};
  #raise: (error: unknown) => void = () => {};
  readonly #onAbort = (): void => this.#fail(this.#settings.signal?.reason, "aborted");

  constructor(settings: Settings, feed: SeedFeed) {
    this.#settings = settings;
    this.#feed = feed;
    this.#savedCookies = settings.resume?.cookies;
    this.#slots = new Slots({
      onFree: () => this.#parts.waker.wake(),
      onError: (error) => this.#fail(error, "failed"),
    });
    this.#parts = makeParts(settings, {
      onError: (error) => this.#fail(error, "failed"),
      onObserverError: (error) => {
        // At the last event the crawl is over already, and its stream is not.
        this.#raise(error);
        this.#fail(error, "failed");
      },
      onSkip: (skip) => this.#offer(skip),
      occupy: (work) => this.#slots.occupy(work),
      isOver: () => this.#phase === "over",
      saveState: () => this.#saveState(),
    });
    this.#dispatcher = new Dispatcher({
      clock: settings.clock,
      hosts: this.#parts.hosts,
      pageMaker: this.#parts.pageMaker,
      carrier: this.#parts.carrier,
      robots: this.#parts.robots,
      occupy: (work) => this.#slots.occupy(work),
      freeSlots: () => this.#freeSlots(),
    });
    this.finished = new Promise((resolve) => {
      this.#resolveFinished = resolve;
    });
  }

  /** What the loop's body may do to the crawl. */
  get steering(): Steering {
    return this.#parts.steering;
  }

  /** The pace with which each host begins. */
  get firstPace(): { readonly limit: number; readonly gapMs: number } {
    const { limit, gapMs } = newHost("", this.#settings.pace);
    return { limit, gapMs };
  }

  /** Tells the observer of all that happens from now on, until the returned function is called. */
  observe(observer: Observer): () => void {
    return this.#parts.journal.observe(observer);
  }

  get stats(): CrawlStats {
    if (this.#lastStats !== undefined) return this.#lastStats;
    const counts = this.#parts.frontier.counts(this.#settings.clock.now());
    if (isToCome(counts)) this.#takeCounts(counts);
    else this.#counts = counts;
    return this.#parts.journal.stats(this.#counts);
  }

  /** Of a store that answers later, the last answer stands meanwhile. */
  async #takeCounts(answer: Promise<FrontierCounts>): Promise<void> {
    try {
      const counts = await answer;
      if (this.#phase !== "over") this.#counts = counts;
    } catch {
      // The crawl's own next question fails too, and errors the stream.
    }
  }

  /** Gives the engine the means to error the stream. */
  connect(raise: (error: unknown) => void): void {
    this.#raise = raise;
    const { signal } = this.#settings;
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** The next result, once the reader asks for it; `undefined` at the end. The first call starts the crawl. */
  async next(): Promise<CrawlResult | undefined> {
    this.#begin();
    try {
      await this.#parts.outbox.acknowledge();
    } catch (error) {
      this.#fail(error, "failed");
      return undefined;
    }
    const next = this.#parts.outbox.next();
    // Whether it was the last one shows only now; and where one was unread, there is room for another.
    this.#parts.waker.wake();
    return next;
  }

  /** Queues more seeds, and says how many were new. */
  async add(seeds: readonly Seed[]): Promise<number> {
    if (this.#phase === "over") throw new Error("Cannot add seeds as the crawl is over");
    return new Promise((resolve, reject) => {
      this.#slots.occupy(async () => {
        await this.#parts.scope.load();
        await this.#parts.intake.add(seeds).then(resolve, reject);
      });
    });
  }

  /** Starts nothing more. Fulfilled when nothing is in flight. */
  async stop(detail: string | undefined): Promise<CrawlStats> {
    if (this.#phase === "over") return this.finished;
    if (this.#ending === undefined) {
      this.#ending = "stopped";
      this.#endingDetail = detail;
    }
    if (this.#phase === "new") {
      await this.#finish("stopped");
      return this.finished;
    }
    const { clock, graceMs } = this.#settings;
    if (graceMs !== Number.POSITIVE_INFINITY && this.#cancelGrace === undefined) {
      this.#cancelGrace = clock.at(clock.now() + graceMs, () => this.#abortAll("The time of grace is over"));
    }
    this.#parts.waker.wake();
    await this.#slots.untilQuiet();
    return this.stats;
  }

  /**
   * @throws {Error} where the crawl still runs, or its store keeps it itself
   */
  snapshot(): CrawlSnapshot {
    if (this.#phase === "running" && (this.#ending === undefined || this.#slots.taken > 0)) {
      throw new Error("Cannot take a snapshot as the crawl runs: await its stop() before");
    }
    return save(this.#parts, this.#settings);
  }

  /** Ends everything at once. */
  async cancel(): Promise<void> {
    await this.#finish("cancelled");
  }

  #begin(): void {
    if (this.#phase !== "new") return;
    this.#phase = "running";
    this.#parts.journal.begin();
    this.#run().catch((error) => this.#fail(error, "failed"));
  }

  /** Goes on with what a store that outlives its process has kept beside the requests. */
  async #loadState(): Promise<void> {
    const state = await this.#parts.frontier.loadState?.();
    if (!isState(state)) return;
    restore(this.#parts, state);
    this.#savedCookies = state.cookies;
    this.#parts.journal.begin();
  }

  async #loadCookies(): Promise<void> {
    if (this.#settings.cookies) this.#parts.carrier.cookies = await loadCookies(this.#savedCookies);
  }

  /** Looks now and then after what no single request shows. */
  async #lookAfter(nowMs: number): Promise<void> {
    this.#lookAtMs = nowMs + LOOK_EVERY_MS;
    this.#counts = await this.#parts.frontier.counts(nowMs);
    if (this.#counts.isOverfull && !this.#isOverfullTold) {
      this.#isOverfullTold = true;
      const message =
        "The Bloom filter holds more URLs than it was made for: it takes more new ones for seen";
      this.#parts.journal.tell({ type: "warning", message });
    }
    await this.#saveState();
  }

  /** Lets such a store keep it, now and then and at the end: a crash costs no more than the last second's counts. */
  async #saveState(): Promise<void> {
    await this.#parts.frontier.saveState?.(saveState(this.#parts, this.#settings) as unknown as JsonValue);
  }

  async #run(): Promise<void> {
    await this.#parts.scope.load();
    await this.#loadState();
    const { sitemaps } = this.#settings;
    // Before anything starts: a clock of tests would go on while a module is loaded.
    await Promise.all([
      this.#parts.pageMaker.load(),
      this.#loadCookies(),
      sitemaps === false ? undefined : this.#parts.sitemapReceiver.load(),
    ]);
    if (typeof sitemaps === "object") await this.#parts.intake.addSitemaps(sitemaps);
    this.#parts.intake
      .feed(this.#feed, () => this.#phase === "over")
      .catch((error) => this.#fail(error, "failed"));
    while (this.#phase === "running") {
      this.#parts.waker.rise();
      const nowMs = this.#settings.clock.now();
      this.#checkBudgets(nowMs);
      // This goes round once or twice a page: nothing is waited for that need not be.
      if (this.#parts.hosts.renewAtMs <= nowMs) await this.#parts.hosts.renew(nowMs);
      if (this.#freeSlots() > 0) {
        if (this.#parts.hosts.isToFill(nowMs)) await this.#parts.hosts.fill(nowMs);
        // A store that took longer than its leases leave time for may have given the hosts to others.
        if (this.#settings.clock.now() < this.#parts.hosts.renewAtMs) await this.#dispatcher.startDue();
      }
      if (this.#lookAtMs <= nowMs) await this.#lookAfter(nowMs);
      const reason = this.#isIdle ? await this.#whyOver() : undefined;
      if (reason !== undefined) return this.#finish(reason);
      await this.#rest();
    }
  }

  #checkBudgets(nowMs: number): void {
    if (this.#ending !== undefined) return;
    this.#ending = this.#parts.budgets.usedUp(nowMs);
    // No page is in flight then: what is has lost its use.
    if (this.#ending === "max-pages") this.#abortAll("The crawl has its pages");
  }

  /** How many requests may start, as far as the whole crawl is concerned. */
  #freeSlots(): number {
    if (this.#phase !== "running" || this.#ending !== undefined) return 0;
    return Math.min(
      this.#settings.concurrency - this.#slots.taken - this.#parts.outbox.unread,
      this.#parts.budgets.left(this.#parts.carrier.pagesInFlight),
    );
  }

  /** Whether nothing is under way, nor with the reader. */
  get #isIdle(): boolean {
    return this.#slots.taken === 0 && this.#parts.outbox.isIdle;
  }

  /** To be asked when it is idle. */
  async #whyOver(): Promise<FinishReason | undefined> {
    if (this.#ending === "stopped") return this.#ending;
    const { queued, inProgress } = await this.#parts.frontier.counts(this.#settings.clock.now());
    const isAllDone = this.#parts.intake.areSeedsRead && queued === 0 && inProgress === 0;
    // Something may have come up while the store was asked.
    if (!this.#isIdle) return undefined;
    return isAllDone ? this.#parts.budgets.whyDone() : this.#ending;
  }

  /** Waits until something changes, or something is due. */
  #rest(): Promise<void> | undefined {
    this.#parts.intake.proceed();
    if (this.#parts.waker.isAwake) return undefined;
    const deadlineMs = this.#ending === undefined ? this.#parts.budgets.deadlineMs : Number.POSITIVE_INFINITY;
    const dueMs = this.#freeSlots() > 0 ? this.#parts.hosts.nextDueMs : Number.POSITIVE_INFINITY;
    return this.#parts.waker.rest(Math.min(deadlineMs, dueMs, this.#parts.hosts.renewAtMs));
  }

  /** Hands a skip that no request stands behind to the reader, if it is one that the reader wants. */
  #offer(skip: Skip): void {
    if (this.#settings.results === "all")
      this.#parts.outbox.push({ result: skip, acknowledge: async () => {} });
  }

  #abortAll(message: string): void {
    const reason = new DOMException(message, "AbortError");
    this.#parts.fetcher.abortAll(reason);
    this.#parts.robotsFetcher.abortAll(reason);
  }

  /** Does a part of the ending, whatever became of the others: the reader gets the first error. */
  async #orRaise(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#raise(error);
    }
  }

  #fail(error: unknown, reason: "failed" | "aborted"): void {
    if (this.#phase === "over") return;
    this.#raise(error);
    this.#finish(reason).catch(() => {
      // The reader has the first error already.
    });
  }

  /** Leaves nothing running behind, then tells that the crawl is over. */
  async #finish(reason: FinishReason): Promise<void> {
    if (this.#phase === "over") return;
    this.#phase = "over";
    this.#parts.waker.stop();
    this.#cancelGrace?.();
    this.#settings.signal?.removeEventListener("abort", this.#onAbort);
    this.#abortAll("The crawl is over");
    this.#parts.intake.proceed();
    void closeSeeds(this.#feed);
    // All transfers were cut: what each still had to do is done before the last event.
    await this.#slots.untilQuiet();
    await this.#orRaise(async () => {
      await this.#parts.hosts.releaseAll();
      await this.#saveState();
      this.#counts = await this.#parts.frontier.counts(this.#settings.clock.now());
    });
    await this.#orRaise(async () => this.#parts.frontier.close?.());
    await this.#orRaise(async () => {
      await Promise.all([this.#parts.fetcher.close(), this.#parts.robotsFetcher.close()]);
    });
    this.#parts.journal.finish(reason, this.#endingDetail);
    const { stats } = this;
    this.#lastStats = stats;
    this.#parts.journal.tell({ type: "finished", stats });
    this.#parts.outbox.close();
    this.#resolveFinished(stats);
  }
}
