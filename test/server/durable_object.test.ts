import { copyFileSync, mkdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runtimeBinary } from "../../scripts/runtimes.ts";
import { ROOT } from "../../scripts/source_files.ts";
import type { CrawlStats } from "../../src/stats.ts";
import { type RunningWorkers, startWorkers } from "../runtimes/workerd.ts";
import { type Loopback, loopback } from "../support/loopback.ts";
import { dataOf, EventStreamReader } from "./event_stream.ts";
import { submitted } from "./fake_server.ts";

const binary = runtimeBinary("workerd");
const isNode = !("Bun" in globalThis) && !("Deno" in globalThis);
const FOLDER = join(ROOT, ".check/server_worker");

/** Bundles the worker and starts it. */
async function startServer(path: string): Promise<RunningWorkers> {
  mkdirSync(FOLDER, { recursive: true });
  const config = join(FOLDER, "config.capnp");
  copyFileSync(join(ROOT, "test/server/worker/config.capnp"), config);
  await build({
    entryPoints: [join(ROOT, "test/server/worker/crawls.ts")],
    outfile: join(FOLDER, "crawls.js"),
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "import"],
    logLevel: "warning",
  });
  return startWorkers(path, config, 1);
}

// The other runtimes are installed by `npm run test:runtimes`.
describe.skipIf(binary === undefined || !isNode)("createApp() in a Durable Object", () => {
  let workers: RunningWorkers;
  let site: Loopback;
  let origin: string;

  beforeAll(async () => {
    site = await loopback((request, response) => {
      response.writeHead(request.url === "/robots.txt" ? 404 : 200, { "content-type": "text/html" });
      response.end(`<title>${request.url}</title><a href="/1">1</a><a href="/2">2</a>`);
    });
    workers = await startServer(binary!);
    origin = workers.origins.get("crawls")!;
  });
  afterAll(async () => {
    workers?.stop();
    await site?.close();
  });

  async function start(body: object): Promise<string> {
    const response = await fetch(`${origin}/crawls`, submitted(body));
    expect(response.status).toBe(201);
    return `${origin}${response.headers.get("location")}`;
  }

  it("serves the page, starts a crawl, tells of it and gives its results", async () => {
    expect(await (await fetch(`${origin}/`)).text()).toContain("<title>Dragline</title>");
    const url = await start({ seeds: `${site.origin}/`, options: { delayMs: 0 } });
    const events = await new EventStreamReader(await fetch(`${url}/events`)).toEnd();
    expect(dataOf<CrawlStats>(events, "finished")).toMatchObject([{ pages: 3, finishReason: "done" }]);
    expect(dataOf(events, "page")).toHaveLength(3);
    const lines = (await (await fetch(`${url}/pages`)).text()).trim().split("\n");
    expect(lines).toHaveLength(3);
    const { errors } = (await (await fetch(`${origin}/crawls`, submitted({ seeds: "x" }))).json()) as {
      errors: unknown[];
    };
    expect(errors).toHaveLength(1);
  });

  it("notices that a client has gone, a hundred times", async () => {
    const url = await start({ seeds: `${site.origin}/`, start: "read" });
    const { port, pathname } = new URL(`${url}/events`);
    for (let i = 0; i < 100; i++) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(`GET ${pathname} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
      await new Promise((resolve) => socket.once("data", resolve));
      socket.destroy();
    }
    const watchers = async (): Promise<number> =>
      ((await (await fetch(url)).json()) as { watchers: number }).watchers;
    while ((await watchers()) > 0);
    expect(await watchers()).toBe(0);
  });
});
