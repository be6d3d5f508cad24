import { crawl } from "dragline";
import { toCsvFile, toFiles } from "dragline/files";
import { redis } from "dragline/redis";
import { createApp, sse } from "dragline/server";
import { publicTransport } from "dragline/server/node";
import { sqlite } from "dragline/sqlite";
import { FakeClock, fakeWeb } from "dragline/testing";
import { describeFrontier } from "dragline/testing/frontier";
import { undiciTransport } from "dragline/undici";
import { toWarc } from "dragline/warc";
import { Hono } from "hono";
import { Redis } from "ioredis";
import { createClient } from "redis";

const seed = "https://example.com/";
const clock = new FakeClock();
const { fetch } = fakeWeb({ [seed]: { body: "<p>", afterMs: 5 } }, { clock });
await crawl(seed, { clock, fetch }).pipeTo(toFiles("pages", { offline: true }));
await crawl(seed, { results: "all" }).pipeTo(toCsvFile("pages.csv"));
await crawl(seed, { frontier: sqlite("state.db", { maxBytes: 1e9 }) }).pipeTo(toWarc("pages.warc.gz"));
for (const client of [new Redis(), createClient()])
  crawl(seed, { frontier: redis(client, { crawlId: "c" }) });

await crawl(seed, { transport: undiciTransport({ maxIdleConnections: 16 }) }).cancel();
const watched = crawl(seed, { transport: publicTransport() });
const app = new Hono().get("/progress", (context) => sse(watched, context.req.raw));
app.route("/crawls", createApp({ maxCrawls: 2, crawl: { userAgent: "A/1.0" } }));
describeFrontier("sqlite()", () => sqlite(":memory:"));
