import type { Clock, Random } from "../clock.ts";
import { type Crawl, crawl } from "../crawl.ts";
import type { CrawlOptions } from "../options.ts";
import type { CrawlResult } from "../result.ts";
import type { CrawlFeed } from "./crawl_feed.ts";
import { Problem } from "./problem.ts";
import { ResultLog } from "./result_log.ts";
import { feedOf } from "./sse.ts";
import type { Submission } from "./submission.ts";

export interface CrawlRegistrySettings {
  readonly clock: Clock;
  readonly random: Random;
  /** Most crawls that are not over. */
  readonly maxCrawls: number;
  /** Most crawls that are over and still known. */
  readonly maxFinished: number;
  /** Milliseconds for which a crawl is known after its end, and for which one waits for its first reader. */
  readonly keepMs: number;
  /** UTF-16 units of the results that are kept of each crawl. */
  readonly maxResultChars: number;
  /** Milliseconds for which a reader of results may take nothing. */
  readonly idleMs: number;
  /** What holds for a crawl where its client says nothing. */
  readonly defaults: CrawlOptions;
  /** What holds for a crawl whatever its client says. */
  readonly overrides: CrawlOptions;
}

/** A crawl that somebody started here. */
export interface RegisteredCrawl {
  readonly id: string;
  readonly submission: Submission;
  readonly crawl: Crawl<CrawlResult>;
  readonly feed: CrawlFeed;
  readonly results: ResultLog;
}

interface Entry extends RegisteredCrawl {
  state: "waiting" | "running" | "over";
  /** When it was made, and later when it ended. */
  sinceMs: number;
}

const ID_CHANCE_LENGTH = 8;

/**
 * The crawls of a server. It reads each of them to its end, whether or not anybody asks for the results, and keeps the
 * newest; who does ask is waited for.
 */
export class CrawlRegistry {
  readonly #settings: CrawlRegistrySettings;
  /** In order of their start; {@link CrawlRegistry.#forget} removes them. */
  readonly #entries = new Map<string, Entry>();
  #started = 0;

  constructor(settings: CrawlRegistrySettings) {
    this.#settings = settings;
  }

  /** All that are known, the newest first. */
  list(): readonly RegisteredCrawl[] {
    this.#forget();
    return [...this.#entries.values()].reverse();
  }

  /** @throws {Problem} 404 */
  get(id: string): RegisteredCrawl {
    return this.#entry(id);
  }

  /** @throws {Problem} 429 where too many crawls are not over */
  start(submission: Submission): RegisteredCrawl {
    this.#forget();
    const { maxCrawls, defaults, overrides, clock, random, maxResultChars, idleMs } = this.#settings;
    if (this.#all("waiting", "running").length >= maxCrawls) {
      throw new Problem(
        429,
        `At most ${maxCrawls} crawls run at once here: wait for one to end, or stop one`,
      );
    }
    const started = crawl(submission.seeds, {
      ...defaults,
      ...submission.options,
      ...overrides,
      clock,
      random,
      results: "all",
    });
    const entry: Entry = {
      id: `${++this.#started}-${chanceText(random)}`,
      submission,
      crawl: started,
      feed: feedOf(started, clock),
      results: new ResultLog({ clock, maxChars: maxResultChars, idleMs }),
      state: "waiting",
      sinceMs: clock.now(),
    };
    this.#entries.set(entry.id, entry);
    if (submission.start === "now") void this.#read(entry);
    return entry;
  }

  /** Begins to read a crawl that waited for its first reader. */
  begin(id: string): void {
    const entry = this.#entry(id);
    if (entry.state === "waiting") void this.#read(entry);
  }

  /**
   * Ends a crawl gently; what is in flight may finish.
   *
   * @throws {Problem} 404, and 409 where it is over already
   */
  stop(id: string): RegisteredCrawl {
    const entry = this.#entry(id);
    if (entry.state === "over") throw new Problem(409, `The crawl '${id}' is over already`);
    void entry.crawl.stop("stopped by a client");
    this.begin(id);
    return entry;
  }

  /** Ends every crawl gently; fulfilled when all are over. */
  async stopAll(): Promise<void> {
    const open = this.#all("waiting", "running");
    for (const { id } of open) this.stop(id);
    await Promise.all(open.map(({ crawl }) => crawl.finished));
  }

  async #read(entry: Entry): Promise<void> {
    entry.state = "running";
    try {
      for await (const result of entry.crawl) await entry.results.add(result);
    } catch {
      // Its stats say that it failed, and so does its last event.
    }
    entry.results.close();
    entry.state = "over";
    entry.sinceMs = this.#settings.clock.now();
  }

  #entry(id: string): Entry {
    this.#forget();
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new Problem(404, `There is no crawl '${id}' here, or no more`);
    return entry;
  }

  #all(...states: readonly Entry["state"][]): Entry[] {
    return [...this.#entries.values()].filter(({ state }) => states.includes(state));
  }

  /** Removes what has been over for long, what nobody came to read, and the oldest of too many that are over. */
  #forget(): void {
    const { clock, keepMs, maxFinished } = this.#settings;
    const untilMs = clock.now() - keepMs;
    for (const { id, crawl } of this.#all("waiting").filter(({ sinceMs }) => sinceMs <= untilMs)) {
      void crawl.cancel();
      this.#entries.delete(id);
    }
    const over = this.#all("over").sort((a, b) => b.sinceMs - a.sinceMs);
    for (const [place, { id, sinceMs }] of over.entries()) {
      if (place >= maxFinished || sinceMs <= untilMs) this.#entries.delete(id);
    }
  }
}

/** Keeps a crawl's name from being taken for one of before a restart. It is no secret: the token keeps others out. */
function chanceText(random: Random): string {
  return Array.from({ length: ID_CHANCE_LENGTH }, () => Math.floor(random() * 36).toString(36)).join("");
}
