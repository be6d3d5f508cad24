import fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Lease } from "../../src/frontier/frontier.ts";
import { MemoryFrontier } from "../../src/frontier/memory.ts";
import { type RedisEval, type RedisFrontier, redis } from "../../src/frontier/redis.ts";
import type { HostPace } from "../../src/politeness/host.ts";
import type { CrawlRequest } from "../../src/request.ts";
import { type ServerClock, withServerClock } from "./redis_clock.ts";
import { LEFT_OUT, REDIS_SERVER, type RedisServer, startRedis } from "./redis_server.ts";

const LEASE_MS = 100;
const WORKERS = 3;

interface Sketch {
  readonly key: number;
  readonly priority: number;
  readonly laterMs: number;
  readonly revisit: boolean;
  readonly tagged: boolean;
}

/** What a worker does, or that time goes by; `n` chooses among what there is. */
interface Step {
  readonly do: "add" | "lease" | "take" | "complete" | "defer" | "release" | "renew" | "drop" | "wait";
  readonly worker: number;
  readonly n: number;
  readonly requests: readonly Sketch[];
}

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom<Step["do"][]>(
    ...("add lease take take complete complete defer release renew wait wait drop".split(
      " ",
    ) as Step["do"][]),
  ),
  worker: fc.nat(WORKERS - 1),
  n: fc.nat(60),
  requests: fc.array(
    fc.record({
      key: fc.nat(60),
      priority: fc.constantFrom(-2, -1.5, 0, 3),
      laterMs: fc.constantFrom(0, 0, 0, 20, 150),
      revisit: fc.constantFrom(false, false, true),
      tagged: fc.boolean(),
    }),
    { maxLength: 5 },
  ),
});

interface Held {
  readonly worker: number;
  readonly model: Lease;
  readonly store: Lease;
  readonly taken: { model: CrawlRequest; store: CrawlRequest }[];
  endsMs: number;
}

/** Workers on one crawl in Redis, and beside them the frontier in memory, which knows of no time at which a lease ends. */
class Fleet {
  readonly #model = new MemoryFrontier();
  readonly #workers: readonly RedisFrontier[];
  readonly #server: ServerClock;
  readonly #dueMs = new Map<string, number>();
  readonly #held: Held[] = [];
  readonly #lost: Held[] = [];
  #requests = 0;

  constructor(workers: readonly RedisFrontier[], server: ServerClock) {
    this.#workers = workers;
    this.#server = server;
  }

  async run({ do: name, worker, n, requests: sketches }: Step): Promise<void> {
    const store = this.#workers[worker]!;
    const { nowMs } = this.#server;
    const mine = this.#held.filter((held) => held.worker === worker);
    const held = mine[n % (mine.length || 1)];
    const pair = held?.taken[n % (held.taken.length || 1)];
    const requests = (): CrawlRequest[] => sketches.map((sketch) => this.#request(sketch));
    switch (name) {
      case "add": {
        const some = requests();
        expect(await store.add(some, this.#tell(nowMs, worker, some))).toEqual(this.#model.add(some));
        break;
      }
      case "lease":
        await this.#lease(worker);
        break;
      case "take": {
        if (held === undefined) break;
        const model = this.#model.take(held.model, n % 5, nowMs);
        const taken = await store.take(held.store, n % 5, this.#clockOf(worker));
        expect(taken.map(withoutOrder)).toEqual(model.map(withoutOrder));
        for (const [i, request] of model.entries()) held.taken.push({ model: request, store: taken[i]! });
        break;
      }
      case "complete": {
        if (held === undefined || pair === undefined) break;
        const found = requests();
        held.taken.splice(held.taken.indexOf(pair), 1);
        const time = this.#tell(nowMs, worker, found);
        // Now and then the first takes the place of what ended, as where a redirect leads does.
        const placed = ({ order }: CrawlRequest): CrawlRequest[] =>
          found.map((request, i) => (i === 0 && n % 2 === 0 ? { ...request, order } : request));
        expect(await store.complete(held.store, pair.store, placed(pair.store), time)).toEqual(
          this.#model.complete(held.model, pair.model, placed(pair.model)),
        );
        break;
      }
      case "defer": {
        if (held === undefined || pair === undefined) break;
        held.taken.splice(held.taken.indexOf(pair), 1);
        const time = this.#clockOf(worker);
        this.#model.defer(held.model, { ...pair.model, attempts: n }, nowMs + n);
        await store.defer(held.store, { ...pair.store, attempts: n }, time + n, time);
        break;
      }
      case "release": {
        if (held === undefined) break;
        this.#held.splice(this.#held.indexOf(held), 1);
        const time = this.#clockOf(worker);
        const pace = { limit: n, gapMs: 5 };
        this.#release(held, { ...pace, lastStartMs: nowMs - n }, nowMs + n);
        await store.release(held.store, { ...pace, lastStartMs: time - n }, time + n, time);
        break;
      }
      case "renew": {
        const lost = await store.renew(
          [...mine, ...this.#lost].map(({ store: lease }) => lease),
          this.#clockOf(worker),
        );
        expect(lost).toEqual(this.#lost.map(({ store: lease }) => lease));
        for (const each of mine) each.endsMs = nowMs + LEASE_MS;
        break;
      }
      case "drop": {
        const what = n % 2 === 0 ? { tag: "t" } : { host: `h${n % 5}` };
        const dropped = await store.drop(what, this.#clockOf(worker));
        expect(dropped.map(withoutOrder)).toEqual(this.#model.drop(what).map(withoutOrder));
        break;
      }
      case "wait":
        this.#server.nowMs += n;
        this.#expire();
        break;
      default:
        name satisfies never;
    }
    await this.#compare(worker);
  }

  async #lease(worker: number): Promise<void> {
    const { nowMs } = this.#server;
    const leases = [...this.#model.lease(100, nowMs)].sort(byHost);
    const time = this.#clockOf(worker);
    const stored = [...(await this.#workers[worker]!.lease(100, time))].sort(byHost);
    // Paces are read by the clock of who leases.
    const told = leases.map(({ host, pace }) => ({ host, pace: moved(pace, time - nowMs) }));
    expect(stored.map(({ host, pace }) => ({ host, pace }))).toEqual(told);
    for (const [i, model] of leases.entries()) {
      this.#held.push({ worker, model, store: stored[i]!, taken: [], endsMs: nowMs + LEASE_MS });
    }
  }

  /** What the server does to leases that have run out. */
  #expire(): void {
    for (const held of this.#held.filter(({ endsMs }) => endsMs <= this.#server.nowMs)) {
      this.#held.splice(this.#held.indexOf(held), 1);
      this.#lost.push(held);
      const pace = { limit: 1, gapMs: 0, ...held.model.pace, lastStartMs: held.endsMs };
      this.#release(held, pace, this.#dueMs.get(held.model.host) ?? Number.NEGATIVE_INFINITY);
    }
  }

  #release(held: Held, pace: HostPace, dueMs: number): void {
    this.#dueMs.set(held.model.host, dueMs);
    this.#model.release(held.model, pace, dueMs);
  }

  /** Late words are refused and change nothing; then both count the same. */
  async #compare(worker: number): Promise<void> {
    const { nowMs } = this.#server;
    const time = this.#clockOf(worker);
    const late = this.#lost.at(-1);
    if (late !== undefined) {
      const store = this.#workers[late.worker]!;
      const request = late.taken[0]?.store ?? this.#request({ ...SKETCH, key: 99 });
      const refused = { name: "LeaseLostError" };
      await expect(store.take(late.store, 1, time)).rejects.toMatchObject(refused);
      await expect(store.complete(late.store, request, [request], time)).rejects.toMatchObject(refused);
      await expect(store.defer(late.store, request, time, time)).rejects.toMatchObject(refused);
      await expect(store.release(late.store, { limit: 1, gapMs: 0 }, time, time)).rejects.toMatchObject(
        refused,
      );
    }
    const counts = this.#model.counts();
    expect(await this.#workers[worker]!.counts(time)).toEqual({
      ...counts,
      nextDueMs: counts.nextDueMs + (time - nowMs),
    });
  }

  /** No worker's clock shows what the server's does. */
  #clockOf(worker: number): number {
    return this.#server.nowMs + worker * 3_600_000;
  }

  /** The worker's time, unless there are times in the requests: those are by the server's. */
  #tell(nowMs: number, worker: number, requests: readonly CrawlRequest[]): number {
    return requests.some(({ notBeforeMs }) => notBeforeMs !== undefined) ? nowMs : this.#clockOf(worker);
  }

  #request({ key, priority, laterMs, revisit, tagged }: Sketch): CrawlRequest {
    const host = `h${key % 5}`;
    const order = ++this.#requests;
    return {
      url: `https://${host}/${key}`,
      key: `https://${host.toUpperCase()}/${key}`,
      host,
      depth: 1,
      referrer: `https://${host}/from`,
      priority,
      order,
      data: { label: order },
      ...(laterMs > 0 && { notBeforeMs: this.#server.nowMs + laterMs }),
      ...(revisit && { revisit: true }),
      ...(tagged && { tag: "t" }),
    };
  }
}

const SKETCH: Sketch = { key: 0, priority: 0, laterMs: 0, revisit: false, tagged: false };

function byHost(a: Lease, b: Lease): number {
  return a.host < b.host ? -1 : 1;
}

function moved(pace: HostPace | undefined, byMs: number): HostPace | undefined {
  return pace && { ...pace, lastStartMs: pace.lastStartMs! + byMs };
}

/** Each store gives its own orders. */
function withoutOrder({ order: _, ...request }: CrawlRequest): Omit<CrawlRequest, "order"> {
  return request;
}

describe.skipIf(REDIS_SERVER === undefined)(`redis()${LEFT_OUT}`, () => {
  let server: RedisServer;
  let client: Redis;
  beforeAll(async () => {
    server = await startRedis();
    client = new Redis({ port: server.port });
  });
  afterAll(async () => {
    client?.disconnect();
    await server?.close();
  });

  test("gives three workers what the frontier in memory gives one, while leases run out", async () => {
    let crawls = 0;
    const evalScript: RedisEval = (script, keys, args) => client.eval(script, keys.length, ...keys, ...args);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 150, size: "max" }), async (steps) => {
        const clock: ServerClock = { nowMs: Date.UTC(2026, 10, 30) };
        const crawlId = `model-${++crawls}`;
        const still = { now: () => 0, at: () => () => {} };
        const workers = Array.from({ length: WORKERS }, () =>
          redis(withServerClock(evalScript, clock), { crawlId, leaseMs: LEASE_MS, clock: still }),
        );
        const fleet = new Fleet(workers, clock);
        for (const each of steps) await fleet.run(each);
      }),
      { numRuns: 25 },
    );
  });
});
