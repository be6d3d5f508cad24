// A crawl over many invocations of a worker: each goes on from the snapshot that the last one kept, here in a KV
// namespace named CRAWLS. Call it, or let a cron trigger call it, until `finishReason` is "done".
//
//   GET /?url=https://example.com/
import { type CrawlSnapshot, crawl } from "../mod.ts";

interface Env {
  readonly CRAWLS: {
    get(key: string, type: "json"): Promise<unknown>;
    put(key: string, value: string): Promise<unknown>;
  };
  /** How many requests one invocation may send: 45 fit the smallest plan. */
  readonly MAX_REQUESTS?: string;
}

const worker: { fetch(request: Request, env: Env): Promise<Response> } = {
  async fetch({ url }, { CRAWLS, MAX_REQUESTS = "45" }) {
    const seed = new URL(url).searchParams.get("url") ?? "https://example.com/";
    const kept = (await CRAWLS.get(seed, "json")) as { snapshot: CrawlSnapshot; used: number } | null;

    const pages = crawl(seed, {
      concurrency: 6,
      // Budgets are the whole crawl's: what was used before counts.
      maxRequests: (kept?.used ?? 0) + Number(MAX_REQUESTS),
      ...(kept && { resume: kept.snapshot }),
    });
    const titles: Record<string, string | undefined> = {};
    for await (const page of pages) titles[page.url] = page.title;

    const { requests, robotsRequests, finishReason, queued } = pages.stats;
    const snapshot = await pages.snapshot();
    await CRAWLS.put(seed, JSON.stringify({ snapshot, used: requests + robotsRequests }));
    return Response.json({ titles, finishReason, queued });
  },
};

export default worker;
