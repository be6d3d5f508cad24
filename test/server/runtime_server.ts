import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A web server of the runtime's own kind, on loopback. */
export interface RuntimeServer {
  readonly port: number;
  readonly origin: string;
  close(): Promise<void>;
}

type Handler = (request: Request) => Response | Promise<Response>;

interface DenoServer {
  readonly addr: { readonly port: number };
  shutdown(): Promise<void>;
}

// As much of the two as is used here: their own types would be those of the whole suite.
const { Deno, Bun } = globalThis as {
  Deno?: { serve(options: object, handler: Handler): DenoServer };
  Bun?: { serve(options: object): { readonly port: number; stop(closeConnections: boolean): Promise<void> } };
};

/** Serves by `Deno.serve`, `Bun.serve`, or `@hono/node-server`. */
export async function serveOnRuntime(fetch: Handler): Promise<RuntimeServer> {
  if (Deno) return onDeno(Deno.serve, fetch);
  if (Bun) return onBun(Bun.serve, fetch);
  return onNode(fetch);
}

async function onNode(fetch: Handler): Promise<RuntimeServer> {
  const { serve } = await import("@hono/node-server");
  const server = serve({ fetch, hostname: "127.0.0.1", port: 0 }) as Server;
  await once(server, "listening");
  return running((server.address() as AddressInfo).port, async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  });
}

function onDeno(serve: NonNullable<typeof Deno>["serve"], fetch: Handler): RuntimeServer {
  const stop = new AbortController();
  const options = { hostname: "127.0.0.1", port: 0, signal: stop.signal, onListen: () => {} };
  const server = serve(options, fetch);
  return running(server.addr.port, async () => stop.abort());
}

function onBun(serve: NonNullable<typeof Bun>["serve"], fetch: Handler): RuntimeServer {
  // Bun ends a connection that was silent for so many seconds: 10 by default, fewer than a heartbeat takes.
  const server = serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 60, fetch });
  return running(server.port, () => server.stop(true));
}

function running(port: number, close: () => Promise<void>): RuntimeServer {
  return { port, origin: `http://127.0.0.1:${port}`, close };
}
