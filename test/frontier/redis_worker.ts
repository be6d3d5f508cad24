/**
 * One worker of a fleet, as a process of its own: says that it is ready, waits for a word on standard input, crawls what its
 * argument says, and writes each page's URL as it has it.
 */
import { once } from "node:events";
import process from "node:process";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { crawl } from "../../mod.ts";
import { type RedisClient, redis } from "../../src/frontier/redis.ts";

/** What a worker is told, as JSON. */
export interface WorkerOrder {
  readonly port: number;
  readonly client: "ioredis" | "redis";
  readonly crawlId: string;
  readonly leaseMs: number;
  readonly seeds: readonly string[];
  readonly concurrency: number;
  readonly hostConcurrency: number;
  readonly gapMs: number;
}

async function connect({ client, port }: WorkerOrder): Promise<RedisClient & { close(): void }> {
  if (client === "ioredis") {
    const connection = new Redis({ port });
    // It connects again by itself; what it cannot do, the crawl is told by the command that fails.
    connection.on("error", () => {});
    return Object.assign(connection, { close: () => connection.disconnect() });
  }
  const connection = createClient({ socket: { port } });
  connection.on("error", () => {});
  await connection.connect();
  return Object.assign(connection, { close: () => connection.destroy() });
}

const order = JSON.parse(process.argv[2]!) as WorkerOrder;
const { crawlId, leaseMs, seeds, concurrency, hostConcurrency, gapMs } = order;
const client = await connect(order);
process.stdout.write("ready\n");
await once(process.stdin, "data");
// When the engine started each request, which is what the gap is between. An entry leaves with its request.
const startedMs = new Map<string, number>();
const pages = crawl(seeds, {
  frontier: redis(client, { crawlId, leaseMs }),
  scope: "any",
  concurrency,
  hostConcurrency,
  delayMs: [gapMs, gapMs],
  onEvent: (event) => {
    if (event.type === "started") startedMs.set(event.url, event.atMs);
  },
  fetch: (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("x-started-ms", `${startedMs.get(`${input}`)}`);
    startedMs.delete(`${input}`);
    return fetch(input, { ...init, headers });
  },
});
let exitCode = 0;
try {
  for await (const page of pages) process.stdout.write(`${page.url}\n`);
  const { finishReason } = await pages.finished;
  if (finishReason !== "done") throw new Error(`The crawl ended by ${finishReason}`);
} catch (error) {
  process.stderr.write(`${error}\n`);
  exitCode = 1;
}
client.close();
process.exit(exitCode);
