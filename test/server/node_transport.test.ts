import type { LookupFunction } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crawl } from "../../src/crawl.ts";
import type { Transport, TransportResponse } from "../../src/fetcher.ts";
import type { CrawlResult } from "../../src/result.ts";
import { nodeTransport } from "../../src/server/node_transport.ts";
import { gather } from "../support/fake_crawl.ts";
import { type Loopback, loopback } from "../support/loopback.ts";

// The hook is that of Node's own client.
const isNode = !("Bun" in globalThis) && !("Deno" in globalThis);

/** Resolves every name to this machine. */
const toLoopback: LookupFunction = (_, options, callback) =>
  callback(null, options.all ? [{ address: "127.0.0.1", family: 4 }] : "127.0.0.1", 4);

describe.skipIf(!isNode)("nodeTransport()", () => {
  let site: Loopback;
  let port: string;
  let transport: Transport;
  let sendRest: () => void;
  beforeAll(async () => {
    site = await loopback((request, response) => {
      const head = { "content-type": "text/html; charset=utf-8", "x-twice": ["a", "b"] };
      switch (request.url) {
        case "/gzip":
          response
            .writeHead(200, { ...head, "content-encoding": "gzip" })
            .end(gzipSync("<title>zipped</title>"));
          break;
        case "/br":
          response
            .writeHead(200, { ...head, "content-encoding": "br" })
            .end(brotliCompressSync("<title>brotli</title>"));
          break;
        case "/bad":
          response.writeHead(200, { ...head, "content-encoding": "gzip" }).end("no gzip");
          break;
        case "/cut":
          response.writeHead(200, { ...head, "content-length": "100" }).write("<p>");
          setImmediate(() => response.destroy());
          break;
        case "/none":
          response.writeHead(204).end();
          break;
        case "/moved":
          response.writeHead(302, { location: "/gzip" }).end("moved");
          break;
        case "/never":
          break;
        case "/halves":
          response.writeHead(200, head).write("the first half, ");
          sendRest = () => void response.end("the second");
          break;
        default:
          response.writeHead(200, head).end(`${request.method} ${request.headers["x-asked"] ?? ""}`);
      }
    });
    port = new URL(site.origin).port;
    transport = nodeTransport(toLoopback);
  });
  afterAll(async () => {
    await transport.close?.();
    await site.close();
  });

  async function sent(
    path: string,
    init: { method?: string; body?: string } = {},
  ): Promise<TransportResponse> {
    return transport.send({
      url: `http://site.example:${port}${path}`,
      method: "GET",
      headers: new Headers({ "x-asked": "yes" }),
      signal: new AbortController().signal,
      ...init,
    });
  }

  it("closes idle connections alone: another crawl may be under way by it", async () => {
    const underWay = await sent("/halves");
    await transport.close?.();
    sendRest();
    expect(new TextDecoder().decode(await underWay.arrayBuffer())).toBe("the first half, the second");
  });

  it("sends method, headers and body, and gives status, headers and body", async () => {
    const response = await sent("/echo");
    expect(response.status).toBe(200);
    expect(response.headers.get("x-twice")).toBe("a, b");
    expect(new TextDecoder().decode(await response.arrayBuffer())).toBe("GET yes");
    const posted = await sent("/echo", { method: "POST", body: "x" });
    expect(new TextDecoder().decode(await posted.arrayBuffer())).toBe("POST yes");
  });

  it("gives no body where HTTP has none", async () => {
    expect((await sent("/none")).body).toBeNull();
    expect((await sent("/echo", { method: "HEAD" })).body).toBeNull();
  });

  it("keeps connections for the next request", async () => {
    const before = site.connections;
    for (let i = 0; i < 5; i++) await (await sent("/echo")).arrayBuffer();
    expect(site.connections - before).toBeLessThanOrEqual(1);
  });

  it("gives up when its signal is aborted", async () => {
    const controller = new AbortController();
    const signal = controller.signal;
    const url = `http://site.example:${port}/never`;
    const pending = transport.send({ url, method: "GET", headers: new Headers(), signal });
    controller.abort();
    await expect(pending).rejects.toThrow();
  });

  it("carries a crawl: codings, redirects and faults are told apart", async () => {
    const paths = ["/gzip", "/br", "/bad", "/cut", "/moved"];
    const options = {
      privateAddresses: "allow",
      results: "all",
      retries: { max: 0 },
      delayMs: 0,
      transport,
    } as const;
    const urls = paths.map((path) => `http://site.example:${port}${path}`);
    const results: CrawlResult[] = await gather(crawl(urls, options));
    const told = results.map((result) => [
      new URL(result.url).pathname,
      result.type === "page" ? result.title : result.reason,
    ]);
    expect(told.sort()).toEqual([
      ["/bad", "decode"],
      ["/br", "brotli"],
      ["/cut", "reset"],
      ["/gzip", "zipped"],
      ["/moved", "seen"],
    ]);
  });
});
