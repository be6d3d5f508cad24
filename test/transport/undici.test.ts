import { createCipheriv } from "node:crypto";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, gzipSync } from "node:zlib";
import { Agent, Dispatcher } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { crawl } from "../../src/crawl.ts";
import {
  Fetcher,
  type HopOutcome,
  type HopRequest,
  type HopResponse,
  type TransportRequest,
} from "../../src/fetcher.ts";
import { type UndiciTransportOptions, undiciTransport } from "../../src/transport/undici.ts";
import { gather, linksTo, paths } from "../support/fake_crawl.ts";
import { type Loopback, loopback } from "../support/loopback.ts";

// Bun has a client of its own in place of the package, and Deno's zlib takes a cut Brotli body for a whole one.
const isNode = !("Bun" in globalThis) && !("Deno" in globalThis);

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function served(handler: RequestListener): Promise<Loopback> {
  const server = await loopback(handler);
  cleanups.push(() => server.close());
  return server;
}

/** A server that answers each request with these octets, and then says no more. */
async function servedOctets(octets: string): Promise<{ origin: string; closed: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      server.emit("released");
    });
    socket.on("data", () => socket.write(Buffer.from(octets, "latin1")));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return {
    origin: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async closed() {
      while (sockets.size > 0) await once(server, "released");
    },
  };
}

interface Sender {
  fetcher: Fetcher;
  hop(url: string, more?: Partial<HopRequest>): Promise<HopOutcome>;
}

function sender(
  options?: UndiciTransportOptions,
  limits: { maxBodyBytes?: number; timeoutMs?: number } = {},
): Sender {
  const { maxBodyBytes = 1_000_000, timeoutMs = 5_000 } = limits;
  const fetcher = new Fetcher({
    transport: undiciTransport(options),
    maxBodyBytes,
    timeoutMs,
    clock: systemClock,
  });
  cleanups.push(() => fetcher.close());
  const hop: Sender["hop"] = (url, more) =>
    fetcher.fetch({ url, headers: new Headers(), wants: () => true, ...more });
  return { fetcher, hop };
}

function textOf(outcome: HopOutcome): string {
  if (outcome.type !== "response") throw new Error(`${outcome.type}: ${JSON.stringify(outcome)}`);
  return new TextDecoder().decode(outcome.body);
}

describe.skipIf(!isNode)("undiciTransport()", () => {
  it.each([1, 4, 32])(
    "opens %i connections where so many requests are in flight, however many follow",
    async (atOnce) => {
      const server = await served((_, response) => void setImmediate(() => response.end("x".repeat(10_000))));
      const { hop } = sender();
      let left = 200;
      const oneByOne = async (): Promise<void> => {
        while (left-- > 0) expect(textOf(await hop(`${server.origin}/`))).toHaveLength(10_000);
      };
      await Promise.all(Array.from({ length: atOnce }, oneByOne));
      expect(server.targets).toHaveLength(200);
      expect(server.connections).toBe(atOnce);
    },
  );

  it("opens no more connections to a host than a crawl has requests in flight to it", async () => {
    const server = await served((_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      setImmediate(() => response.end(linksTo(...paths(60))));
    });
    const options = { delayMs: 0, concurrency: 32, hostConcurrency: 4, transport: undiciTransport() };
    expect(await gather(crawl(server.origin, options))).toHaveLength(61);
    expect(server.connections).toBeLessThanOrEqual(4);
  });

  it("keeps no more idle connections than it may, over all origins", async () => {
    const servers = await Promise.all(
      Array.from({ length: 6 }, () => served((_, response) => void response.end("x"))),
    );
    const { hop } = sender({ maxIdleConnections: 2 });
    for (const { origin } of servers) expect(textOf(await hop(`${origin}/`))).toBe("x");
    while (servers.reduce((open, { openSockets }) => open + openSockets, 0) > 2) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    // Those that were used last.
    expect(servers.map(({ openSockets }) => openSockets)).toEqual([0, 0, 0, 0, 1, 1]);
    for (const { origin } of servers.slice(4)) await hop(`${origin}/`);
    expect(servers.map(({ connections }) => connections)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it("closes its idle connections, leaves those in use, and can be used again", async () => {
    let answer: (() => void) | undefined;
    const server = await served((request, response) => {
      if (request.url === "/later") answer = () => response.end("later");
      else response.end("now");
    });
    const transport = undiciTransport();
    cleanups.push(() => transport.close?.() ?? Promise.resolve());
    const send = async (path: string): Promise<string> => {
      const { signal } = new AbortController();
      const sent: TransportRequest = {
        url: server.origin + path,
        method: "GET",
        headers: new Headers(),
        signal,
      };
      return new TextDecoder().decode(await (await transport.send(sent)).arrayBuffer());
    };
    const later = send("/later");
    await send("/");
    while (answer === undefined) await new Promise((resolve) => setImmediate(resolve));
    expect(server.openSockets).toBe(2);
    await transport.close?.();
    while (server.openSockets > 1) await new Promise((resolve) => setImmediate(resolve));
    answer();
    expect(await later).toBe("later");
    expect(await send("/")).toBe("now");
  });

  it("gives up a connection that does not come about, at the deadline", async () => {
    const silent = await servedOctets("");
    const { hop } = sender({}, { timeoutMs: 100 });
    // The handshake gets no answer.
    expect(await hop(`https://${silent.origin}/`)).toMatchObject({ type: "failure", reason: "timeout" });
    await silent.closed();
  });

  it("sends nothing where the signal is aborted already", async () => {
    const server = await served((_, response) => void response.end());
    const sent = {
      url: server.origin,
      method: "GET",
      headers: new Headers(),
      signal: AbortSignal.abort("enough"),
    };
    await expect(undiciTransport().send(sent)).rejects.toBe("enough");
    expect(server.connections).toBe(0);
  });

  it("sends method, headers and body", async () => {
    const server = await served(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      response.end(`${request.method} ${request.url} ${request.headers["x-a"]} ${Buffer.concat(chunks)}`);
    });
    const headers = new Headers({ "x-a": "b" });
    const { hop } = sender();
    expect(textOf(await hop(`${server.origin}/a?b=c#d`, { method: "POST", headers, body: "é" }))).toBe(
      "POST /a?b=c b é",
    );
  });

  it.each(["file:///etc/passwd", "https://user:secret@a.test/"])("refuses '%s'", async (url) => {
    const sent = { url, method: "GET", headers: new Headers(), signal: new AbortController().signal };
    await expect(undiciTransport().send(sent)).rejects.toThrow(TypeError);
  });
});

describe.skipIf(!isNode)("undiciTransport(), for what comes back,", () => {
  const page = "<p>The line holds.</p>\n".repeat(20_000);
  const codings: readonly [string, Buffer][] = [
    ["gzip", gzipSync(page)],
    ["x-gzip", gzipSync(page)],
    ["GZIP", gzipSync(page)],
    ["br", brotliCompressSync(page)],
    ["deflate", deflateRawSync(page)],
    ["gzip, br", brotliCompressSync(gzipSync(page))],
    ["identity", Buffer.from(page)],
  ];

  it.each(codings)("decodes %s, whole or in pieces, read or streamed", async (coding, coded) => {
    const server = await served((request, response) => {
      response.writeHead(200, { "content-encoding": coding });
      if (request.url === "/whole") return response.end(coded);
      const cut = Math.ceil(coded.byteLength / 3);
      response.write(coded.subarray(0, cut));
      return setImmediate(() => response.end(coded.subarray(cut)));
    });
    const { hop } = sender();
    for (const path of ["/whole", "/pieces"]) {
      expect(textOf(await hop(server.origin + path))).toBe(page);
      const outcome = await hop(server.origin + path, { stream: true });
      if (outcome.type !== "stream") throw new Error(outcome.type);
      expect(await new Response(outcome.body).text()).toBe(page);
    }
  });

  it("decodes as it comes what is long in its coded form too, and takes its cut for one", async () => {
    const noise = createCipheriv("chacha20", Buffer.alloc(32), Buffer.alloc(16)).update(
      Buffer.alloc(200_000),
    );
    const coded = gzipSync(noise);
    expect(coded.byteLength).toBeGreaterThan(100_000);
    const server = await served((request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(request.url === "/cut" ? coded.subarray(0, -20) : coded);
    });
    const { hop } = sender();
    const outcome = await hop(`${server.origin}/`);
    expect(outcome.type === "response" && Buffer.from(outcome.body).equals(noise)).toBe(true);
    expect(await hop(`${server.origin}/cut`)).toMatchObject({ type: "failure", reason: "decode" });
    expect(await hop(`${server.origin}/`, { maxBodyBytes: 199_999 })).toMatchObject({ reason: "too-large" });
  });

  it.each([
    ["gzip", gzipSync(Buffer.alloc(1_000_001))],
    ["br", brotliCompressSync(Buffer.alloc(1_000_001))],
  ])("stops at one decoded byte too many of %s", async (coding, bomb) => {
    const server = await served((_, response) => {
      response.writeHead(200, { "content-encoding": coding }).end(bomb);
    });
    const { hop } = sender();
    expect(await hop(`${server.origin}/`)).toMatchObject({ type: "failure", reason: "too-large" });
    expect(await hop(`${server.origin}/`, { maxBodyBytes: 1_000_001 })).toMatchObject({ type: "response" });
  });

  it("takes no body for one, whatever its coding is said to be", async () => {
    const server = await served((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-length": 0 }).end();
    });
    expect(textOf(await sender().hop(`${server.origin}/`))).toBe("");
  });

  it.each([1, 500, 10_000, 200_000])(
    "keeps little more memory than a body of %i bytes needs",
    async (length) => {
      const server = await served((_, response) => {
        response.setHeader("x-long", "y".repeat(300));
        response.end("x".repeat(length));
      });
      const { hop } = sender();
      for (const part of ["first", "second"]) {
        const outcome = await hop(`${server.origin}/${part}`);
        expect(textOf(outcome)).toBe("x".repeat(length));
        const { body } = outcome as HopResponse;
        expect(body.constructor).toBe(Uint8Array);
        expect(body.buffer.byteLength).toBeLessThanOrEqual(1.25 * length);
      }
    },
  );

  it("holds a body back that is read slowly", async () => {
    let sent = 0;
    const server = await served((_, response) => {
      const chunk = Buffer.alloc(65_536);
      const pour = (): void => {
        while (!response.destroyed && sent < 100_000_000 && response.write(chunk)) sent += chunk.byteLength;
      };
      response.on("drain", pour);
      pour();
    });
    const { hop } = sender({}, { maxBodyBytes: Number.POSITIVE_INFINITY });
    const outcome = await hop(`${server.origin}/`, { stream: true });
    if (outcome.type !== "stream") throw new Error(outcome.type);
    const reader = outcome.body.getReader();
    await reader.read();
    let before = -1;
    while (sent > before) {
      before = sent;
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    // What the sockets on both sides hold.
    expect(sent).toBeLessThan(20_000_000);
    await reader.cancel();
    await server.released();
  });

  it("gives each repeated header, and octets as they came", async () => {
    const head = "HTTP/1.1 302 Found\r\nset-cookie: a=1\r\nset-cookie: b=2\r\nx-twice: a\r\nx-twice: b\r\n";
    const { origin } = await servedOctets(`${head}location: /caf\xc3\xa9\r\ncontent-length: 0\r\n\r\n`);
    const outcome = await sender().hop(`http://${origin}/`);
    expect(outcome).toMatchObject({ type: "redirect", location: "/caf%C3%A9" });
    if (outcome.type !== "redirect") return;
    expect(outcome.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(outcome.headers.get("x-twice")).toBe("a, b");
  });

  it("passes over an interim answer", async () => {
    const hints = "HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n";
    const { origin } = await servedOctets(`${hints}HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n<p>`);
    const outcome = await sender().hop(`http://${origin}/`);
    expect(textOf(outcome)).toBe("<p>");
    expect(outcome.type === "response" && outcome.headers.has("link")).toBe(false);
  });
});

describe.skipIf(!isNode)("undiciTransport(), with a dispatcher of the caller's,", () => {
  it("sends by it and leaves it open", async () => {
    const server = await served((request, response) => {
      if (request.url !== "/never") response.end("by the agent");
    });
    const dispatcher = new Agent({ connections: 1 });
    cleanups.push(() => dispatcher.destroy());
    const { hop, fetcher } = sender({ dispatcher });
    expect(textOf(await hop(`${server.origin}/`))).toBe("by the agent");
    const never = hop(`${server.origin}/never`);
    const waiting = hop(`${server.origin}/waiting`);
    while (server.unanswered === 0) await new Promise((resolve) => setImmediate(resolve));
    fetcher.abortAll("enough");
    expect(await Promise.all([never, waiting])).toEqual(Array(2).fill({ type: "aborted", reason: "enough" }));
    await fetcher.close();
    expect(dispatcher.closed).toBe(false);
    await server.released();
    expect(server.targets).toEqual(["/", "/never"]);
  });
});

describe.skipIf(!isNode)("undiciTransport(), of options that are wrong,", () => {
  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "refuses maxIdleConnections of %d",
    (maxIdleConnections) => {
      expect(() => undiciTransport({ maxIdleConnections })).toThrow(RangeError);
    },
  );

  it("refuses a dispatcher together with options of connections", () => {
    const dispatcher = new Dispatcher();
    expect(() => undiciTransport({ dispatcher, connect: {} })).toThrow(TypeError);
    expect(() => undiciTransport({ dispatcher, maxIdleConnections: 1 })).toThrow(TypeError);
  });
});

describe.runIf("Bun" in globalThis)("undiciTransport(), on Bun,", () => {
  it("says that there is no undici", () => {
    expect(() => undiciTransport()).toThrow("Bun");
  });
});
