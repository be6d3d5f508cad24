import { describe, expect, test } from "vitest";
import { Progress } from "../../src/cli/progress.ts";
import type { Clock } from "../../src/clock.ts";
import type { Page } from "../../src/page.ts";
import { RecordedOutput } from "./recorded_output.ts";
import { statsWith } from "./stats.ts";

/** A clock on which time passes by hand. */
class HandClock implements Clock {
  #nowMs = 0;
  readonly #sleepers = new Map<() => void, number>();
  onMove: () => void = () => {};

  now(): number {
    return this.#nowMs;
  }

  at(atMs: number, wake: () => void): () => void {
    this.#sleepers.set(wake, atMs);
    return () => this.#sleepers.delete(wake);
  }

  get sleepers(): number {
    return this.#sleepers.size;
  }

  /** Goes to an instant and wakes who waited for it, once. */
  goTo(nowMs: number): void {
    this.#nowMs = nowMs;
    this.onMove();
    for (const [wake, atMs] of [...this.#sleepers]) {
      if (atMs > nowMs || !this.#sleepers.delete(wake)) continue;
      wake();
    }
  }
}

/** A crawl with ten pages a second. */
function progressOn(output: RecordedOutput): { clock: HandClock; progress: Progress } {
  const clock = new HandClock();
  let told = 0;
  const stats = () => statsWith({ pages: clock.now() / 100 });
  const progress = new Progress({ output, clock, stats, budgets: {} });
  clock.onMove = () => {
    while (told++ < clock.now() / 100) progress.observe({ type: "page", atMs: 0, page: {} as Page });
    told--;
  };
  return { clock, progress };
}

describe("Progress", () => {
  test("writes a plain line every five seconds where there is no terminal", () => {
    const output = new RecordedOutput();
    const { clock, progress } = progressOn(output);
    progress.start();
    for (let second = 1; second <= 10; second++) clock.goTo(second * 1000);
    progress.end();
    expect(output.text).toBe(
      "progress: 50 pages, 10/s, 0 queued, 0 in flight, 0 failures, 0 B\n" +
        "progress: 100 pages, 10/s, 0 queued, 0 in flight, 0 failures, 0 B\n",
    );
  });

  test("draws a block anew on a terminal, narrower than it, and takes it away at the end", () => {
    const output = new RecordedOutput({ isTerminal: true, columns: 20 });
    const { clock, progress } = progressOn(output);
    progress.start();
    clock.goTo(200);
    expect(output.screen).toEqual(["2 pages", "10/s · 0 queued · 0"]);
    clock.goTo(400);
    expect(output.screen).toEqual(["4 pages", "10/s · 0 queued · 0"]);
    progress.end();
    expect(output.screen).toEqual([""]);
  });

  test("prints what comes between above the live block", async () => {
    const output = new RecordedOutput({ isTerminal: true });
    const { clock, progress } = progressOn(output);
    progress.start();
    clock.goTo(200);
    await progress.above(() => output.write("a page\n"));
    expect(output.screen.slice(0, 2)).toEqual(["a page", "2 pages"]);
    progress.end();
    expect(output.screen).toEqual(["a page", ""]);
  });

  test("takes all of a block away whose lines wrapped when the terminal became narrower", () => {
    const output = new RecordedOutput({ isTerminal: true, columns: 80 });
    const { clock, progress } = progressOn(output);
    progress.start();
    clock.goTo(200);
    output.columns = 20;
    output.text = "";
    progress.end();
    // "2 pages" is one row still, "10/s · 0 queued · 0 in flight · 0 failures · 0 B" has become three.
    expect(output.text).toBe("\r\x1b[3A\x1b[J");
  });

  test("leaves no timer behind", () => {
    const { clock, progress } = progressOn(new RecordedOutput());
    progress.start();
    clock.goTo(5000);
    expect(clock.sleepers).toBe(1);
    progress.end();
    expect(clock.sleepers).toBe(0);
  });
});
