// Workers on one machine that share one crawl, kept in Redis or Valkey. Kill any of them: the others go on with what it
// had in hand, once its leases have run out. With one CRAWL_ID, workers on other machines join in.
//
//   REDIS_URL=redis://localhost:6379 npx tsx examples/fleet.ts https://example.com/ 4
import { spawn } from "node:child_process";
import process from "node:process";
import { Redis } from "ioredis";
import { crawl } from "../mod.ts";
import { redis } from "../src/frontier/redis.ts";

const [, script = "", seed = "https://example.com/", count = "2"] = process.argv;
const { REDIS_URL = "redis://localhost:6379", CRAWL_ID = `fleet-${Date.now()}`, WORKER } = process.env;

function startWorker(name: string): void {
  const env = { ...process.env, CRAWL_ID, WORKER: name };
  const worker = spawn(process.execPath, [...process.execArgv, script, seed], { env, stdio: "inherit" });
  worker.on("exit", (code) => {
    if (code !== 0) process.exitCode = 1;
  });
}

async function work(name: string): Promise<void> {
  const client = new Redis(REDIS_URL);
  const frontier = redis(client, { crawlId: CRAWL_ID, leaseMs: 10_000 });
  // Every worker is given all seeds: the first marks them as seen, and the scope is the same for all.
  for await (const page of crawl(seed, { frontier })) console.log(name, page.status, page.url);
  await client.quit();
}

if (WORKER === undefined) for (let i = 1; i <= Number(count); i++) startWorker(`${i}`);
else await work(WORKER);
