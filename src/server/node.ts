/**
 * What the server needs on Node: a transport that looks at the resolved address before it connects.
 *
 * ```ts
 * import { serve } from "@hono/node-server";
 * import { createApp } from "dragline/server";
 * import { publicTransport } from "dragline/server/node";
 *
 * const app = createApp({ crawl: { transport: publicTransport() } });
 * serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 8080 });
 * ```
 *
 * @module
 */
export { type PublicTransportOptions, publicTransport } from "./public_transport.ts";
