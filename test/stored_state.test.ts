import { describe, expect, it } from "vitest";
import { crawl } from "../src/crawl.ts";
import { MemoryFrontier, memory } from "../src/frontier/memory.ts";
import type { JsonValue } from "../src/request.ts";
import { FakeClock } from "../src/testing/fake_clock.ts";
import { fakeWeb } from "../src/testing/fake_web.ts";

const HOME = "https://a.test/";
const SITE = {
  [HOME]: '<a href="https://b.test/1">b</a><a href="/2">2</a>',
  [`${HOME}2`]: '<a href="/3">3</a>',
  [`${HOME}3`]: "three",
  "https://b.test/": "b",
  "https://b.test/1": "b1",
};

/** A store that outlives its crawl, as one in a file does. */
class KeptFrontier extends MemoryFrontier {
  state: JsonValue | undefined;

  saveState(state: JsonValue): void {
    this.state = JSON.parse(JSON.stringify(state)) as JsonValue;
  }

  loadState(): JsonValue | undefined {
    return this.state;
  }
}

describe("a frontier that keeps the crawl's state", () => {
  it("carries scope, counts and budgets into the crawl that goes on with it", async () => {
    const clock = new FakeClock();
    const { fetch } = fakeWeb(SITE, { clock });
    const frontier = new KeptFrontier();
    const first = crawl([HOME, "https://b.test/"], { fetch, clock, frontier, concurrency: 1, maxPages: 1 });
    const urls: string[] = [];
    for await (const { url } of first) urls.push(url);
    // Without its seeds, it still knows that b.test belongs.
    const second = crawl([], { fetch, clock, frontier, maxPages: 4 });
    for await (const { url } of second) urls.push(url);
    expect(urls).toHaveLength(4);
    expect(urls).toContain("https://b.test/");
    expect(second.stats).toMatchObject({ pages: 4, finishReason: "max-pages" });
    expect(second.stats.skipsByReason.scope).toBeUndefined();
  });

  it("saves at the end and each second, and not for every page", async () => {
    const clock = new FakeClock();
    const { fetch } = fakeWeb(SITE, { clock });
    const frontier = new KeptFrontier();
    let saved = 0;
    frontier.saveState = () => {
      saved++;
    };
    const running = crawl(HOME, { fetch, clock, frontier, delayMs: 0 });
    for await (const _ of running);
    expect(saved).toBe(2);
  });

  it.each([{ version: 99 }, "no state", { version: 1 }])("begins anew where %o is kept", async (state) => {
    const clock = new FakeClock();
    const { fetch } = fakeWeb(SITE, { clock });
    const frontier = new KeptFrontier();
    frontier.state = state;
    const running = crawl(HOME, { fetch, clock, frontier });
    for await (const _ of running);
    expect(running.stats.pages).toBe(3);
  });
});

describe("memory() with maxQueuedPerHost", () => {
  it("leaves out what finds its host's queue full, counts it, and takes it when it is found again", async () => {
    const clock = new FakeClock();
    const links = Array.from({ length: 10 }, (_, n) => `<a href="/p${n}">x</a>`).join("");
    const { fetch } = fakeWeb({ [HOME]: links }, { clock, otherwise: links });
    const frontier = memory({ maxQueuedPerHost: 4 });
    const running = crawl(HOME, { fetch, clock, frontier, robots: false });
    const urls = new Set<string>();
    for await (const { url } of running) urls.add(url);
    expect(urls.size).toBe(11);
    expect(running.stats.overflowed).toBeGreaterThanOrEqual(6);
    expect(running.stats.accepted).toBe(11);
  });

  it("refuses a bound that lets nothing in", () => {
    expect(() => memory({ maxQueuedPerHost: 0 })).toThrow(
      "'maxQueuedPerHost' must be at least 1: received 0",
    );
  });
});
