import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { afterEach, describe, expect, it } from "vitest";
import { createApp } from "../../src/server/app.ts";
import type { ServerOptions } from "../../src/server/server_options.ts";
import { EventStreamReader } from "./event_stream.ts";
import { submitted } from "./fake_server.ts";
import { type RuntimeServer, serveOnRuntime } from "./runtime_server.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The app on the runtime's own server, with a crawl that waits for a reader: nothing happens, whoever watches. */
async function waiting(wrap: (app: Hono) => Hono = (app) => app, options: ServerOptions = {}) {
  const answer = async (url: unknown): Promise<Response> =>
    new Response(`<title>A</title>`, {
      status: String(url).endsWith("/robots.txt") ? 404 : 200,
      headers: { "content-type": "text/html" },
    });
  const app = wrap(createApp({ ...options, crawl: { fetch: answer } }));
  const server: RuntimeServer = await serveOnRuntime((request) => app.fetch(request));
  closing.push(() => server.close());
  const body = { seeds: "https://a.test/", start: "read" };
  const { id } = (await (await fetch(`${server.origin}/crawls`, submitted(body))).json()) as { id: string };
  return { ...server, url: `${server.origin}/crawls/${id}` };
}

async function watchersOf(url: string): Promise<number> {
  return ((await (await fetch(url)).json()) as { watchers: number }).watchers;
}

/** Opens a stream of events, reads the first, and tears the connection down. */
async function readOneAndGo(port: number, path: string): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("utf8");
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n`);
  let text = "";
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("data", (piece: string) => {
      text += piece;
      if (text.includes("event: stats")) resolve();
    });
  });
  const closed = once(socket, "close");
  socket.destroy();
  await closed;
}

/** A proxy that holds an answer back until its end unless it is told not to, as nginx does by default. */
async function bufferingProxy(port: number): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const onward = httpRequest({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
      const streams = answer.headers["x-accel-buffering"] === "no";
      const pieces: Buffer[] = [];
      if (streams) {
        outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
        outgoing.flushHeaders();
      }
      answer.on("data", (piece: Buffer) => (streams ? outgoing.write(piece) : pieces.push(piece)));
      answer.on("end", () => {
        if (!streams) outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
        outgoing.end(streams ? undefined : Buffer.concat(pieces));
      });
    });
    outgoing.on("close", () => onward.destroy());
    onward.on("error", () => outgoing.destroy());
    onward.end();
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  closing.push(async () => {
    const closed = once(proxy, "close");
    proxy.close();
    proxy.closeAllConnections();
    await closed;
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

describe("sse() on the runtime's own server", () => {
  it("notices that a client has gone, a hundred times", async () => {
    // Where a runtime tells of a closed connection only when it is written to, the heartbeat is what writes.
    const { url, port } = await waiting(undefined, { heartbeatMs: 200 });
    for (let i = 0; i < 100; i++) await readOneAndGo(port, `${new URL(url).pathname}/events`);
    while ((await watchersOf(url)) > 0);
    expect(await watchersOf(url)).toBe(0);
  });

  it("notices that fetch was aborted", async () => {
    const { url } = await waiting(undefined, { heartbeatMs: 200 });
    const controller = new AbortController();
    const reader = new EventStreamReader(await fetch(`${url}/events`, { signal: controller.signal }));
    await reader.until(({ event }) => event === "stats");
    expect(await watchersOf(url)).toBe(1);
    controller.abort();
    while ((await watchersOf(url)) > 0);
  });

  it("arrives at once behind Hono's compress", async () => {
    const { url } = await waiting((app) => new Hono().use(compress({ threshold: 0 })).route("/", app));
    const compressed = await fetch(url, { headers: { "accept-encoding": "gzip" } });
    expect(compressed.headers.get("content-encoding")).toBe("gzip");
    await compressed.text();
    const response = await fetch(`${url}/events`, { headers: { "accept-encoding": "gzip" } });
    expect(response.headers.has("content-encoding")).toBe(false);
    const reader = new EventStreamReader(response);
    await reader.until(({ event }) => event === "stats");
    await reader.cancel();
  });

  it("arrives at once behind a proxy that buffers", async () => {
    const held = (app: Hono): Hono =>
      new Hono()
        .get(
          "/held",
          () => new Response(new ReadableStream({ start: (c) => c.enqueue(new TextEncoder().encode("x")) })),
        )
        .route("/", app);
    const { url, port } = await waiting(held);
    const proxy = await bufferingProxy(port);
    const controller = new AbortController();
    let isHeld = true;
    // What says nothing of buffering stays in the proxy for as long as it has no end.
    const plain = fetch(`${proxy}/held`, { signal: controller.signal }).then(
      () => {
        isHeld = false;
      },
      () => {},
    );
    const reader = new EventStreamReader(await fetch(`${proxy}${new URL(url).pathname}/events`));
    await reader.until(({ event }) => event === "stats");
    // The crawl begins now: what it tells arrives while the stream is open.
    const results = await (await fetch(`${url}/pages`)).text();
    expect(results.trim().split("\n")).toHaveLength(1);
    await reader.until(({ event }) => event === "page");
    await reader.until(({ event }) => event === "finished");
    expect(isHeld).toBe(true);
    controller.abort();
    await plain;
    await reader.cancel();
  });

  it("slows no client by another that takes nothing", async () => {
    const { url, port } = await waiting();
    const stuck = connect(port, "127.0.0.1");
    stuck.pause();
    stuck.write(`GET ${new URL(url).pathname}/events HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    while ((await watchersOf(url)) < 1);
    const reader = new EventStreamReader(await fetch(`${url}/events`));
    await (await fetch(`${url}/pages`)).text();
    await reader.until(({ event }) => event === "finished");
    stuck.destroy();
  });
});
