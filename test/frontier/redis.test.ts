import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Frontier, Lease } from "../../src/frontier/frontier.ts";
import {
  type RedisClient,
  type RedisEval,
  type RedisFrontier,
  type RedisOptions,
  redis,
} from "../../src/frontier/redis.ts";
import type { HostPace } from "../../src/politeness/host.ts";
import type { CrawlRequest } from "../../src/request.ts";
import { describeFrontier, requestOf } from "../../src/testing/frontier_contract.ts";
import { callersTime, type ServerClock, withServerClock } from "./redis_clock.ts";
import { LEFT_OUT, REDIS_SERVER, type RedisServer, startRedis } from "./redis_server.ts";

const NOW_MS = Date.UTC(2026, 10, 30);
const LEASE_MS = 1_000;
const PACE: HostPace = { limit: 2, gapMs: 250 };
const STILL = { now: () => 0, at: () => () => {} };
const A1 = "https://a.test/1";
const A2 = "https://a.test/2";
const A3 = "https://a.test/3";

describe("redis()", () => {
  const never: RedisEval = () => Promise.reject(new Error("not to be called"));

  test.each<[RedisOptions, string]>([
    [{ crawlId: "" }, "'crawlId' must be a text of one character or more, without braces"],
    [{ crawlId: "a{b" }, "'crawlId'"],
    [{ crawlId: "a", prefix: "x}" }, "'prefix'"],
    [{ crawlId: "a", leaseMs: 0 }, "'leaseMs' must be a number of milliseconds above 0: received 0"],
    [{ crawlId: "a", leaseMs: Number.POSITIVE_INFINITY }, "'leaseMs'"],
    [{ crawlId: "a", maxQueuedPerHost: 0 }, "'maxQueuedPerHost' must be a number of at least 1: received 0"],
    [{ crawlId: "a", seen: { bloom: { capacity: 0, falsePositives: 0.1 } } }, "'seen.bloom.capacity'"],
    [{ crawlId: "a", seen: { bloom: { capacity: 9, falsePositives: 1 } } }, "'seen.bloom.falsePositives'"],
  ])("refuses %j at once", (options, message) => {
    expect(() => redis(never, options)).toThrow(message);
  });

  test("refuses a client of no known shape", () => {
    expect(() => redis({} as RedisClient, { crawlId: "a" })).toThrow(TypeError);
    expect(() => redis(null as unknown as RedisClient, { crawlId: "a" })).toThrow("'client' must be");
  });

  test("tells of the failure of its client", async () => {
    await expect(redis(never, { crawlId: "a" }).counts(NOW_MS)).rejects.toThrow("not to be called");
  });
});

describe.skipIf(REDIS_SERVER === undefined)(`RedisFrontier${LEFT_OUT}`, () => {
  let server: RedisServer;
  let client: Redis;
  let evalScript: RedisEval;
  let clock: ServerClock;
  let crawlId: string;
  let crawls = 0;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis({ port: server.port });
    evalScript = (script, keys, args) => client.eval(script, keys.length, ...keys, ...args);
  });
  afterAll(async () => {
    client?.disconnect();
    await server?.close();
  });
  beforeEach(() => {
    clock = { nowMs: NOW_MS };
    crawlId = `crawl-${++crawls}`;
  });

  /** One more worker of the test's crawl. */
  function join(options: Partial<RedisOptions> = {}): RedisFrontier {
    const all = { crawlId, leaseMs: LEASE_MS, clock: STILL, ...options };
    return redis(withServerClock(evalScript, clock), all);
  }

  async function leaseOne(frontier: Frontier, nowMs = clock.nowMs): Promise<Lease> {
    const [lease] = await frontier.lease(1, nowMs);
    return lease!;
  }

  async function keysOf(pattern: string): Promise<string[]> {
    return client.keys(`dragline:{${crawlId}}${pattern}`);
  }

  describe("a lease that runs out", () => {
    test("frees its host and what was taken at that very time, and not before", async () => {
      const [dead, other] = [join(), join()];
      await dead.add([requestOf(A1), requestOf(A2)], NOW_MS);
      const lost = await leaseOne(dead);
      await dead.take(lost, 1, NOW_MS);
      clock.nowMs += LEASE_MS - 1;
      expect(await other.lease(1, clock.nowMs)).toEqual([]);
      expect(await other.counts(clock.nowMs)).toMatchObject({ queued: 1, inProgress: 1 });
      clock.nowMs += 1;
      expect(await other.counts(clock.nowMs)).toMatchObject({ queued: 2, inProgress: 0 });
      const lease = await leaseOne(other);
      expect((await other.take(lease, 5, clock.nowMs)).map(({ url }) => url)).toEqual([A1, A2]);
    });

    test("refuses its late holder, before and after another has the host", async () => {
      const [late, other] = [join(), join()];
      await late.add([requestOf(A1), requestOf(A2)], NOW_MS);
      const lost = await leaseOne(late);
      const [request] = await late.take(lost, 1, NOW_MS);
      clock.nowMs += LEASE_MS;
      const refused = async (): Promise<void> => {
        const now = clock.nowMs;
        const isLost = { name: "LeaseLostError", message: expect.stringContaining("a.test") };
        await expect(late.take(lost, 1, now)).rejects.toMatchObject(isLost);
        await expect(late.complete(lost, request!, [requestOf(A3)], now)).rejects.toMatchObject(isLost);
        await expect(late.defer(lost, request!, now, now)).rejects.toMatchObject(isLost);
        await expect(late.release(lost, PACE, now, now)).rejects.toMatchObject(isLost);
        expect(await late.renew([lost], now)).toEqual([lost]);
      };
      await refused();
      const lease = await leaseOne(other);
      await refused();
      expect(await other.take(lease, 5, clock.nowMs)).toHaveLength(2);
      await refused();
      expect(await other.counts(clock.nowMs)).toMatchObject({ queued: 0, inProgress: 2, seen: 2 });
    });

    test("lasts as long again from each renewal", async () => {
      const frontier = join();
      await frontier.add([requestOf(A1)], NOW_MS);
      const lease = await leaseOne(frontier);
      for (let i = 0; i < 3; i++) {
        clock.nowMs += LEASE_MS - 1;
        expect(await frontier.renew([lease], clock.nowMs)).toEqual([]);
      }
      clock.nowMs += LEASE_MS;
      expect(await frontier.renew([lease], clock.nowMs)).toEqual([lease]);
    });

    test("leaves its end as the last start, as its holder may have asked the host until then", async () => {
      const [dead, other] = [join(), join()];
      await dead.add([requestOf(A1)], NOW_MS);
      await leaseOne(dead);
      clock.nowMs += 5 * LEASE_MS;
      const { pace } = await leaseOne(other);
      expect(pace).toEqual({ limit: 1, gapMs: 0, lastStartMs: NOW_MS + LEASE_MS });
    });

    test("hands on the pace that its holder last renewed it with", async () => {
      const [dead, other] = [join(), join()];
      await dead.add([requestOf(A1)], NOW_MS);
      const lease = await leaseOne(dead);
      const pausedUntilMs = NOW_MS + 3_600_000;
      await dead.renew([{ ...lease, pace: { ...PACE, pausedUntilMs } }], NOW_MS);
      clock.nowMs += LEASE_MS;
      const next = await leaseOne(other);
      expect(next.pace).toEqual({ ...PACE, pausedUntilMs, lastStartMs: NOW_MS + LEASE_MS });
    });

    test("never comes again under the same name, even where Redis forgot that it gave it", async () => {
      const [a, b] = [join(), join()];
      await a.add([requestOf(A1)], NOW_MS);
      const first = await leaseOne(a);
      await a.release(first, PACE, NOW_MS, NOW_MS);
      await client.hset(`dragline:{${crawlId}}`, "token", 0);
      const second = await leaseOne(b);
      expect(second.id).not.toBe(first.id);
      await expect(a.take(first, 1, NOW_MS)).rejects.toMatchObject({ name: "LeaseLostError" });
    });
  });

  test("lease() gives a pace in the time of who asks, whatever clock its last holder had", async () => {
    const [early, late] = [join(), join()];
    const [earlyMs, lateMs] = [NOW_MS - 86_400_000, NOW_MS + 86_400_000];
    await early.add([requestOf(A1)], earlyMs);
    const lease = await leaseOne(early, earlyMs);
    const pace = { ...PACE, lastStartMs: earlyMs - 10, pausedUntilMs: earlyMs + 20 };
    await early.release(lease, pace, earlyMs + 20, earlyMs);
    expect(await late.lease(1, lateMs)).toEqual([]);
    expect((await late.counts(lateMs)).nextDueMs).toBe(lateMs + 20);
    clock.nowMs += 20;
    const next = await leaseOne(late, lateMs + 20);
    expect(next.pace).toEqual({ ...PACE, lastStartMs: lateMs - 10, pausedUntilMs: lateMs + 20 });
  });

  test("lease() counts a pace from when its reply came, so that no start comes too early", async () => {
    let workerMs = NOW_MS;
    const frontier = join({ clock: { now: () => workerMs, at: () => () => {} } });
    const slow = redis(
      async (script, keys, args) => {
        const reply = await withServerClock(evalScript, clock)(script, keys, args);
        workerMs += 70;
        return reply;
      },
      { crawlId, clock: { now: () => workerMs, at: () => () => {} } },
    );
    await frontier.add([requestOf(A1)], NOW_MS);
    await frontier.release(await leaseOne(frontier), { ...PACE, lastStartMs: NOW_MS }, NOW_MS, NOW_MS);
    await slow.counts(workerMs);
    const calledMs = workerMs;
    expect((await leaseOne(slow, calledMs)).pace?.lastStartMs).toBe(calledMs + 70);
  });

  test("add() takes more requests than one script is given", async () => {
    const frontier = join();
    const requests = Array.from({ length: 2_500 }, (_, i) => requestOf(`https://a.test/${i}`));
    expect(await frontier.add([...requests, ...requests.slice(0, 3)], NOW_MS)).toEqual([
      ...requests.map(() => true),
      ...[false, false, false],
    ]);
    const lease = await leaseOne(frontier);
    const [first] = await frontier.take(lease, 1, NOW_MS);
    const found = Array.from({ length: 2_500 }, (_, i) => requestOf(`https://a.test/${i + 2_400}`));
    const isNew = await frontier.complete(lease, first!, found, NOW_MS);
    expect(isNew.map((one, i) => one === i >= 100).every(Boolean)).toBe(true);
    expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 4_899, inProgress: 0, seen: 4_900 });
    const order = (await frontier.drop({ host: "a.test" }, NOW_MS)).map(({ url }) => url);
    expect(order).toEqual(Array.from({ length: 4_899 }, (_, i) => `https://a.test/${i + 1}`));
  });

  test("drop() goes through more hosts than one script looks at", async () => {
    const frontier = join();
    const requests = Array.from({ length: 600 }, (_, i) =>
      requestOf(`https://h${i % 300}.test/${i}`, i % 2 === 0 ? { tag: "even" } : {}),
    );
    await frontier.add(requests, NOW_MS);
    expect(await frontier.drop({ tag: "even" }, NOW_MS)).toHaveLength(300);
    expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 300 });
    expect(await frontier.lease(999, NOW_MS)).toHaveLength(150);
  });

  describe("what was seen", () => {
    const urls = (from: number, count: number): CrawlRequest[] =>
      Array.from({ length: count }, (_, i) => requestOf(`https://h${i % 50}.test/page/${from + i}`));

    test("is held exactly in sets of integers, at 8 bytes a key and little more", async () => {
      const frontier = join();
      const count = 20_000;
      const isNew = await frontier.add(urls(0, count), NOW_MS);
      expect(isNew.every(Boolean)).toBe(true);
      expect((await frontier.add(urls(0, count), NOW_MS)).some(Boolean)).toBe(false);
      const sets = await keysOf(":seen:*");
      expect(sets).toHaveLength(count / 160);
      let bytes = 0;
      let keys = 0;
      for (const set of sets) {
        expect(await client.object("ENCODING", set)).toBe("intset");
        bytes += (await client.memory("USAGE", set)) ?? 0;
        keys += await client.scard(set);
      }
      expect(keys).toBe(count);
      expect(bytes / count).toBeLessThan(11);
    });

    test("is held by a Bloom filter with false positives within a fifth of the promise, seeds never lost", async () => {
      const [capacity, falsePositives] = [10_000, 0.05];
      const seen = { bloom: { capacity, falsePositives } };
      const frontier = join({ seen });
      await frontier.add(urls(0, capacity), NOW_MS);
      expect((await frontier.add(urls(0, capacity), NOW_MS)).some(Boolean)).toBe(false);
      // Where a queue is full it is only asked, and what it has not seen is counted.
      const asking = join({ seen, maxQueuedPerHost: 1 });
      const probes = 20_000;
      await asking.add(urls(1e6, probes), NOW_MS);
      const { overflowed } = await asking.counts(NOW_MS);
      const lost = (probes - overflowed!) / probes;
      expect(lost).toBeGreaterThan(0.8 * falsePositives);
      expect(lost).toBeLessThan(1.2 * falsePositives);

      const seeds = urls(2e6, 1_000).map((request): CrawlRequest => ({ ...request, seed: true }));
      expect((await frontier.add(seeds, NOW_MS)).every(Boolean)).toBe(true);
      expect((await frontier.add(seeds, NOW_MS)).some(Boolean)).toBe(false);
      const [chunk, ...rest] = await keysOf(":bits:*");
      expect(rest).toEqual([]);
      // 6.24 bits a key.
      expect(await client.strlen(chunk!)).toBeLessThanOrEqual(7_795);
    });

    test("by a Bloom filter says when it holds more than it was made for", async () => {
      const frontier = join({ seen: { bloom: { capacity: 50, falsePositives: 0.001 } } });
      await frontier.add(urls(0, 40), NOW_MS);
      expect(await frontier.counts(NOW_MS)).not.toHaveProperty("isOverfull");
      await frontier.add(urls(40, 70), NOW_MS);
      expect(await frontier.counts(NOW_MS)).toHaveProperty("isOverfull", true);
    });

    test("by a Bloom filter is spread over strings of 16 MiB", async () => {
      const frontier = join({ seen: { bloom: { capacity: 60_000_000, falsePositives: 0.01 } } });
      expect((await frontier.add(urls(0, 100), NOW_MS)).every(Boolean)).toBe(true);
      expect((await frontier.add(urls(0, 100), NOW_MS)).some(Boolean)).toBe(false);
      const chunks = await keysOf(":bits:*");
      expect(chunks.length).toBe(5);
      for (const chunk of chunks) expect(await client.strlen(chunk)).toBeLessThanOrEqual(2 ** 24);
    });
  });

  describe("a crawl", () => {
    test("is refused with another kind of seen than it began with", async () => {
      await join().add([requestOf(A1)], NOW_MS);
      const other = join({ seen: { bloom: { capacity: 10, falsePositives: 0.1 } } });
      await expect(other.counts(NOW_MS)).rejects.toThrow(
        `Cannot join the crawl '${crawlId}' with seen as 'bloom 10 0.1' as it began with 'exact'`,
      );
    });

    test("is refused in another version", async () => {
      await join().add([requestOf(A1)], NOW_MS);
      await client.hset(`dragline:{${crawlId}}`, "version", 2);
      await expect(join().counts(NOW_MS)).rejects.toThrow("as Redis has it in version 2: this is version 1");
    });

    test("that is gone is told, and not taken for one that is done", async () => {
      const frontier = join();
      await frontier.add([requestOf(A1)], NOW_MS);
      await client.del(`dragline:{${crawlId}}`);
      const gone = `Cannot go on with the crawl '${crawlId}' as Redis no longer has it`;
      await expect(frontier.counts(NOW_MS)).rejects.toThrow(gone);
      // Nor is another that has begun under its name since.
      await join().add([requestOf(A2)], NOW_MS);
      await expect(frontier.lease(1, NOW_MS)).rejects.toThrow(gone);
    });

    test("shares nothing with one of another name or prefix", async () => {
      const [one, other] = [join(), join({ prefix: "test" })];
      expect(await one.add([requestOf(A1)], NOW_MS)).toEqual([true]);
      expect(await other.add([requestOf(A1)], NOW_MS)).toEqual([true]);
      expect(await one.lease(9, NOW_MS)).toHaveLength(1);
      expect(await other.lease(9, NOW_MS)).toHaveLength(1);
    });
  });

  describe("each operation is carried out once though its client sends it twice:", () => {
    const twice: RedisEval = async (script, keys, args) => {
      await evalScript(script, keys, args);
      return evalScript(script, keys, args);
    };
    const numbered: RedisEval = (script, keys, args) =>
      (script.includes("operations") ? twice : evalScript)(script, keys, args);
    describeFrontier("redis()", () => {
      const clock: ServerClock = { nowMs: 0 };
      const options = { crawlId: `twice-${++crawls}`, clock: STILL };
      return callersTime(redis(withServerClock(numbered, clock), options), clock);
    });
  });

  describe("a client", () => {
    const closers: (() => unknown)[] = [];
    afterEach(async () => {
      for (const close of closers.splice(0)) await close();
    });

    const clients: [string, (port: number) => Promise<RedisClient>][] = [
      [
        "of ioredis",
        async (port) => {
          const own = new Redis({ port });
          closers.push(() => own.disconnect());
          return own;
        },
      ],
      [
        "of ioredis with a prefix of its own",
        async (port) => {
          const own = new Redis({ port, keyPrefix: "mine:" });
          closers.push(() => own.disconnect());
          return own;
        },
      ],
      [
        "of redis",
        async (port) => {
          const own = createClient({ socket: { port } });
          own.on("error", () => {});
          closers.push(() => own.destroy());
          return own.connect();
        },
      ],
      [
        "that is a function",
        async () => (script, keys, args) => client.eval(script, keys.length, ...keys, ...args),
      ],
    ];

    test.each(clients)(
      "%s runs every operation, also after the server forgot all scripts",
      async (_, connect) => {
        const frontier = redis(await connect(server.port), { crawlId });
        expect(await frontier.add([requestOf(A1, { data: "\u00e9" }), requestOf(A2)], NOW_MS)).toEqual([
          true,
          true,
        ]);
        await client.script("FLUSH");
        const lease = await leaseOne(frontier, NOW_MS);
        const [first, second] = await frontier.take(lease, 2, NOW_MS);
        expect(first).toMatchObject({ url: A1, data: "\u00e9" });
        expect(await frontier.complete(lease, first!, [requestOf(A3)], NOW_MS)).toEqual([true]);
        await frontier.defer(lease, second!, NOW_MS + 1e9, NOW_MS);
        expect(await frontier.renew([lease], NOW_MS)).toEqual([]);
        await frontier.release(lease, PACE, NOW_MS, NOW_MS);
        expect(await frontier.drop({ host: "a.test" }, NOW_MS)).toHaveLength(2);
        expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 0, inProgress: 0, seen: 3 });
      },
    );
  });

  test("goes on where it was after Redis was killed and came back", async () => {
    const durable = await startRedis({ isDurable: true });
    const own = new Redis({ port: durable.port });
    own.on("error", () => {});
    try {
      const frontier = redis(own, { crawlId });
      await frontier.add([requestOf(A1), requestOf(A2)], NOW_MS);
      const lease = await leaseOne(frontier, NOW_MS);
      const [first] = await frontier.take(lease, 1, NOW_MS);
      await durable.restart();
      expect(await frontier.complete(lease, first!, [requestOf(A3)], NOW_MS)).toEqual([true]);
      expect((await frontier.take(lease, 9, NOW_MS)).map(({ url }) => url)).toEqual([A2, A3]);
    } finally {
      own.disconnect();
      await durable.close();
    }
  });
});
