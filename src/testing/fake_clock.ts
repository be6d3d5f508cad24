import type { Clock } from "../clock.ts";
import { Heap } from "../heap.ts";

interface Sleeper {
  readonly atMs: number;
  readonly order: number;
  wake: (() => void) | undefined;
}

// A turn of the event loop: the quick way where the runtime has it.
const { setImmediate = (turn: () => void) => setTimeout(turn, 0) } = globalThis as {
  setImmediate?: (turn: () => void) => unknown;
};

// Streams and bodies of some runtimes take a few turns of the event loop where nothing of ours is left to do.
const IDLE_TURNS = 4;

// Every crawl loads them as it begins, which takes more turns than that: what is watched would be over before.
let loading: Promise<unknown> | undefined;

/**
 * A clock that stands still while anything is to be done, and then jumps to the next sleeper: an hour of crawling takes
 * milliseconds. All that waits must wait on it, and nothing on the network.
 *
 * @example
 * ```ts
 * import { crawl } from "dragline";
 * import { FakeClock, fakeWeb } from "dragline/testing";
 *
 * const clock = new FakeClock();
 * const web = fakeWeb({ "https://a.test/": "<a href=/b>b</a>", "https://a.test/b": { status: 404 } }, { clock });
 * for await (const page of crawl("https://a.test/", { clock, fetch: web.fetch })) console.log(page.url, page.status);
 * ```
 */
export class FakeClock implements Clock {
  #nowMs: number;
  readonly #sleepers = new Heap<Sleeper>(
    (a, b) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order),
  );
  #slept = 0;
  #isTurning = false;

  /** `startMs`: milliseconds since the epoch. Default: a day in 2026. */
  constructor(startMs: number = Date.UTC(2026, 10, 30)) {
    this.#nowMs = startMs;
  }

  /** Sleepers that are neither woken nor called off: none once a crawl has ended well. */
  get sleeping(): number {
    let count = 0;
    for (const { wake } of this.#sleepers.values()) if (wake !== undefined) count++;
    return count;
  }

  now(): number {
    return this.#nowMs;
  }

  at(atMs: number, wake: () => void): () => void {
    if (atMs === Number.POSITIVE_INFINITY) return () => {};
    if (Number.isNaN(atMs)) throw new RangeError("Cannot sleep until NaN");
    const sleeper: Sleeper = { atMs, order: ++this.#slept, wake };
    this.#sleepers.push(sleeper);
    this.#turn();
    return () => {
      sleeper.wake = undefined;
    };
  }

  /** Waits on this clock. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(this.#nowMs + ms, resolve));
  }

  #turn(): void {
    if (this.#isTurning) return;
    this.#isTurning = true;
    loading ??= import("../page_readers.ts");
    loading.then(() => this.#idle(IDLE_TURNS));
  }

  #idle(turns: number): void {
    setImmediate(() => {
      if (turns > 1) this.#idle(turns - 1);
      else this.#jump();
    });
  }

  #jump(): void {
    this.#isTurning = false;
    const next = this.#pop();
    if (next === undefined) return;
    this.#nowMs = Math.max(this.#nowMs, next.atMs);
    const { wake } = next;
    next.wake = undefined;
    wake?.();
    if (this.#sleepers.size > 0) this.#turn();
  }

  #pop(): Sleeper | undefined {
    while (true) {
      const sleeper = this.#sleepers.pop();
      if (sleeper === undefined || sleeper.wake !== undefined) return sleeper;
    }
  }
}
