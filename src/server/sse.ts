import { type Clock, systemClock } from "../clock.ts";
import type { Crawl } from "../crawl.ts";
import type { CrawlResult } from "../result.ts";
import { CrawlFeed } from "./crawl_feed.ts";
import { SseClient, type SseDeadlines } from "./sse_client.ts";

/** Options of {@link sse}. */
export interface SseOptions extends SseDeadlines {
  /** Time. Default: the system's. */
  readonly clock?: Clock;
}

/** The feeds of crawls that are watched; an entry goes with its crawl. */
const FEEDS = new WeakMap<Crawl<CrawlResult>, CrawlFeed>();

/**
 * Keeps what a crawl tells from now on, for those who will ask {@link sse} for it. Without it that begins with the first
 * of them: so call it where the crawl is made, and no page is missing. A second call changes nothing. It takes at most
 * some 3 MB, which go with the crawl.
 *
 * @param options `clock`, as in {@link sse}
 *
 * @example
 * ```ts
 * import { crawl } from "dragline";
 *
 * const pages = crawl("https://example.com/", { maxPages: 100 });
 * watch(pages);
 * export const progress = (request: Request): Response => sse(pages, request);
 * for await (const page of pages) console.log(page.url);
 * ```
 */
export function watch(watched: Crawl<CrawlResult>, options: Pick<SseOptions, "clock"> = {}): void {
  feedOf(watched, options.clock);
}

/** What is kept for those who watch a crawl. */
export function feedOf(watched: Crawl<CrawlResult>, clock: Clock = systemClock): CrawlFeed {
  const known = FEEDS.get(watched);
  if (known !== undefined) return known;
  const feed = new CrawlFeed({ clock, stats: () => watched.stats, firstPace: watched.firstPace });
  watched.observe(feed.onEvent);
  // One that is over already tells nothing more.
  void watched.finished.then((stats) => feed.finish(stats));
  FEEDS.set(watched, feed);
  return feed;
}

/**
 * A crawl's progress as Server-Sent Events, as the answer to one client's request: `stats` and `host` at most four times
 * a second, `page`, `failure`, `skip`, and `finished`. The crawl is read by whoever made it: watching neither starts it
 * nor slows it.
 *
 * Each event has an `id`. A client that comes back with it as `Last-Event-ID` is told what it missed, out of a ring of
 * the newest 10,000 events or 2 MiB; where that is not enough, `reset` comes first and then the present state. A client
 * that is slow gets the newest stats alone, and a `reset` once it lags behind the ring: it costs no memory and holds
 * nobody up. The stream ends with the crawl. A client that was told its end already gets 204, on which browsers connect
 * no more.
 *
 * The client is let go when its request is aborted, when the stream is cancelled, when nothing was taken from it for
 * `idleMs`, and after `maxAgeMs`.
 *
 * Source: HTML standard, server-sent events.
 *
 * @param request gives `Last-Event-ID` and the signal; without it all there is in the ring is told.
 * @example
 * ```ts
 * import { crawl } from "dragline";
 * import { Hono } from "hono";
 *
 * const pages = crawl("https://example.com/");
 * const app = new Hono();
 * app.get("/progress", (c) => sse(pages, c.req.raw));
 * ```
 */
export function sse(watched: Crawl<CrawlResult>, request?: Request, options: SseOptions = {}): Response {
  const { clock = systemClock, ...deadlines } = options;
  const feed = feedOf(watched, clock);
  const lastEventId = lastEventIdOf(request);
  if (feed.isOver && lastEventId === feed.ring.lastId) return new Response(null, { status: 204 });
  const client = new SseClient(feed, { clock, lastEventId, signal: request?.signal, ...deadlines });
  return new Response(client.stream, { headers: SSE_HEADERS });
}

// A proxy that waits for more, or compresses, would hold events back.
const SSE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

/** The number that the client had last; 0 for one that had none, and `NaN` for what no server of ours has sent. */
function lastEventIdOf(request: Request | undefined): number {
  const value = request?.headers.get("last-event-id") ?? "";
  if (value === "") return 0;
  return /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
}
