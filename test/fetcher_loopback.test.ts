import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../src/clock.ts";
import { Fetcher, type HopOutcome, type HopRequest, type Transport } from "../src/fetcher.ts";
import { type Loopback, loopback } from "./support/loopback.ts";
import { TRANSPORTS } from "./support/transports.ts";

let makeTransport: () => Transport;
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Site {
  server: Loopback;
  fetcher: Fetcher;
  fetch(path: string, more?: Partial<HopRequest>): Promise<HopOutcome>;
}

async function site(handler: RequestListener, maxBodyBytes = 1_000_000): Promise<Site> {
  const server = await loopback(handler);
  const fetcher = new Fetcher({
    transport: makeTransport(),
    timeoutMs: 5000,
    maxBodyBytes,
    clock: systemClock,
  });
  cleanups.push(
    () => server.close(),
    () => fetcher.close(),
  );
  const fetch: Site["fetch"] = (path, more) =>
    fetcher.fetch({ url: server.origin + path, headers: new Headers(), wants: () => true, ...more });
  return { server, fetcher, fetch };
}

function textOf(outcome: HopOutcome): string {
  if (outcome.type !== "response") throw new Error(JSON.stringify(outcome));
  return new TextDecoder().decode(outcome.body);
}

describe.each(TRANSPORTS)("Fetcher.fetch() by $name, on a proper server,", ({ make }) => {
  beforeAll(() => {
    makeTransport = make;
  });

  it("keeps its connection, also over redirects and pages that nobody wants", async () => {
    const { server, fetch } = await site((request, response) => {
      if (request.url === "/302") response.writeHead(302, { location: "/", "content-length": 200 });
      else response.writeHead(200, { "content-length": 200 });
      response.flushHeaders();
      // The body in a packet of its own: a connection that was cancelled before it is lost.
      setTimeout(() => response.end("x".repeat(200)), 5);
    });
    for (let round = 0; round < 5; round++) {
      expect(textOf(await fetch("/"))).toHaveLength(200);
      expect((await fetch("/302")).type).toBe("redirect");
      expect((await fetch("/", { wants: () => false })).type).toBe("unwanted");
    }
    expect(server.targets).toHaveLength(15);
    // undici may take a second one where a request follows hard upon an answer's end.
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  it("sends the headers that it is given, as they are", async () => {
    const { fetch } = await site((request, response) => {
      response.end(`${request.headers["user-agent"]} ${request.headers["accept-encoding"]}`);
    });
    const headers = new Headers({ "user-agent": "MyBot/1.0" });
    expect(textOf(await fetch("/", { headers }))).toBe("MyBot/1.0 gzip, br");
  });

  it("takes an answer to HEAD as having no body", async () => {
    const { fetch } = await site((_, response) => {
      response.writeHead(200, { "content-length": 5_000_000 });
      response.end();
    });
    for (const stream of [false, true]) {
      const outcome = await fetch("/", { method: "HEAD", stream });
      expect(outcome).toMatchObject({ type: stream ? "stream" : "response", status: 200 });
      if (outcome.type === "stream") expect((await outcome.body.getReader().read()).done).toBe(true);
    }
  });

  it("stops at the cap of decoded bytes, whatever they were packed into, and goes on with the next", async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    expect(bomb.byteLength).toBeLessThan(60_000);
    const { fetch, fetcher } = await site((request, response) => {
      if (request.url === "/next") return response.end("next");
      response.writeHead(200, { "content-encoding": "gzip", "content-length": bomb.byteLength });
      return response.end(bomb);
    });
    expect(await fetch("/")).toMatchObject({ type: "failure", reason: "too-large", status: 200 });
    expect(textOf(await fetch("/next"))).toBe("next");
    expect(fetcher.inFlight).toBe(0);
  });

  it("does not transfer what nobody wants", async () => {
    let sent = 0;
    const { server, fetch } = await site((_, response) => {
      response.writeHead(200, { "content-type": "application/pdf", "content-length": 500_000_000 });
      const chunk = Buffer.alloc(65_536);
      const pour = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.byteLength;
      };
      response.on("drain", pour);
      pour();
    });
    const wants = (_: number, headers: Headers): boolean => headers.get("content-type") !== "application/pdf";
    expect(await fetch("/", { wants })).toMatchObject({ type: "unwanted", status: 200 });
    await server.released();
    // What the sockets on both sides hold.
    expect(sent).toBeLessThan(20_000_000);
  });

  it("takes 300 answers, half of them unwanted, and leaves none open", async () => {
    const { server, fetch, fetcher } = await site((request, response) => {
      response.statusCode = request.url === "/404" ? 404 : 200;
      response.end("x".repeat(100_000));
    });
    const warnings: unknown[] = [];
    const onWarning = (warning: unknown): void => void warnings.push(warning);
    process.on("warning", onWarning);
    const wants = (status: number): boolean => status === 200;
    for (let batch = 0; batch < 10; batch++) {
      const paths = Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? "/404" : "/"));
      const outcomes = await Promise.all(paths.map((path) => fetch(path, { wants })));
      expect(outcomes.map(({ type }) => type)).toEqual(
        paths.map((path) => (path === "/" ? "response" : "unwanted")),
      );
    }
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
    expect(fetcher.inFlight).toBe(0);
    await server.released();
  });

  it("lets go of every answer that is open when all is aborted", async () => {
    const { server, fetch, fetcher } = await site((request, response) => {
      if (request.url === "/head") response.flushHeaders();
    });
    const outcomes = ["/head", "/", "/head", "/"].map((path) => fetch(path));
    while (server.unanswered < 4) await new Promise((resolve) => setTimeout(resolve));
    fetcher.abortAll("enough");
    for (const outcome of await Promise.all(outcomes)) {
      expect(outcome).toEqual({ type: "aborted", reason: "enough" });
    }
    await server.released();
  });
});
