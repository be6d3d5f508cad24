import type { Clock } from "../clock.ts";
import type { CrawlFeed } from "./crawl_feed.ts";
import { SSE_HEARTBEAT, sseRetry } from "./sse_message.ts";

/** After how long what. All are milliseconds. */
export interface SseDeadlines {
  /** Of silence, until a comment is sent. Default: 15,000. */
  readonly heartbeatMs?: number;
  /** For which nothing was taken from the stream, until the client counts as gone. Default: 60,000. */
  readonly idleMs?: number;
  /** Until the connection is ended, so that one which a runtime never finds closed ends too. Default: 30 minutes. */
  readonly maxAgeMs?: number;
  /** That the client is to wait before it connects again. Default: 2,000. */
  readonly retryMs?: number;
}

export interface SseClientSettings extends SseDeadlines {
  readonly clock: Clock;
  /** The number of the last event that it had; 0 for none. */
  readonly lastEventId: number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_CHUNK_CHARS = 64 * 1024;

/** One client of a feed. It holds no event: only the number of the last one that it was told. */
export class SseClient {
  /** What is sent. Nothing is made before it is taken, so that a slow client costs no memory. */
  readonly stream: ReadableStream<Uint8Array>;
  readonly #feed: CrawlFeed;
  readonly #settings: Required<Omit<SseClientSettings, "signal" | "lastEventId">>;
  readonly #signal: AbortSignal | undefined;
  readonly #unwatch: () => void;
  readonly #cancelAge: () => void;
  readonly #onAbort = (): void => this.#end();
  #lastId: number;
  #statsVersion = 0;
  #hasBegun = false;
  #isBeatDue = false;
  #isEnded = false;
  #close: () => void = () => {};
  #cancelIdle: () => void = () => {};
  #onNews: (() => void) | undefined;

  constructor(feed: CrawlFeed, settings: SseClientSettings) {
    const { clock, lastEventId, signal } = settings;
    const { heartbeatMs = 15_000, idleMs = 60_000, maxAgeMs = 1_800_000, retryMs = 2000 } = settings;
    this.#feed = feed;
    this.#settings = { clock, heartbeatMs, idleMs, maxAgeMs, retryMs };
    this.#signal = signal;
    this.#lastId = lastEventId;
    this.#unwatch = feed.watch(() => this.#onNews?.());
    this.#cancelAge = clock.at(clock.now() + maxAgeMs, () => this.#end());
    this.#armIdle();
    const encoder = new TextEncoder();
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#close = () => controller.close();
        },
        pull: async (controller) => {
          const text = await this.#next();
          if (text !== undefined) controller.enqueue(encoder.encode(text));
        },
        cancel: () => {
          this.#close = () => {};
          this.#end();
        },
      },
      { highWaterMark: 0 },
    );
    if (signal?.aborted) this.#end();
    else signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** What to send next, as soon as there is something; `undefined` once it is over. */
  async #next(): Promise<string | undefined> {
    this.#cancelIdle();
    while (!this.#isEnded) {
      const text = this.#pending();
      if (text !== "") {
        this.#armIdle();
        return text;
      }
      if (this.#feed.isOver) this.#end();
      else await this.#news();
    }
    return undefined;
  }

  /** All that it was not told yet, as far as it fits into one piece. */
  #pending(): string {
    let text = this.#hasBegun ? "" : sseRetry(this.#settings.retryMs);
    this.#hasBegun = true;
    const { ring } = this.#feed;
    if (!ring.reaches(this.#lastId)) {
      // A number that was never given out is another server's: how much was missed is not known.
      const missed = this.#lastId < ring.firstId ? ring.firstId - 1 - this.#lastId : ring.lastId;
      const present = this.#feed.present(missed);
      text += present.text;
      this.#lastId = present.lastId;
      this.#statsVersion = this.#feed.statsVersion;
    }
    const stretch = ring.after(this.#lastId, MAX_CHUNK_CHARS);
    this.#lastId = stretch.lastId;
    // Last of all comes `finished`, whose stats these are too.
    if (this.#statsVersion < this.#feed.statsVersion && !this.#feed.isOver) {
      text += this.#feed.statsMessage(this.#lastId);
    }
    this.#statsVersion = this.#feed.statsVersion;
    text += stretch.text;
    if (text === "" && this.#isBeatDue) text = SSE_HEARTBEAT;
    this.#isBeatDue = false;
    return text;
  }

  /** Waits for the feed, for the time of a heartbeat, or for the end. */
  #news(): Promise<void> {
    const { clock, heartbeatMs } = this.#settings;
    return new Promise((resolve) => {
      const cancelBeat = clock.at(clock.now() + heartbeatMs, () => {
        this.#isBeatDue = true;
        this.#onNews?.();
      });
      this.#onNews = () => {
        this.#onNews = undefined;
        cancelBeat();
        resolve();
      };
    });
  }

  #armIdle(): void {
    const { clock, idleMs } = this.#settings;
    this.#cancelIdle = clock.at(clock.now() + idleMs, () => this.#end());
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#cancelIdle();
    this.#cancelAge();
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#unwatch();
    this.#close();
    this.#onNews?.();
  }
}
