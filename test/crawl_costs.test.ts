import { afterEach, describe, expect, test, vi } from "vitest";
import type { Clock } from "../src/clock.ts";
import { crawl } from "../src/crawl.ts";
import type { Transport } from "../src/fetcher.ts";
import type { CrawlOptions } from "../src/options.ts";
import { settled } from "./support/fake_crawl.ts";

const encoder = new TextEncoder();

/** A site in memory without a clock: each page leads to the next one, and all of them home. */
function chainOf(pages: number): Transport {
  return {
    async send({ url }) {
      const { pathname } = new URL(url);
      const n = Number(pathname.slice(1));
      const next = n + 1 < pages ? `<a href=/${n + 1}>on</a>` : "";
      const home = `<a href=/>home</a><a href="/./#top of it">up</a><a href="#a">here</a>`;
      const body = pathname === "/robots.txt" ? "" : `<title>${n}</title>${home}${next}`;
      const bytes = encoder.encode(body);
      return {
        status: 200,
        headers: new Headers({ "content-type": "text/html", "content-length": `${bytes.length}` }),
        body: null,
        arrayBuffer: async () => bytes.buffer,
      };
    },
  };
}

/** Time that goes by with each reading: a timer never fires, and is counted. */
class CountedClock implements Clock {
  set = 0;
  cancelled = 0;
  #nowMs = 1_000_000;

  now(): number {
    this.#nowMs += 0.001;
    return this.#nowMs;
  }

  at(): () => void {
    this.set++;
    return () => {
      this.cancelled++;
    };
  }
}

/** Crawls the chain to its end; `onFirst` is called with the first page in hand. */
async function crawlChain(
  pages: number,
  options: CrawlOptions = {},
  onFirst = (): void => {},
): Promise<void> {
  let count = 0;
  const site = { transport: chainOf(pages), delayMs: 0, hostConcurrency: 4, clock: new CountedClock() };
  for await (const page of crawl("https://a.test/", { ...site, ...options })) {
    if (page.ok && ++count === 1) onFirst();
  }
  expect(count).toBe(pages);
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("crawl() and what a page costs", () => {
  test("sets one timer a request, its deadline, and leaves none behind", async () => {
    const clocks: CountedClock[] = [];
    for (const pages of [100, 300]) {
      const clock = new CountedClock();
      await crawlChain(pages, { clock });
      expect(clock.cancelled).toBe(clock.set);
      clocks.push(clock);
    }
    expect(clocks[1]!.set - clocks[0]!.set).toBe(200);
  });

  test("fills a host's places in one breath, where no gap is asked for", async () => {
    const home = encoder.encode(Array.from({ length: 20 }, (_, n) => `<a href=/${n}>`).join(""));
    const hanging: string[] = [];
    const transport: Transport = {
      async send({ url, signal }) {
        const headers = new Headers({ "content-type": "text/html", "content-length": `${home.length}` });
        if (url === "https://a.test/")
          return { status: 200, headers, body: null, arrayBuffer: async () => home.buffer };
        hanging.push(url);
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    };
    const pace = { delayMs: 0, hostConcurrency: 8, robots: false, clock: new CountedClock() };
    const running = crawl("https://a.test/", { ...pace, transport });
    const reader = running.getReader();
    await reader.read();
    const next = reader.read();
    await settled();
    expect(hanging.length).toBe(8);
    await reader.cancel();
    await next;
  });

  test("adds one listener to the caller's signal, whatever the number of pages, and none to those of requests", async () => {
    const add = vi.spyOn(AbortSignal.prototype, "addEventListener");
    const remove = vi.spyOn(AbortSignal.prototype, "removeEventListener");
    await crawlChain(100, { robots: false, signal: new AbortController().signal });
    expect([add.mock.calls.length, remove.mock.calls.length]).toEqual([1, 1]);
  });

  test("parses a link that many pages have once", async () => {
    let parsed = 0;
    class CountedUrl extends URL {
      constructor(url: string | URL, base?: string | URL) {
        super(url, base);
        if (String(url).startsWith("/./")) parsed++;
      }
    }
    vi.stubGlobal("URL", CountedUrl);
    await crawlChain(50);
    expect(parsed).toBe(1);
  });

  test("keeps nothing in a Map or Set that grows with the pages done", async () => {
    const sizes: number[] = [];
    for (const pages of [100, 400]) {
      const held = watchCollections();
      let early: readonly { readonly size: number }[] = [];
      // What is made later is a page's own, and goes with it.
      await crawlChain(pages, {}, () => {
        early = held.splice(0);
      });
      vi.unstubAllGlobals();
      expect(early.length).toBeGreaterThan(10);
      sizes.push(early.reduce((sum, { size }) => sum + size, 0));
    }
    expect(sizes[1]).toBe(sizes[0]);
  });
});

/** Every Map and Set that is made from now on. */
function watchCollections(): { readonly size: number }[] {
  const made: { readonly size: number }[] = [];
  const watched = (base: MapConstructor | SetConstructor): unknown =>
    new Proxy(base, {
      construct(target, args, newTarget) {
        const collection = Reflect.construct(target, args, newTarget) as { readonly size: number };
        made.push(collection);
        return collection;
      },
    });
  vi.stubGlobal("Map", watched(Map));
  vi.stubGlobal("Set", watched(Set));
  return made;
}
