import { describe, expect, test } from "vitest";
import { crawl } from "../src/crawl.ts";
import { FakeClock } from "../src/testing/fake_clock.ts";
import { fakeWeb } from "../src/testing/fake_web.ts";

const HOSTS = 300;
const REST_MS = 1_800_000;
const SEEDS = Array.from({ length: HOSTS }, (_, n) => `https://h${n}.test/`);

/** A clock that notes when it wakes anybody. */
class WatchedClock extends FakeClock {
  readonly wakesMs: number[] = [];

  override at(atMs: number, wake: () => void): () => void {
    return super.at(atMs, () => {
      this.wakesMs.push(this.now());
      wake();
    });
  }

  wakesBetween(fromMs: number, toMs: number): number {
    return this.wakesMs.filter((atMs) => atMs > fromMs && atMs < toMs).length;
  }
}

describe("crawl() while all of its hosts rest", () => {
  test("wakes for nothing until the first of them has asked to be asked again", async () => {
    const clock = new WatchedClock();
    const { fetch } = fakeWeb(
      {},
      { clock, otherwise: (n) => (n === 1 ? { status: 429, retryAfter: REST_MS / 1_000 } : "there") },
    );
    const pausedMs: number[] = [];
    const pages = crawl(SEEDS, {
      clock,
      fetch,
      robots: false,
      concurrency: 100,
      onEvent: ({ type }) => {
        if (type === "paced") pausedMs.push(clock.now());
      },
    });
    let count = 0;
    for await (const page of pages) if (page.ok) count++;
    expect(count).toBe(HOSTS);
    const [firstMs, lastMs] = [pausedMs[0]!, pausedMs[HOSTS - 1]!];
    expect(firstMs + REST_MS - lastMs).toBeGreaterThan(REST_MS / 2);
    expect(clock.wakesBetween(lastMs, firstMs + REST_MS)).toBe(0);
  });

  test("wakes for nothing until the caller's hold is over", async () => {
    const clock = new WatchedClock();
    const { fetch } = fakeWeb({}, { clock, otherwise: "there" });
    const pages = crawl(SEEDS, { clock, fetch, robots: false, concurrency: 100 });
    const startMs = clock.now();
    for (const seed of SEEDS) pages.hold({ host: new URL(seed).host }, REST_MS);
    let count = 0;
    for await (const page of pages) if (page.ok) count++;
    expect(count).toBe(HOSTS);
    expect(clock.wakesMs.length).toBeGreaterThanOrEqual(HOSTS);
    expect(clock.wakesBetween(startMs, startMs + REST_MS)).toBe(0);
  });
});
