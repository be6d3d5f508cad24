// Inside a worker's fetch handler: a crawl that keeps to the budget of one invocation, answered as JSON.
// A worker may send 50 requests and wait for six at a time on the smallest plan; robots.txt counts, too.
//
//   GET /?url=https://example.com/
import { crawl } from "../mod.ts";

const worker: { fetch(request: Request): Promise<Response> } = {
  async fetch(request) {
    const seed = new URL(request.url).searchParams.get("url") ?? "https://example.com/";
    if (!URL.canParse(seed)) return Response.json({ error: `not a URL: ${seed}` }, { status: 400 });

    const results = crawl(seed, {
      concurrency: 6,
      maxRequests: 45,
      maxDurationMs: 20_000,
      signal: request.signal,
    });
    const pages: { url: string; status: number; title: string | undefined }[] = [];
    for await (const { url, status, title } of results) pages.push({ url, status, title });

    const { finishReason, queued } = results.stats;
    return Response.json({ pages, finishReason, queued });
  },
};

export default worker;
