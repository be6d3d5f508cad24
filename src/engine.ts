import { Admission, type Seed } from "./admission.ts";
import { Carrier } from "./carrier.ts";
import { loadCookies } from "./cookies.ts";
import { Fetcher } from "./fetcher.ts";
import type { Frontier, FrontierCounts } from "./frontier/frontier.ts";
import { MemoryFrontier } from "./frontier/memory.ts";
import { Hosts } from "./hosts.ts";
import { Intake } from "./intake.ts";
import { Journal } from "./journal.ts";
import type { Settings } from "./options.ts";
import { Outbox } from "./outbox.ts";
import type { Page } from "./page.ts";
import type { CrawlRequest, HostOrTag } from "./request.ts";
import type { CrawlResult, Skip } from "./result.ts";
import { RobotsKeeper } from "./robots_keeper.ts";
import { Scope } from "./scope.ts";
import type { CrawlStats, FinishReason } from "./stats.ts";
import { originOf } from "./web/url.ts";
import type { VisitState } from "./workbench.ts";

// Seeds are read ahead until so many requests are queued.
const SEEDS_AHEAD = 1_000;
const SEEDS_AT_ONCE = 100;

/** Ties the parts together. It alone waits, decides when something starts, and when the crawl is over. */
export class Engine {
  /** Fulfilled when nothing of the crawl is left running, with its last stats. */
  readonly finished: Promise<CrawlStats>;
  readonly #settings: Settings;
  readonly #seeds: AsyncIterator<Seed> | Iterator<Seed>;
  readonly #scope: Scope;
  readonly #admission: Admission;
  readonly #frontier: Frontier;
  readonly #journal: Journal;
  readonly #intake: Intake;
  readonly #hosts: Hosts;
  readonly #outbox: Outbox = new Outbox();
  readonly #fetcher: Fetcher;
  readonly #robotsFetcher: Fetcher;
  readonly #robots: RobotsKeeper | undefined;
  readonly #carrier: Carrier;
  #phase: "new" | "running" | "over" = "new";
  #areSeedsRead = false;
  /** Why nothing starts any more, while what is in flight may still end. */
  #ending: FinishReason | undefined;
  #endingDetail: string | undefined;
  /** Requests that are being carried or skipped: each may still become a result. */
  #slots = 0;
  #isDirty = false;
  #wakeUp: (() => void) | undefined;
  #alarm: { readonly atMs: number; readonly cancel: () => void } | undefined;
  #cancelGrace: (() => void) | undefined;
  #counts: FrontierCounts = { queued: 0, inProgress: 0, seen: 0, nextDueMs: Number.POSITIVE_INFINITY };
  readonly #quiet: (() => void)[] = [];
  /** Called when more seeds may be of use. */
  readonly #onShort: (() => void)[] = [];
  #resolveFinished: (stats: CrawlStats) => void = () => {};
  #raise: (error: unknown) => void = () => {};
  readonly #onAbort = (): void => this.#fail(this.#settings.signal?.reason, "aborted");

  constructor(settings: Settings, seeds: AsyncIterator<Seed> | Iterator<Seed>) {
    const { transport, robotsTransport, timeoutMs, maxBodyBytes, clock, random, robots } = settings;
    this.#settings = settings;
    this.#seeds = seeds;
    const salt = Math.floor(random() * 2 ** 32);
    const frontier = new MemoryFrontier(salt);
    const scope = new Scope(settings.scope, settings.include, settings.exclude);
    const admission = new Admission(settings, scope);
    const journal = new Journal(clock, settings.onEvent);
    const outbox = this.#outbox;
    const fetcher = new Fetcher({ transport, timeoutMs, maxBodyBytes, clock });
    const robotsFetcher =
      robotsTransport === transport
        ? fetcher
        : new Fetcher({ transport: robotsTransport, timeoutMs, maxBodyBytes, clock });
    const intake = new Intake(journal, salt, (skip) => this.#offer(skip));
    const hosts = new Hosts(frontier, settings.pace, journal, (state, request, skip) =>
      this.#occupy(() => this.#carrier.skip(state, request, skip)),
    );
    const queue = (requests: readonly CrawlRequest[]): Promise<void> => this.#queue(requests);
    const isOver = (): boolean => this.#phase === "over";
    this.#carrier = new Carrier({
      settings,
      scope,
      admission,
      hosts,
      intake,
      journal,
      outbox,
      fetcher,
      queue,
      isOver,
    });
    this.#robots =
      robots === undefined
        ? undefined
        : new RobotsKeeper(robots, {
            settings,
            admission,
            hosts,
            journal,
            fetcher: robotsFetcher,
            onSitemaps: (origin, sitemaps) => this.#queueSitemaps(origin, sitemaps),
            onChange: () => this.#wake(),
            onError: (error) => this.#fail(error, "failed"),
          });
    this.#frontier = frontier;
    this.#scope = scope;
    this.#admission = admission;
    this.#journal = journal;
    this.#fetcher = fetcher;
    this.#robotsFetcher = robotsFetcher;
    this.#intake = intake;
    this.#hosts = hosts;
    this.finished = new Promise((resolve) => {
      this.#resolveFinished = resolve;
    });
  }

  get stats(): CrawlStats {
    const counts = this.#frontier.counts();
    // A store that answers later: its last answer stands meanwhile.
    if (!(counts instanceof Promise)) this.#counts = counts;
    return this.#journal.stats(this.#counts);
  }

  /** Gives the engine the means to error the stream. */
  connect(raise: (error: unknown) => void): void {
    this.#raise = raise;
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
    this.#wake();
    return next;
  }

  /** Queues more seeds, and says how many were new. */
  async add(seeds: readonly Seed[]): Promise<number> {
    if (this.#phase === "over") throw new Error("Cannot add seeds as the crawl is over");
    await this.#scope.load();
    return this.#addSeeds(seeds);
  }

  /** Has a page's request tried again, not before `afterMs` milliseconds from now. */
  retry(page: Page, afterMs: number): void {
    const retryAtMs = this.#settings.clock.now() + afterMs;
    const held = this.#outbox.held(page);
    if (held !== undefined) {
      held.retryAtMs = retryAtMs;
      return;
    }
    const { attempts, ...fresh } = page.request;
    const request = {
      ...fresh,
      revisit: true as const,
      notBeforeMs: retryAtMs,
      order: this.#admission.nextOrder(),
    };
    this.#journal.tell({ type: "retrying", request, notBeforeMs: retryAtMs, status: page.status });
    this.#queue([request]).catch((error) => this.#fail(error, "failed"));
  }

  hold(what: HostOrTag, ms: number): void {
    const untilMs = this.#settings.clock.now() + ms;
    this.#journal.tell({ type: "held", what, untilMs });
    this.#hosts.hold(what, untilMs).then(
      () => this.#wake(),
      (error) => this.#fail(error, "failed"),
    );
  }

  drop(what: HostOrTag): void {
    this.#journal.tell({ type: "dropped", what });
    this.#occupy(async () => {
      for (const request of await this.#hosts.drop(what)) {
        if (request.kind === "sitemap") continue;
        const { url, referrer } = request;
        const skip: Skip = { type: "skip", url, reason: "dropped", referrer, request };
        this.#journal.tell({ type: "skip", skip });
        this.#offer(skip);
      }
    });
  }

  /** Starts nothing more. Fulfilled when nothing is in flight. */
  async stop(detail: string | undefined): Promise<CrawlStats> {
    if (this.#phase === "over") return this.finished;
    if (this.#ending === undefined) {
      this.#ending = "stopped";
      this.#endingDetail = detail;
    }
    const { clock, graceMs } = this.#settings;
    if (graceMs !== Number.POSITIVE_INFINITY && this.#cancelGrace === undefined) {
      this.#cancelGrace = clock.at(clock.now() + graceMs, () => this.#abortAll("The time of grace is over"));
    }
    if (this.#slots > 0) {
      const quiet = new Promise<void>((resolve) => this.#quiet.push(resolve));
      this.#wake();
      await quiet;
    } else {
      this.#wake();
    }
    return this.stats;
  }

  /** Ends everything at once. */
  async cancel(): Promise<void> {
    await this.#finish("cancelled");
  }

  #begin(): void {
    if (this.#phase !== "new") return;
    const { signal } = this.#settings;
    if (signal?.aborted) {
      this.#onAbort();
      return;
    }
    this.#phase = "running";
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    this.#journal.begin();
    this.#run().catch((error) => this.#fail(error, "failed"));
  }

  async #run(): Promise<void> {
    await this.#scope.load();
    if (this.#settings.cookies) this.#carrier.cookies = await loadCookies();
    if (Array.isArray(this.#settings.sitemaps)) await this.#queueSitemaps(undefined, this.#settings.sitemaps);
    this.#feedSeeds().catch((error) => this.#fail(error, "failed"));
    while (this.#phase === "running") {
      this.#isDirty = false;
      const nowMs = this.#settings.clock.now();
      this.#checkBudgets(nowMs);
      if (this.#mayStart()) {
        await this.#hosts.fill(nowMs);
        this.#startDue(nowMs);
      }
      const reason = await this.#whyOver();
      if (reason !== undefined) return this.#finish(reason);
      await this.#rest();
    }
  }

  /** Reads seeds as the crawl has use for them: an endless sequence of them is no more than a long one. */
  async #feedSeeds(): Promise<void> {
    while (this.#phase === "running") {
      const { queued } = await this.#frontier.counts();
      if (queued >= SEEDS_AHEAD) {
        await new Promise<void>((resolve) => this.#onShort.push(resolve));
        continue;
      }
      const batch: Seed[] = [];
      let isDone = false;
      while (batch.length < SEEDS_AT_ONCE && !isDone) {
        const next = this.#seeds.next();
        const { done, value } = next instanceof Promise ? await next : next;
        isDone = done === true;
        if (!isDone) batch.push(value);
        // A seed that had to be waited for is not kept back until there are more.
        if (next instanceof Promise) break;
      }
      await this.#addSeeds(batch);
      if (isDone) break;
    }
    this.#areSeedsRead = true;
    this.#wake();
  }

  async #addSeeds(seeds: readonly Seed[]): Promise<number> {
    const { sitemaps, robots } = this.#settings;
    const requests: CrawlRequest[] = [];
    for (const seed of seeds) {
      const admitted = this.#admission.seed(seed);
      if ("refused" in admitted) this.#intake.refuse([admitted], undefined);
      else requests.push(admitted);
    }
    if (sitemaps === true && robots === undefined) {
      for (const { url } of requests) await this.#queueSitemaps(originOf(url), []);
    }
    return this.#accept(requests);
  }

  /** Queues what an origin lists, or its usual address; or what the caller lists. */
  async #queueSitemaps(origin: string | undefined, listed: readonly string[]): Promise<void> {
    const { sitemaps } = this.#settings;
    if (origin !== undefined && (sitemaps !== true || !this.#admission.isSeedOrigin(origin))) return;
    const urls = listed.length > 0 || origin === undefined ? listed : [`${origin}/sitemap.xml`];
    const requests: CrawlRequest[] = [];
    for (const url of urls) {
      const admitted = this.#admission.sitemap(url);
      if ("refused" in admitted) this.#intake.refuse([admitted], undefined);
      else requests.push(admitted);
    }
    await this.#queue(requests);
  }

  async #queue(requests: readonly CrawlRequest[]): Promise<void> {
    await this.#accept(requests);
  }

  async #accept(requests: readonly CrawlRequest[]): Promise<number> {
    if (requests.length === 0) return 0;
    const isNew = await this.#frontier.add(requests);
    const accepted = requests.filter((_, i) => isNew[i]);
    this.#intake.accept(accepted);
    this.#hosts.noteQueued(accepted);
    this.#wake();
    return accepted.length;
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

  /** Whether one more request may start, as far as the whole crawl is concerned. */
  #mayStart(): boolean {
    const { concurrency, maxPages, maxRequests } = this.#settings;
    return (
      this.#phase === "running" &&
      this.#ending === undefined &&
      this.#slots + this.#outbox.unread < concurrency &&
      this.#journal.pages + this.#carrier.pagesInFlight < maxPages &&
      this.#journal.requests < maxRequests
    );
  }

  #startDue(nowMs: number): void {
    while (this.#mayStart()) {
      const state = this.#hosts.bench.due(nowMs);
      if (state === undefined) return;
      this.#serve(state, nowMs);
    }
  }

  /** Does the next thing for a host that is due: after it the host has another place. */
  #serve(state: VisitState, nowMs: number): void {
    const errand = state.errands.shift();
    if (errand !== undefined) {
      this.#occupy(async () => this.#robots?.carry(state, errand));
      return;
    }
    const request = state.ready[0];
    if (request === undefined) {
      // What was deferred is due: the next filling takes it.
      state.deferredUntilMs.pop();
      this.#hosts.update(state);
      this.#wake();
      return;
    }
    if (request.kind === undefined && !this.#carrier.mayGivePage(state)) {
      state.blockedUntilMs = Number.POSITIVE_INFINITY;
      this.#hosts.update(state);
      return;
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
        this.#wake();
      });
  }

  async #whyOver(): Promise<FinishReason | undefined> {
    if (this.#slots > 0) return undefined;
    if (this.#ending !== undefined) for (const resolve of this.#quiet.splice(0)) resolve();
    if (!this.#outbox.isIdle) return undefined;
    if (this.#ending === "stopped") return this.#ending;
    const { queued, inProgress } = await this.#frontier.counts();
    const isAllDone = this.#areSeedsRead && queued === 0 && inProgress === 0;
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
    for (const resolve of this.#onShort.splice(0)) resolve();
    const deadlineMs =
      this.#ending === undefined
        ? this.#journal.startedAtMs + this.#settings.maxDurationMs
        : Number.POSITIVE_INFINITY;
    const dueMs = this.#mayStart() ? await this.#hosts.nextDueMs() : Number.POSITIVE_INFINITY;
    if (this.#isDirty) return;
    this.#setAlarm(Math.min(deadlineMs, dueMs));
    await new Promise<void>((resolve) => {
      this.#wakeUp = resolve;
    });
  }

  #setAlarm(atMs: number): void {
    if (this.#alarm?.atMs === atMs) return;
    this.#alarm?.cancel();
    this.#alarm = undefined;
    if (atMs === Number.POSITIVE_INFINITY) return;
    const cancel = this.#settings.clock.at(atMs, () => {
      this.#alarm = undefined;
      this.#wake();
    });
    this.#alarm = { atMs, cancel };
  }

  #wake(): void {
    this.#isDirty = true;
    const wakeUp = this.#wakeUp;
    this.#wakeUp = undefined;
    wakeUp?.();
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
    this.#setAlarm(Number.POSITIVE_INFINITY);
    this.#cancelGrace?.();
    this.#settings.signal?.removeEventListener("abort", this.#onAbort);
    this.#abortAll("The crawl is over");
    this.#wake();
    for (const resolve of this.#onShort.splice(0)) resolve();
    // Not waited for: a generator's return() queues behind a next() that may never come.
    Promise.resolve(this.#seeds.return?.()).catch(() => {});
    try {
      await this.#hosts.releaseAll();
      this.#counts = await this.#frontier.counts();
      await Promise.all([this.#fetcher.close(), this.#robotsFetcher.close()]);
    } catch (error) {
      this.#raise(error);
    }
    this.#journal.finish(reason, this.#endingDetail);
    const stats = this.stats;
    try {
      this.#journal.tell({ type: "finished", stats });
    } catch (error) {
      this.#raise(error);
    }
    this.#outbox.close();
    for (const resolve of this.#quiet.splice(0)) resolve();
    this.#resolveFinished(stats);
  }
}
