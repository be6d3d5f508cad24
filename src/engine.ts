import { Admission, type Seed } from "./admission.ts";
import { Carrier } from "./carrier.ts";
import { loadCookies } from "./cookies.ts";
import { Fetcher } from "./fetcher.ts";
import { BloomFilter } from "./frontier/bloom.ts";
import type { Frontier, FrontierCounts } from "./frontier/frontier.ts";
import { MemoryFrontier } from "./frontier/memory.ts";
import { SeenTable } from "./frontier/seen.ts";
import { Hosts } from "./hosts.ts";
import { Intake } from "./intake.ts";
import { Journal } from "./journal.ts";
import type { Settings } from "./options.ts";
import { Outbox } from "./outbox.ts";
import type { CrawlResult, Skip } from "./result.ts";
import { RobotsKeeper } from "./robots_keeper.ts";
import { Scope } from "./scope.ts";
import type { SeedFeed } from "./seed_feed.ts";
import { type CrawlSnapshot, SNAPSHOT_VERSION } from "./snapshot.ts";
import type { CrawlStats, FinishReason } from "./stats.ts";
import { Steering } from "./steering.ts";
import { Waker } from "./waker.ts";
import type { VisitState } from "./workbench.ts";

/** Ties the parts together. It alone waits, decides when something starts, and when the crawl is over. */
export class Engine {
  /** Fulfilled when nothing of the crawl is left running, with its last stats. */
  readonly finished: Promise<CrawlStats>;
  /** What the loop's body may do to the crawl. */
  readonly steering: Steering;
  readonly #settings: Settings;
  readonly #feed: SeedFeed;
  readonly #scope: Scope;
  readonly #admission: Admission;
  readonly #frontier: Frontier;
  readonly #journal: Journal;
  readonly #intake: Intake;
  readonly #hosts: Hosts;
  readonly #outbox: Outbox = new Outbox();
  readonly #waker: Waker;
  readonly #fetcher: Fetcher;
  readonly #robotsFetcher: Fetcher;
  readonly #robots: RobotsKeeper | undefined;
  readonly #carrier: Carrier;
  #phase: "new" | "running" | "over" = "new";
  /** Why nothing starts any more, while what is in flight may still end. */
  #ending: FinishReason | undefined;
  #endingDetail: string | undefined;
  /** Work under way of which each may still become a result. */
  #slots = 0;
  #cancelGrace: (() => void) | undefined;
  #lastStats: CrawlStats | undefined;
  #counts: FrontierCounts = { queued: 0, inProgress: 0, seen: 0, nextDueMs: Number.POSITIVE_INFINITY };
  readonly #quiet: (() => void)[] = [];
  #resolveFinished: (stats: CrawlStats) => void = () => {};
  #raise: (error: unknown) => void = () => {};
  readonly #onAbort = (): void => this.#fail(this.#settings.signal?.reason, "aborted");

  constructor(settings: Settings, feed: SeedFeed) {
    const { transport, robotsTransport, timeoutMs, maxBodyBytes, clock, random, robots } = settings;
    this.#settings = settings;
    this.#feed = feed;
    const salt = Math.floor(random() * 2 ** 32);
    const scope = new Scope(settings.scope, settings.include, settings.exclude);
    const onError = (error: unknown): void => this.#fail(error, "failed");
    const journal = new Journal(clock, settings.onEvent, (error) => {
      // At the last event the crawl is over already, and its stream is not.
      this.#raise(error);
      onError(error);
    });
    const outbox = this.#outbox;
    const frontier = settings.frontier ?? memoryFrontier(settings, salt);
    const admission = new Admission(settings, scope, (key) => frontier.hasSeen?.(key) ?? false);
    const fetcher = new Fetcher({ transport, timeoutMs, maxBodyBytes, clock });
    this.#robotsFetcher =
      robotsTransport === transport
        ? fetcher
        : new Fetcher({ transport: robotsTransport, timeoutMs, maxBodyBytes, clock });
    this.#waker = new Waker(clock);
    const onChange = (): void => this.#waker.wake();
    const onSkip = (skip: Skip): void => this.#offer(skip);
    const occupy = (work: () => Promise<void>): void => this.#occupy(work);
    const isOver = (): boolean => this.#phase === "over";
    const hosts = new Hosts(frontier, settings, journal, (state, request, skip) =>
      occupy(() => this.#carrier.skip(state, request, skip)),
    );
    const intake = new Intake({ settings, admission, frontier, hosts, journal, onSkip, onChange }, salt);
    const shared = { settings, admission, hosts, journal };
    this.#carrier = new Carrier({ ...shared, scope, intake, outbox, fetcher, isOver });
    const onSitemaps = (origin: string, urls: readonly string[]): Promise<void> =>
      intake.addSitemaps(origin, urls);
    if (robots !== undefined) {
      const parts = { ...shared, fetcher: this.#robotsFetcher, onSitemaps, onChange, onError };
      this.#robots = new RobotsKeeper(robots, parts);
    }
    this.steering = new Steering({
      clock,
      admission,
      hosts,
      intake,
      journal,
      outbox,
      onSkip,
      occupy,
      isOver,
    });
    this.#scope = scope;
    this.#frontier = frontier;
    this.#journal = journal;
    this.#fetcher = fetcher;
    this.#intake = intake;
    this.#hosts = hosts;
    this.#admission = admission;
    this.finished = new Promise((resolve) => {
      this.#resolveFinished = resolve;
    });
    if (settings.resume !== undefined) this.#restore(settings.resume);
  }

  get stats(): CrawlStats {
    if (this.#lastStats !== undefined) return this.#lastStats;
    const counts = this.#frontier.counts(this.#settings.clock.now());
    // A store that answers later: its last answer stands meanwhile.
    if (!(counts instanceof Promise)) this.#counts = counts;
    return this.#journal.stats(this.#counts);
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
      await this.#outbox.acknowledge();
    } catch (error) {
      this.#fail(error, "failed");
      return undefined;
    }
    const next = this.#outbox.next();
    // Whether it was the last one shows only now; and where one was unread, there is room for another.
    this.#waker.wake();
    return next;
  }

  /** Queues more seeds, and says how many were new. */
  async add(seeds: readonly Seed[]): Promise<number> {
    if (this.#phase === "over") throw new Error("Cannot add seeds as the crawl is over");
    return new Promise((resolve, reject) => {
      this.#occupy(async () => {
        await this.#scope.load();
        await this.#intake.add(seeds).then(resolve, reject);
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
    this.#waker.wake();
    await this.#untilQuiet();
    return this.stats;
  }

  /**
   * @throws {Error} where the crawl still runs, or its store keeps it itself
   */
  snapshot(): CrawlSnapshot {
    if (!(this.#frontier instanceof MemoryFrontier)) {
      throw new Error("Cannot take a snapshot as the crawl's frontier keeps it: open that again to go on");
    }
    if (this.#phase === "running" && (this.#ending === undefined || this.#slots > 0)) {
      throw new Error("Cannot take a snapshot as the crawl runs: await its stop() before");
    }
    return {
      version: SNAPSHOT_VERSION,
      takenAtMs: this.#settings.clock.now(),
      frontier: this.#frontier.save(this.#hosts.savePaces()),
      ...this.#journal.save(),
      admission: this.#admission.save(),
      territories: this.#scope.save(),
      ...this.#carrier.save(),
      givenUp: this.#hosts.saveGivenUp(),
      cookies: this.#carrier.cookies?.save() ?? this.#settings.resume?.cookies,
    };
  }

  /** Ends everything at once. */
  async cancel(): Promise<void> {
    await this.#finish("cancelled");
  }

  #restore(snapshot: CrawlSnapshot): void {
    this.#journal.restore(snapshot);
    this.#admission.restore(snapshot.admission);
    this.#scope.restore(snapshot.territories);
    this.#carrier.restore(snapshot);
    this.#hosts.restoreGivenUp(snapshot.givenUp);
  }

  #begin(): void {
    if (this.#phase !== "new") return;
    this.#phase = "running";
    this.#journal.begin();
    this.#run().catch((error) => this.#fail(error, "failed"));
  }

  async #run(): Promise<void> {
    await this.#scope.load();
    if (this.#settings.cookies) this.#carrier.cookies = await loadCookies(this.#settings.resume?.cookies);
    const { sitemaps } = this.#settings;
    if (typeof sitemaps === "object") await this.#intake.addSitemaps(undefined, sitemaps);
    this.#intake.feed(this.#feed, () => this.#phase === "over").catch((error) => this.#fail(error, "failed"));
    while (this.#phase === "running") {
      this.#waker.rise();
      const nowMs = this.#settings.clock.now();
      this.#checkBudgets(nowMs);
      await this.#hosts.renew(nowMs);
      if (this.#freeSlots() > 0) {
        await this.#hosts.fill(nowMs);
        await this.#startDue(nowMs);
      }
      const reason = await this.#whyOver();
      if (reason !== undefined) return this.#finish(reason);
      await this.#rest();
    }
  }

  #checkBudgets(nowMs: number): void {
    const { maxPages, maxRequests, maxDurationMs } = this.#settings;
    if (this.#ending !== undefined) return;
    if (this.#journal.pages >= maxPages) {
      this.#ending = "max-pages";
      // No page is in flight then: what is has lost its use.
      this.#abortAll("The crawl has its pages");
    }
    if (this.#journal.requests >= maxRequests) this.#ending ??= "max-requests";
    if (nowMs - this.#journal.startedAtMs >= maxDurationMs) this.#ending ??= "max-duration";
  }

  /** How many requests may start, as far as the whole crawl is concerned. */
  #freeSlots(): number {
    if (this.#phase !== "running" || this.#ending !== undefined) return 0;
    const { concurrency, maxPages, maxRequests } = this.#settings;
    return Math.min(
      concurrency - this.#slots - this.#outbox.unread,
      maxPages - this.#journal.pages - this.#carrier.pagesInFlight,
      maxRequests - this.#journal.requests,
    );
  }

  /** Starts what is due. Hosts that have nothing ready are fed first, all at once: a store may take its time. */
  async #startDue(nowMs: number): Promise<void> {
    while (true) {
      const hungry: VisitState[] = [];
      while (this.#freeSlots() > hungry.length) {
        const state = this.#hosts.bench.due(nowMs);
        if (state === undefined) break;
        if (state.ready.length > 0 || state.errands.length > 0) {
          this.#serve(state, nowMs);
        } else {
          this.#hosts.bench.withdraw(state);
          hungry.push(state);
        }
      }
      if (hungry.length === 0) return;
      const n = Math.ceil(this.#freeSlots() / hungry.length);
      await Promise.all(hungry.map((state) => this.#hosts.feed(state, n, nowMs)));
    }
  }

  /** Does the next thing for a host that is due: after it the host has another place. */
  #serve(state: VisitState, nowMs: number): void {
    const errand = state.errands.shift();
    if (errand !== undefined) {
      this.#occupy(async () => this.#robots?.carry(state, errand));
      return;
    }
    const request = state.ready[0]!;
    if (request.kind === undefined) {
      const mayGivePage = this.#carrier.leave(state);
      if (mayGivePage === "never") this.#hosts.giveUp(state, "budget", Number.POSITIVE_INFINITY);
      else if (mayGivePage === "later") state.blockedUntilMs = Number.POSITIVE_INFINITY;
      if (mayGivePage !== "now") {
        this.#hosts.update(state);
        return;
      }
    }
    const leave = this.#robots?.leave(state, request, nowMs) ?? { type: "go" };
    if (leave.type === "wait") return;
    state.ready.shift();
    if (leave.type === "go") this.#occupy(() => this.#carrier.carry(state, request));
    else
      this.#occupy(() => this.#carrier.skip(state, request, { reason: leave.reason, detail: leave.detail }));
    this.#hosts.update(state);
  }

  /** Runs work that may end in a result, and holds its slot meanwhile. */
  #occupy(work: () => Promise<void>): void {
    this.#slots++;
    work()
      .catch((error) => this.#fail(error, "failed"))
      .finally(() => {
        this.#slots--;
        if (this.#slots === 0) for (const resolve of this.#quiet.splice(0)) resolve();
        this.#waker.wake();
      });
  }

  async #whyOver(): Promise<FinishReason | undefined> {
    if (this.#slots > 0) return undefined;
    if (!this.#outbox.isIdle) return undefined;
    if (this.#ending === "stopped") return this.#ending;
    const { queued, inProgress } = await this.#frontier.counts(this.#settings.clock.now());
    const isAllDone = this.#intake.areSeedsRead && queued === 0 && inProgress === 0;
    // Something may have come up while the store was asked.
    if (this.#slots > 0 || !this.#outbox.isIdle) return undefined;
    return isAllDone ? this.#whyDone() : this.#ending;
  }

  #whyDone(): FinishReason {
    if (this.#journal.skipsBy("depth") > 0) return "max-depth";
    return this.#journal.skipsBy("budget") > 0 ? "max-pages-per-host" : "done";
  }

  /** Waits until something changes, or something is due. */
  async #rest(): Promise<void> {
    this.#intake.proceed();
    const deadlineMs =
      this.#ending === undefined
        ? this.#journal.startedAtMs + this.#settings.maxDurationMs
        : Number.POSITIVE_INFINITY;
    const dueMs = this.#freeSlots() > 0 ? this.#hosts.nextDueMs : Number.POSITIVE_INFINITY;
    await this.#waker.rest(Math.min(deadlineMs, dueMs, this.#hosts.renewAtMs));
  }

  /** Hands a skip that no request stands behind to the reader, if it is one that the reader wants. */
  #offer(skip: Skip): void {
    if (this.#settings.results === "all") this.#outbox.push({ result: skip, acknowledge: async () => {} });
  }

  #abortAll(message: string): void {
    const reason = new DOMException(message, "AbortError");
    this.#fetcher.abortAll(reason);
    this.#robotsFetcher.abortAll(reason);
  }

  /** Resolves when nothing is in flight, nor on its way to the frontier. */
  async #untilQuiet(): Promise<void> {
    if (this.#slots > 0) await new Promise<void>((resolve) => this.#quiet.push(resolve));
  }

  /** Not waited for: a generator's return() queues behind a next() that may never come. */
  async #closeSeeds(): Promise<void> {
    try {
      await this.#feed.seeds.return?.();
    } catch {
      // Nobody reads any more of it, so its fault is nobody's.
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
    this.#waker.stop();
    this.#cancelGrace?.();
    this.#settings.signal?.removeEventListener("abort", this.#onAbort);
    this.#abortAll("The crawl is over");
    this.#intake.proceed();
    this.#closeSeeds();
    // All transfers were cut: what each still had to do is done before the last event.
    await this.#untilQuiet();
    try {
      await this.#hosts.releaseAll();
      this.#counts = await this.#frontier.counts(this.#settings.clock.now());
      await this.#frontier.close?.();
      await Promise.all([this.#fetcher.close(), this.#robotsFetcher.close()]);
    } catch (error) {
      this.#raise(error);
    }
    this.#journal.finish(reason, this.#endingDetail);
    const { stats } = this;
    this.#lastStats = stats;
    this.#journal.tell({ type: "finished", stats });
    this.#outbox.close();
    this.#resolveFinished(stats);
  }
}

function memoryFrontier({ resume, seen }: Settings, salt: number): MemoryFrontier {
  if (resume !== undefined) return MemoryFrontier.restore(resume.frontier);
  return new MemoryFrontier(seen === "exact" ? new SeenTable(salt) : new BloomFilter(seen.bloom, salt));
}
