/**
 * Crawls over HTTP: a Hono app that starts, shows and stops them, with Server-Sent Events and a live page; and the
 * progress of one crawl, to be mounted in an app of one's own. It needs the package `hono`.
 *
 * ```ts
 * import { createApp } from "dragline/server";
 *
 * export default createApp({ token: "a-long-random-secret" });
 * ```
 *
 * @module
 */
export { createApp } from "./app.ts";
export type { CrawlLimits } from "./crawl_limits.ts";
export type { ServedCrawlOptions, ServerOptions } from "./server_options.ts";
export { type SseOptions, sse, watch } from "./sse.ts";
export type { SseDeadlines } from "./sse_client.ts";
