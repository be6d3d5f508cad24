import { Engine } from "./engine.ts";
import type { CrawlEvent } from "./event.ts";
import type { CrawlOptions } from "./options.ts";
import type { Page } from "./page.ts";
import type { HostOrTag } from "./request.ts";
import type { CrawlResult } from "./result.ts";
import { checkedSeed, type Seed } from "./seed.ts";
import { type Seeds, seedFeed } from "./seed_feed.ts";
import { settle } from "./settings.ts";
import type { CrawlSnapshot } from "./snapshot.ts";
import type { CrawlStats } from "./stats.ts";

/**
 * Crawls the web from its seeds and gives what it finds as a stream: `for await`, `pipeThrough`, `pipeTo` and `tee`
 * work as with any other. The crawl starts with the first read, goes no faster than its reader, and ends with it:
 * `break` and `cancel()` leave nothing running.
 *
 * @param seeds one URL, or any sequence of URLs and {@link SeedObject}s
 * @throws {TypeError} at once, where an option or seed is of the wrong kind, naming it
 * @throws {RangeError} at once, where a number is out of its range
 *
 * @example
 * ```ts
 * import { crawl } from "dragline";
 *
 * for await (const page of crawl("https://example.com/")) {
 *   console.log(page.status, page.url, page.title);
 * }
 * ```
 */
export function crawl(seeds: Seeds, options: CrawlOptions & { results: "all" }): Crawl<CrawlResult>;
/** The same crawl, of which only pages are given. */
export function crawl(seeds: Seeds, options?: CrawlOptions): Crawl<Page>;
export function crawl(seeds: Seeds, options: CrawlOptions = {}): Crawl<CrawlResult> {
  return new Crawl<CrawlResult>(new Engine(settle(options), seedFeed(seeds)));
}

/** A crawl under way: a stream of its results, and the means to watch and steer it. */
export class Crawl<T extends CrawlResult = Page> extends ReadableStream<T> {
  /** Fulfilled when the crawl is over and nothing of it is left running; never rejected. */
  readonly finished: Promise<CrawlStats>;
  readonly #engine: Engine;

  /** Made by {@link crawl} alone. */
  constructor(engine: Engine) {
    let isErrored = false;
    super(
      {
        start(controller) {
          engine.connect((error) => {
            if (isErrored) return;
            isErrored = true;
            controller.error(error);
          });
        },
        async pull(controller) {
          const result = await engine.next();
          if (isErrored) return;
          if (result === undefined) controller.close();
          else controller.enqueue(result as T);
        },
        cancel: () => engine.cancel(),
      },
      // Nothing is fetched before somebody reads; what is read ahead waits in the engine, where it counts.
      { highWaterMark: 0 },
    );
    this.#engine = engine;
    this.finished = engine.finished;
  }

  /** The crawl in numbers, as it is now. */
  get stats(): CrawlStats {
    return this.#engine.stats;
  }

  /**
   * Tells an observer of all that happens from now on, as the option `onEvent` does: for whoever shows a crawl that
   * somebody else has made. It costs nothing while nobody observes.
   *
   * @param observer gets each event as it happens; what it throws errors the stream
   * @returns ends the observation; a second call does nothing
   *
   * @example
   * ```ts
   * import { crawl } from "dragline";
   *
   * const pages = crawl("https://example.com/");
   * const leave = pages.observe((event) => {
   *   if (event.type === "failure") console.error(event.failure.url, event.failure.reason);
   * });
   * for await (const page of pages) console.log(page.url);
   * leave();
   * ```
   */
  observe(observer: (event: CrawlEvent) => void): () => void {
    if (typeof observer !== "function") {
      throw new TypeError(`Cannot observe as 'observer' must be a function: received ${String(observer)}`);
    }
    return this.#engine.observe(observer);
  }

  /** The pace with which each host begins: the requests that may be in flight to it, the gap between two starts. */
  get firstPace(): { readonly limit: number; readonly gapMs: number } {
    return this.#engine.firstPace;
  }

  /**
   * Queues more seeds, say from the loop's body: the crawl is not over before the reader has asked for more after its
   * last page.
   *
   * @returns how many were new
   * @throws {TypeError} (a rejection) naming the seed that is none; nothing is queued then
   * @throws {Error} (a rejection) where the crawl is over
   */
  async add(seeds: Seeds): Promise<number> {
    const list: Seed[] = [];
    for await (const seed of sequence(seedFeed(seeds).seeds)) list.push(checkedSeed(seed));
    return this.#engine.add(list);
  }

  /**
   * Says that a page will not do: the same request is made again, its links are not followed, and it counts as new.
   *
   * @param options `afterMs`: milliseconds to wait before; default 0
   * @throws {RangeError} where `afterMs` is no finite number of 0 or more
   */
  retry(page: Page, options: { afterMs?: number } = {}): void {
    const { afterMs = 0 } = options;
    checkMs("retry", "afterMs", afterMs);
    this.#engine.steering.retry(page, afterMs);
  }

  /**
   * Starts nothing of a host or tag for so many milliseconds. What is held keeps its order and delays nothing else.
   *
   * @throws {RangeError} where `ms` is no finite number of 0 or more
   */
  hold(what: HostOrTag, ms: number): void {
    checkMs("hold", "ms", ms);
    this.#engine.steering.hold(checkedWhat("hold", what), ms);
  }

  /** Ends what is queued of a host or tag, as skipped with reason `dropped`. What is in flight goes on. */
  drop(what: HostOrTag): void {
    this.#engine.steering.drop(checkedWhat("drop", what));
  }

  /**
   * The crawl at a standstill, as plain JSON, for the option `resume`. To be taken after `stop()`, or at the end. What
   * the reader has not asked past yet is fetched again by the crawl that goes on.
   *
   * @throws {Error} (a rejection) where the crawl still runs, or has a frontier that keeps it
   */
  async snapshot(): Promise<CrawlSnapshot> {
    return this.#engine.snapshot();
  }

  /**
   * Ends the crawl gently: nothing new starts, what is in flight may finish for `graceMs`, and its results can still
   * be read.
   *
   * @param reason the caller's own words, which come back as `finishDetail`
   * @returns fulfilled when nothing is in flight any more. It may be awaited in the loop's body.
   */
  stop(reason?: string): Promise<CrawlStats> {
    return this.#engine.stop(reason);
  }
}

async function* sequence(seeds: AsyncIterator<Seed> | Iterator<Seed>): AsyncGenerator<Seed> {
  while (true) {
    const { done, value } = await seeds.next();
    if (done) return;
    yield value;
  }
}

function checkMs(action: string, name: string, ms: number): void {
  if (Number.isFinite(ms) && ms >= 0) return;
  throw new RangeError(
    `Cannot ${action} as '${name}' must be a finite number of 0 or more: received ${String(ms)}`,
  );
}

function checkedWhat(action: string, what: HostOrTag): HostOrTag {
  const name: unknown = "host" in what ? what.host : what.tag;
  if (typeof name === "string") return what;
  throw new TypeError(`Cannot ${action} as a host or a tag must be named: received ${String(name)}`);
}
