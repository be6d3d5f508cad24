import { type Crawl, crawl } from "../../src/crawl.ts";
import type { CrawlEvent } from "../../src/event.ts";
import type { CrawlOptions } from "../../src/options.ts";
import type { CrawlResult } from "../../src/result.ts";
import type { Seeds } from "../../src/seed_feed.ts";
import { FakeClock } from "../../src/testing/fake_clock.ts";
import { type FakePage, type FakeWeb, type FakeWebOptions, fakeWeb } from "../../src/testing/fake_web.ts";

/** A crawl of a fake web, on a fake clock, without chance. */
export interface FakeCrawl {
  readonly crawl: Crawl<CrawlResult>;
  readonly web: FakeWeb;
  readonly clock: FakeClock;
  /** All that the crawl has told so far. */
  readonly events: readonly CrawlEvent[];
}

/** What a fake crawl is made of, besides the options of any crawl. */
export type FakeCrawlOptions = Omit<CrawlOptions, "fetch" | "clock" | "results"> & {
  /** Default: `https://a.test/`. */
  readonly seeds?: Seeds;
  /** Default: `"all"`. */
  readonly results?: "pages" | "all";
  readonly web?: Omit<FakeWebOptions, "clock">;
};

export const HOME = "https://a.test/";

/** Sets a crawl up; nothing of it starts before it is read. */
export function fakeCrawl(
  pages: Readonly<Record<string, FakePage>>,
  options: FakeCrawlOptions = {},
): FakeCrawl {
  const { seeds = HOME, results = "all", web: webOptions, onEvent, ...rest } = options;
  const clock = new FakeClock();
  const web = fakeWeb(pages, { ...webOptions, clock });
  const events: CrawlEvent[] = [];
  const given: CrawlOptions & { results: "all" } = {
    random: () => 0.5,
    ...rest,
    // Both kinds are read as one here.
    results: results as "all",
    fetch: web.fetch,
    clock,
    onEvent(event) {
      events.push(event);
      onEvent?.(event);
    },
  };
  return { crawl: crawl(seeds, given), web, clock, events };
}

/** Reads a crawl to its end. */
export async function gather(from: ReadableStream<CrawlResult>): Promise<CrawlResult[]> {
  const results: CrawlResult[] = [];
  for await (const result of from) results.push(result);
  return results;
}

/** Results in short: `page /b 200`, `skip /c seen`, `failure /d reset`; URLs of other hosts in full. */
export function told(results: readonly CrawlResult[]): string[] {
  return results.map((result) => {
    const url = result.url.startsWith(HOME) ? result.url.slice(HOME.length - 1) : result.url;
    return `${result.type} ${url} ${result.type === "page" ? result.status : result.reason}`;
  });
}

/** HTML that links to each of these. */
export function linksTo(...hrefs: string[]): string {
  return hrefs.map((href) => `<a href="${href}">${href}</a>`).join("\n");
}

/** `/1` to `/n`. */
export function paths(n: number): string[] {
  return Array.from({ length: n }, (_, i) => `/${i + 1}`);
}

/** Lets all that is ready run, without a step of the fake clock. */
export async function settled(turns = 20): Promise<void> {
  const { setImmediate } = await import("node:timers/promises");
  for (let i = 0; i < turns; i++) await setImmediate();
}
