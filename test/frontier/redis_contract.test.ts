import { Redis } from "ioredis";
import { afterAll, beforeAll, describe } from "vitest";
import { type RedisEval, type RedisOptions, redis } from "../../src/frontier/redis.ts";
import { describeFrontier } from "../../src/testing/frontier_contract.ts";
import { describeQueueBound } from "./queue_bound.ts";
import { callersTime, type ServerClock, withServerClock } from "./redis_clock.ts";
import { LEFT_OUT, REDIS_SERVER, type RedisServer, startRedis } from "./redis_server.ts";

let server: RedisServer;
let client: Redis;
let crawls = 0;

const STILL = { now: () => 0, at: () => () => {} };

/** A new crawl in Redis, whose server's clock is the caller's. */
function open(options: Partial<RedisOptions> = {}): ReturnType<typeof callersTime> {
  const evalScript: RedisEval = (script, keys, args) => client.eval(script, keys.length, ...keys, ...args);
  const clock: ServerClock = { nowMs: 0 };
  const frontier = redis(withServerClock(evalScript, clock), {
    crawlId: `contract-${++crawls}`,
    clock: STILL,
    ...options,
  });
  return callersTime(frontier, clock);
}

describe.skipIf(REDIS_SERVER === undefined)(`the contract${LEFT_OUT}`, () => {
  beforeAll(async () => {
    server = await startRedis();
    client = new Redis({ port: server.port });
  });
  afterAll(async () => {
    client?.disconnect();
    await server?.close();
  });

  describeFrontier("redis()", () => open());
  describeQueueBound("redis()", (maxQueuedPerHost) => open({ maxQueuedPerHost }));
  describeFrontier("redis() with a Bloom filter", () =>
    open({ seen: { bloom: { capacity: 10_000, falsePositives: 1e-9 } } }),
  );
});
