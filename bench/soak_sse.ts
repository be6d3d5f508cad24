/**
 * A hundred clients on one crawl for a minute, some of which take nothing, and some of which come and go: what the
 * server's memory does meanwhile, and that nobody is left at the end. The clients are a process of their own.
 *
 *     npx tsx --expose-gc bench/soak_sse.ts [seconds] [clients]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import { createApp } from "../src/server/mod.ts";

const [, , secondsText = "60", clientsText = "100", url] = process.argv;
const seconds = Number(secondsText);
const clients = Number(clientsText);
const PRINT_EVERY_MS = 5000;

/** A site without an end, in memory: of the ten links of a page one is new, so that the queue stays as it is. */
function answer(asked: string): Response {
  if (asked.endsWith("/robots.txt")) return new Response("", { status: 404 });
  const n = Number(/(\d+)$/.exec(asked)?.[1] ?? 0);
  const links = Array.from({ length: 10 }, (_, i) => `<a href="/${Math.max(0, n + 1 - i)}">${i}</a>`).join(
    "",
  );
  return new Response(`<title>Page ${n}</title>${links}`, { headers: { "content-type": "text/html" } });
}

/** Connects as one of every kind of client: nine of ten read, one takes nothing; every third reader comes and goes. */
async function client(number: number, address: string): Promise<number> {
  let events = 0;
  const endMs = performance.now() + seconds * 1000;
  while (performance.now() < endMs) {
    const request: ClientRequest = get(address);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    if (number % 10 !== 0)
      response.on("data", (piece: Buffer) => (events += piece.toString("latin1").split("\n\n").length - 1));
    const staysMs = number % 3 === 1 ? 2000 : endMs - performance.now();
    await Promise.race([wait(Math.max(0, staysMs)), once(response, "close")]);
    request.destroy();
  }
  return events;
}

if (url === undefined) await runServer();
else {
  const counts = await Promise.all(Array.from({ length: clients }, (_, number) => client(number, url)));
  console.log(`clients took ${counts.reduce((sum, count) => sum + count, 0)} events`);
}

async function runServer(): Promise<void> {
  const unlimited = Number.POSITIVE_INFINITY;
  const app = createApp({
    limits: { minDelayMs: 0, maxPages: unlimited, maxRequests: unlimited, maxDepth: unlimited },
    // Some thirty pages a second.
    crawl: { fetch: async (asked) => answer(String(asked)), delayMs: 30, traps: false },
  });
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const body = JSON.stringify({ seeds: "https://soak.example/0" });
  const headers = { "content-type": "application/json" };
  const { id } = (await (await fetch(`${origin}/crawls`, { method: "POST", headers, body })).json()) as {
    id: string;
  };
  const crawlUrl = `${origin}/crawls/${id}`;
  const script = fileURLToPath(import.meta.url);
  const load = spawn(
    process.execPath,
    ["--import", "tsx", script, secondsText, clientsText, `${crawlUrl}/events`],
    {
      stdio: "inherit",
    },
  );
  const loadEnded = once(load, "exit");
  console.log("seconds  watchers  pages  heap MB  RSS MB");
  for (let second = 0; second <= seconds; second += PRINT_EVERY_MS / 1000) {
    await printMemory(second, crawlUrl);
    if (second < seconds) await wait(PRINT_EVERY_MS);
  }
  await loadEnded;
  let watchers = Number.NaN;
  for (let tries = 0; tries < 50 && watchers !== 0; tries++) {
    await wait(100);
    ({ watchers } = (await (await fetch(crawlUrl)).json()) as { watchers: number });
  }
  console.log(`${watchers} watchers are left`);
  process.exit(watchers === 0 ? 0 : 1);
}

async function printMemory(second: number, crawlUrl: string): Promise<void> {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const shown = (await (await fetch(crawlUrl)).json()) as { watchers: number; stats: { pages: number } };
  const megabytes = [heapUsed, rss].map((bytes) => (bytes / 1e6).toFixed(1).padStart(7));
  console.log(
    [
      String(second).padStart(7),
      String(shown.watchers).padStart(9),
      String(shown.stats.pages).padStart(7),
      ...megabytes,
    ].join(" "),
  );
}
