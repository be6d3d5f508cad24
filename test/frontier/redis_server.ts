import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";

/** The binary of Redis or Valkey: `REDIS_SERVER`, or one that is on the path; `undefined` where there is none. */
export const REDIS_SERVER: string | undefined = [
  process.env.REDIS_SERVER,
  "redis-server",
  "valkey-server",
].find((name) => name && spawnSync(name, ["--version"]).status === 0);

if (REDIS_SERVER === undefined && process.env.CI) {
  throw new Error(
    "Cannot test the store in Redis as there is no redis-server: install it, or name it as REDIS_SERVER",
  );
}

/** What a suite says of itself where it is left out. */
export const LEFT_OUT: string = REDIS_SERVER === undefined ? " (left out: there is no redis-server)" : "";

/** A Redis of the test's own: on a free port, in a folder of its own. */
export interface RedisServer {
  readonly port: number;
  /** Kills it and starts it again on what it wrote down. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** How a server is to be. */
export interface RedisServerOptions {
  /** Nothing that it answered is ever lost. */
  readonly isDurable?: boolean;
}

/** Starts one. */
export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const { isDurable = false } = options;
  const folder = await mkdtemp(join(tmpdir(), "dragline-redis-"));
  const port = await freePort();
  const durable = isDurable ? ["--appendonly", "yes", "--appendfsync", "always"] : [];
  const own = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  const args = [...own, ...durable];
  let server = await run(args);
  const kill = async (): Promise<void> => {
    const exited = once(server, "exit");
    server.kill("SIGKILL");
    await exited;
  };
  return {
    port,
    async restart() {
      await kill();
      server = await run(args);
    },
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function run(args: readonly string[]): Promise<ChildProcess> {
  const server = spawn(REDIS_SERVER!, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: server.stdout })) {
    lines.push(line);
    if (!line.includes("Ready to accept connections")) continue;
    server.stdout.resume();
    return server;
  }
  throw new Error(`Redis did not start:\n${lines.join("\n")}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
