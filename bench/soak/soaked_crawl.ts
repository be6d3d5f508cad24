import { setTimeout as wait } from "node:timers/promises";
import { type Crawl, crawl } from "../../src/crawl.ts";
import type { CrawlOptions } from "../../src/options.ts";
import type { CrawlResult } from "../../src/result.ts";
import type { CrawlSnapshot } from "../../src/snapshot.ts";
import type { CrawlStats } from "../../src/stats.ts";
import type { CrawlPlan } from "./plan.ts";
import { Watch } from "./watch.ts";

const SLOW_READER_MS = 15;

/** A crawl that is over: what it did, and what it broke. */
export interface SoakedCrawl {
  readonly stats: CrawlStats;
  readonly complaints: readonly string[];
}

/** Runs one crawl of a soak and brings it to its end as planned. */
export async function soakedCrawl(
  plan: CrawlPlan,
  seeds: readonly string[],
  more: Pick<CrawlOptions, "transport">,
): Promise<SoakedCrawl> {
  const watch = new Watch(plan);
  const options = {
    ...plan.options,
    ...more,
    results: "all" as const,
    onEvent: watch.onEvent.bind(watch),
  };
  const stats = await ENDINGS[plan.ending]({ plan, seeds, options, watch });
  if (stats.inFlight !== 0)
    return { stats, complaints: [...watch.complaints, "requests in flight after the end"] };
  return { stats, complaints: watch.complaints };
}

interface Setting {
  readonly plan: CrawlPlan;
  readonly seeds: readonly string[];
  readonly options: CrawlOptions & { results: "all" };
  readonly watch: Watch;
}

/** Reads to the end, and does something after each result. */
async function readOut(
  pages: Crawl<CrawlResult>,
  watch: Watch,
  afterEach?: (read: number) => Promise<unknown> | undefined,
): Promise<CrawlStats> {
  let read = 0;
  for await (const result of pages) {
    watch.onResult(result);
    await touch(result);
    await afterEach?.(++read);
  }
  return pages.finished;
}

/** Reads what a user would read of a page. */
async function touch(result: CrawlResult): Promise<void> {
  if (result.type !== "page") return;
  void [result.text, result.title, result.links, result.directives, result.canonical, result.simhash];
  if (result.contentType === "text/html" && result.body.byteLength < 5_000) await result.document();
}

const ENDINGS: Readonly<Record<CrawlPlan["ending"], (setting: Setting) => Promise<CrawlStats>>> = {
  async "read out"({ seeds, options, watch }) {
    const stats = await readOut(crawl(seeds, options), watch);
    watch.checkCounts(stats);
    return stats;
  },
  async "read slowly"({ seeds, options, watch }) {
    const stats = await readOut(crawl(seeds, options), watch, () => wait(SLOW_READER_MS));
    watch.checkCounts(stats);
    return stats;
  },
  async break({ plan, seeds, options, watch }) {
    const pages = crawl(seeds, options);
    let read = 0;
    for await (const result of pages) {
      watch.onResult(result);
      if (++read > plan.afterResults) break;
    }
    return pages.finished;
  },
  async abort({ plan, seeds, options, watch }) {
    const controller = new AbortController();
    const enough = new Error("enough");
    const pages = crawl(seeds, { ...options, signal: controller.signal });
    const abort = async (read: number): Promise<void> => {
      if (read === plan.afterResults) controller.abort(enough);
    };
    await readOut(pages, watch, abort).catch((error: unknown) => {
      if (error !== enough) throw error;
    });
    return pages.finished;
  },
  async cancel({ plan, seeds, options }) {
    const pages = crawl(seeds, options);
    const reader = pages.getReader();
    const pending = reader.read();
    await wait(plan.afterResults * 10);
    await reader.cancel();
    await pending;
    return pages.finished;
  },
  async "stop and go on"({ plan, seeds, options, watch }) {
    const stopped = crawl(seeds, options);
    const stop = async (read: number): Promise<unknown> =>
      read === plan.afterResults ? stopped.stop("enough") : undefined;
    await readOut(stopped, watch, stop);
    const snapshot = JSON.parse(JSON.stringify(await stopped.snapshot())) as CrawlSnapshot;
    watch.goOn();
    const stats = await readOut(crawl(seeds, { ...options, resume: snapshot }), watch);
    watch.checkCounts(stats);
    return stats;
  },
  async "deny private addresses"({ seeds, options, watch }) {
    const stats = await readOut(crawl(seeds, { ...options, privateAddresses: "deny" }), watch);
    if (stats.requests + stats.robotsRequests > 0)
      throw new Error("asked a private address, which was denied");
    return stats;
  },
};
