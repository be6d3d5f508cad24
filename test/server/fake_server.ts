import type { Hono } from "hono";
import { createApp } from "../../src/server/app.ts";
import type { ServerOptions } from "../../src/server/server_options.ts";
import { FakeClock } from "../../src/testing/fake_clock.ts";
import { type FakePage, type FakeWeb, type FakeWebOptions, fakeWeb } from "../../src/testing/fake_web.ts";

/** The app over a fake web, on a fake clock. */
export interface FakeServer {
  readonly app: Hono;
  readonly web: FakeWeb;
  readonly clock: FakeClock;
  /** Sends a request from this machine. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Starts a crawl; says its id. */
  start(body: unknown): Promise<string>;
  /** The answer's JSON. */
  read<T>(path: string): Promise<T>;
}

export function fakeServer(
  pages: Readonly<Record<string, FakePage>>,
  options: ServerOptions & { readonly web?: Omit<FakeWebOptions, "clock"> } = {},
): FakeServer {
  const { web: webOptions, ...rest } = options;
  const clock = new FakeClock();
  const web = fakeWeb(pages, { ...webOptions, clock });
  const app = createApp({ random: () => 0.5, ...rest, clock, crawl: { ...rest.crawl, fetch: web.fetch } });
  const ask = async (path: string, init?: RequestInit): Promise<Response> =>
    app.request(`http://localhost${path}`, init);
  return {
    app,
    web,
    clock,
    ask,
    async start(body) {
      const response = await ask("/crawls", submitted(body));
      if (response.status !== 201) throw new Error(`Cannot start as the answer was ${await response.text()}`);
      return ((await response.json()) as { id: string }).id;
    },
    read: async (path) => (await ask(path)).json() as never,
  };
}

/** A request that submits a crawl. */
export function submitted(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}
