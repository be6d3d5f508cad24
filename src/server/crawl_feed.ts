import type { Clock } from "../clock.ts";
import type { CrawlEvent } from "../event.ts";
import type { CrawlStats } from "../stats.ts";
import { EventRing, type RingBounds } from "./event_ring.ts";
import { type FirstPace, HostBoard } from "./host_board.ts";
import { RateHistory, type RateSample } from "./rate_history.ts";
import { sseMessage } from "./sse_message.ts";
import { toldResult } from "./told_result.ts";

// At most four times a second, by design.
const STATS_MS = 250;
// Those who watch get what happened meanwhile in one piece: well within the 200 ms in which an event should arrive.
const WAKE_MS = 50;
const RING: RingBounds = { maxEntries: 10_000, maxChars: 2 * 1024 ** 2 };
/** How much of the ring those who missed something are told again. */
const REPLAYED_ENTRIES = 200;

export interface CrawlFeedParts {
  readonly clock: Clock;
  readonly stats: () => CrawlStats;
  readonly firstPace: FirstPace;
  readonly ring?: RingBounds;
}

/**
 * What a crawl tells, kept once for all who watch it: the newest events in a bounded ring, how each host stands, and
 * the stats as they were last told. It runs a timer only while somebody watches.
 */
export class CrawlFeed {
  readonly #clock: Clock;
  readonly #stats: () => CrawlStats;
  readonly #ring: EventRing;
  readonly #hosts: HostBoard;
  readonly #history = new RateHistory();
  #startedAtMs: number | undefined;
  #pages = 0;
  /** An entry a client; each takes itself out. */
  readonly #watchers = new Set<() => void>();
  #cancelTick: (() => void) | undefined;
  #lastWakeMs = Number.NEGATIVE_INFINITY;
  #lastStatsMs = Number.NEGATIVE_INFINITY;
  #statsText = "";
  #statsVersion = 0;
  #isChanged = true;
  #isOver = false;

  constructor({ clock, stats, firstPace, ring = RING }: CrawlFeedParts) {
    this.#clock = clock;
    this.#stats = stats;
    this.#ring = new EventRing(ring);
    this.#hosts = new HostBoard(firstPace);
  }

  /** How many watch. */
  get watchers(): number {
    return this.#watchers.size;
  }

  /** Pages over time, so far. */
  get history(): readonly RateSample[] {
    return this.#history.samples;
  }

  get ring(): EventRing {
    return this.#ring;
  }

  /** Whether nothing will be added any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Counts how often the stats were told anew. */
  get statsVersion(): number {
    return this.#statsVersion;
  }

  /** Takes in what happened. Nothing of it may throw: that would end the crawl. */
  readonly onEvent = (event: CrawlEvent): void => {
    this.#isChanged = true;
    this.#startedAtMs ??= event.atMs;
    this.#history.note(event.atMs - this.#startedAtMs, this.#pages);
    this.#hosts.take(event);
    switch (event.type) {
      case "page":
        this.#pages++;
        this.#tell("page", toldResult(event.page));
        break;
      case "failure":
        this.#tell("failure", toldResult(event.failure));
        break;
      case "skip":
        this.#tell("skip", toldResult(event.skip));
        break;
      case "finished":
        this.finish(event.stats);
        return;
    }
    this.#schedule();
  };

  /** The last that is told. */
  finish(stats: CrawlStats): void {
    if (this.#isOver) return;
    this.#noteStats(stats);
    this.#tellHosts();
    this.#tell("finished", stats);
    this.#isOver = true;
    this.#wake();
  }

  /** Calls `wake` when there is something new, until the returned function is called. */
  watch(wake: () => void): () => void {
    this.#watchers.add(wake);
    this.#refresh();
    this.#schedule();
    return () => {
      this.#watchers.delete(wake);
      if (this.#watchers.size > 0) return;
      this.#cancelTick?.();
      this.#cancelTick = undefined;
    };
  }

  /** The stats as they were last told. */
  statsMessage(id: number): string {
    return sseMessage({ event: "stats", data: this.#statsText, id });
  }

  /** The present state for a client that missed events, and the number of the entry after which it goes on. */
  present(missed: number): { text: string; lastId: number } {
    const id = Math.max(this.#ring.firstId - 1, this.#ring.lastId - REPLAYED_ENTRIES);
    const message = (event: string, data: unknown): string =>
      sseMessage({ event, data: JSON.stringify(data), id });
    const hosts = this.#hosts.standings.map((standing) => message("host", standing));
    return { text: message("reset", { missed }) + this.statsMessage(id) + hosts.join(""), lastId: id };
  }

  #tell(event: string, data: unknown): void {
    this.#ring.push((id) => sseMessage({ event, data: JSON.stringify(data), id }));
  }

  #tellHosts(): void {
    for (const standing of this.#hosts.takeChanged()) this.#tell("host", standing);
  }

  /** Tells the stats and the hosts anew where they may have changed and it is time to. */
  #refresh(): void {
    const nowMs = this.#clock.now();
    if (this.#isOver || nowMs < this.#lastStatsMs + STATS_MS || !this.#isChanged) return;
    this.#lastStatsMs = nowMs;
    this.#isChanged = false;
    this.#noteStats(this.#stats());
    this.#tellHosts();
  }

  #noteStats(stats: CrawlStats): void {
    this.#history.note(stats.elapsedMs, stats.pages);
    this.#statsText = JSON.stringify(stats);
    this.#statsVersion++;
  }

  #schedule(): void {
    if (this.#watchers.size === 0 || this.#cancelTick !== undefined || this.#isOver) return;
    if (!this.#isChanged) return;
    const nowMs = this.#clock.now();
    const atMs = Math.max(nowMs, this.#lastWakeMs + WAKE_MS);
    this.#cancelTick = this.#clock.at(atMs, () => this.#tick());
  }

  #tick(): void {
    this.#cancelTick = undefined;
    this.#refresh();
    this.#wake();
    // The stats are not due yet; events that come meanwhile bring no earlier tick than a wake may follow another.
    this.#schedule();
  }

  #wake(): void {
    this.#lastWakeMs = this.#clock.now();
    for (const wake of [...this.#watchers]) wake();
  }
}
