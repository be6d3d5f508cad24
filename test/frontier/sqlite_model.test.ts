import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BloomFilter } from "../../src/frontier/bloom.ts";
import type { Frontier, FrontierCounts, Lease } from "../../src/frontier/frontier.ts";
import { MemoryFrontier } from "../../src/frontier/memory.ts";
import { type SqliteFrontier, type SqliteOptions, sqlite } from "../../src/frontier/sqlite.ts";
import type { CrawlRequest } from "../../src/request.ts";
import { copyAsLeft, freshFiles, hasSqlite } from "./sqlite_folder.ts";

/** One operation; numbers choose among what there is, and are taken modulo that. */
type Operation =
  | { readonly do: "add"; readonly requests: readonly Sketch[] }
  | { readonly do: "lease" | "release" | "renew" | "drop" | "wait" | "crash"; readonly n: number }
  | { readonly do: "take"; readonly lease: number; readonly n: number }
  | {
      readonly do: "complete";
      readonly n: number;
      readonly found: readonly Sketch[];
      readonly moves: boolean;
    }
  | { readonly do: "defer"; readonly n: number; readonly ms: number };

interface Sketch {
  readonly key: number;
  readonly host: number;
  readonly priority: number;
  readonly laterMs: number;
  readonly revisit: boolean;
  readonly tagged: boolean;
}

const sketch: fc.Arbitrary<Sketch> = fc.record({
  key: fc.nat(400),
  host: fc.nat(4),
  priority: fc.constantFrom(-2, -1.5, 0, Number.NEGATIVE_INFINITY),
  laterMs: fc.constantFrom(0, 0, 0, 5, 20),
  revisit: fc.constantFrom(false, false, true),
  tagged: fc.boolean(),
});
const n = fc.nat(30);
const operations: readonly fc.WeightedArbitrary<Operation>[] = [
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("add"), requests: fc.array(sketch, { maxLength: 6 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("lease"), n }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("take"), lease: n, n: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("complete"),
      n,
      found: fc.array(sketch, { maxLength: 3 }),
      moves: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("defer"), n, ms: fc.nat(15) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("release", "wait"), n }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("renew", "drop"), n }) },
];
const crash: fc.WeightedArbitrary<Operation> = {
  weight: 1,
  arbitrary: fc.record({ do: fc.constant("crash"), n }),
};

function manyOf(...weighted: fc.WeightedArbitrary<Operation>[]): fc.Arbitrary<Operation[]> {
  return fc.array(fc.oneof(...weighted), { maxLength: 120, size: "max" });
}

/** Two stores side by side: each operation must give the same on both. */
class Pair {
  #model: MemoryFrontier;
  #store: SqliteFrontier;
  readonly #reopen: (() => SqliteFrontier) | undefined;
  #leases: [Lease, Lease][] = [];
  #taken: { leases: [Lease, Lease]; requests: [CrawlRequest, CrawlRequest] }[] = [];
  #nowMs = 1_000;
  #orders = 0;

  /** With `reopen`, which opens the store as it was left, crashes are among the operations. */
  constructor(model: MemoryFrontier, store: SqliteFrontier, reopen?: () => SqliteFrontier) {
    this.#model = model;
    this.#store = store;
    this.#reopen = reopen;
  }

  get store(): SqliteFrontier {
    return this.#store;
  }

  run(operation: Operation): void {
    switch (operation.do) {
      case "add": {
        const requests = operation.requests.map((sketch) => this.#request(sketch));
        this.#same((frontier) => frontier.add(requests, this.#nowMs));
        break;
      }
      case "lease":
        this.#lease(1 + (operation.n % 4));
        break;
      case "take":
        this.#take(operation.lease, operation.n);
        break;
      case "complete":
        this.#complete(operation);
        break;
      case "defer": {
        const entry = this.#taken.splice(operation.n % (this.#taken.length || 1), 1)[0];
        if (entry === undefined) break;
        this.#same((frontier, i) =>
          frontier.defer(
            entry.leases[i],
            { ...entry.requests[i], attempts: 1 },
            this.#nowMs + operation.ms,
            this.#nowMs,
          ),
        );
        break;
      }
      case "release": {
        const leases = this.#leases.splice(operation.n % (this.#leases.length || 1), 1)[0];
        if (leases === undefined) break;
        this.#taken = this.#taken.filter((entry) => entry.leases !== leases);
        const dueMs = operation.n % 3 === 0 ? Number.NEGATIVE_INFINITY : this.#nowMs + operation.n;
        this.#same((frontier, i) =>
          frontier.release(leases[i], { limit: operation.n, gapMs: 250 }, dueMs, this.#nowMs),
        );
        break;
      }
      case "renew":
        expect(this.#store.renew(this.#leases.map(([, lease]) => lease))).toEqual([]);
        break;
      case "drop": {
        const what = operation.n % 2 === 0 ? { tag: "t" } : { host: `h${operation.n % 5}` };
        const [dropped, same] = this.#both((frontier) => frontier.drop(what, this.#nowMs));
        expect(plain(same as CrawlRequest[])).toEqual(plain(dropped as CrawlRequest[]));
        break;
      }
      case "wait":
        this.#nowMs += operation.n;
        break;
      case "crash":
        this.#crash();
        break;
      default:
        operation satisfies never;
    }
    this.#same((frontier) => this.#counts(frontier));
    for (let key = 0; key < 400; key += 37) {
      this.#same((frontier) => frontier.hasSeen?.(`k${key}`));
    }
  }

  /** When a host has been due for long, a crash may make the model forget since when. */
  #counts(frontier: Frontier): FrontierCounts {
    const counts = frontier.counts(this.#nowMs) as FrontierCounts;
    return this.#reopen === undefined
      ? counts
      : { ...counts, nextDueMs: Math.max(counts.nextDueMs, this.#nowMs) };
  }

  #request({ key, host, priority, laterMs, revisit, tagged }: Sketch): CrawlRequest {
    const order = ++this.#orders;
    return {
      url: `https://h${host}/${key}`,
      key: `k${key}`,
      host: `h${host}`,
      depth: 1,
      priority,
      order,
      // What it is known by, whatever order a store gives it.
      data: { label: order },
      ...(laterMs > 0 && { notBeforeMs: this.#nowMs + laterMs }),
      ...(revisit && { revisit: true }),
      ...(tagged && { tag: "t" }),
    };
  }

  #lease(n: number): void {
    // Hosts that are due at the same time have no order that outlives a crash: then all of them are leased.
    const count = this.#reopen === undefined ? n : 100;
    const [model, store] = this.#both((frontier) => frontier.lease(count, this.#nowMs)) as [Lease[], Lease[]];
    if (this.#reopen !== undefined) for (const leases of [model, store]) leases.sort(byHost);
    const withoutId = ({ id: _, ...lease }: Lease): Omit<Lease, "id"> => lease;
    expect(store.map(withoutId)).toEqual(model.map(withoutId));
    for (const [i, lease] of model.entries()) this.#leases.push([lease, store[i]!]);
  }

  #take(at: number, n: number): void {
    const leases = this.#leases[at % (this.#leases.length || 1)];
    if (leases === undefined) return;
    const [model, store] = this.#both((frontier, i) => frontier.take(leases[i], n, this.#nowMs)) as [
      CrawlRequest[],
      CrawlRequest[],
    ];
    expect(plain(store)).toEqual(plain(model));
    for (const [i, request] of model.entries()) this.#taken.push({ leases, requests: [request, store[i]!] });
  }

  #complete({ n, found, moves }: Extract<Operation, { do: "complete" }>): void {
    const entry = this.#taken.splice(n % (this.#taken.length || 1), 1)[0];
    if (entry === undefined) return;
    const requests = found.map((sketch) => this.#request(sketch));
    this.#same((frontier, i) => {
      const { order, url } = entry.requests[i];
      // A redirect's target takes the place of what it follows on.
      const target = { order, redirects: [{ url, status: 301 }] };
      const moved = requests.map((request, j) => (moves && j === 0 ? { ...request, ...target } : request));
      return frontier.complete(entry.leases[i], entry.requests[i], moved, this.#nowMs);
    });
  }

  /** A process ends without a word to its store, and another one opens it. */
  #crash(): void {
    if (this.#reopen === undefined) return;
    this.#leases = [];
    this.#taken = [];
    this.#model = MemoryFrontier.restore(this.#model.save(new Map()));
    const left = this.#store;
    this.#store = this.#reopen();
    left.close();
  }

  #both<T>(operate: (frontier: Frontier, i: 0 | 1) => T): [T, T] {
    return [operate(this.#model, 0), operate(this.#store, 1)];
  }

  #same(operate: (frontier: Frontier, i: 0 | 1) => unknown): void {
    const [model, store] = this.#both(operate);
    expect(store).toEqual(model);
  }
}

function byHost(a: Lease, b: Lease): number {
  return a.host < b.host ? -1 : 1;
}

/** Without its order, which each store gives itself, and without when it was due, which a snapshot writes into it. */
function plain(requests: readonly CrawlRequest[]): Partial<CrawlRequest>[] {
  return requests.map(({ order: _, notBeforeMs: __, ...request }) => request);
}

const runtimes = hasSqlite ? "" : " (left out: this runtime has no node:sqlite)";

describe.skipIf(!hasSqlite)(`sqlite()${runtimes}`, () => {
  const freshFile = freshFiles();

  it("gives what the frontier in memory gives, over random operations", () => {
    fc.assert(
      fc.property(manyOf(...operations), (operations) => {
        const pair = new Pair(new MemoryFrontier(), sqlite(":memory:"));
        for (const operation of operations) pair.run(operation);
        pair.store.close();
      }),
      { numRuns: 150 },
    );
  });

  it.each<[string, SqliteOptions, () => MemoryFrontier]>([
    ["exactly", {}, () => new MemoryFrontier()],
    [
      "by a Bloom filter",
      { seen: { bloom: { capacity: 1_000, falsePositives: 1e-6 } } },
      () => new MemoryFrontier(new BloomFilter({ capacity: 1_000, falsePositives: 1e-6 })),
    ],
  ])(
    "queues again what was in progress when it was left, and remembers what was seen, %s",
    (_, options, model) => {
      fc.assert(
        fc.property(manyOf(...operations, crash), (operations) => {
          let path = freshFile();
          const reopen = (): SqliteFrontier => {
            const copy = freshFile();
            copyAsLeft(path, copy);
            path = copy;
            return sqlite(copy, options);
          };
          const pair = new Pair(model(), sqlite(path, options), reopen);
          for (const operation of operations) pair.run(operation);
          pair.store.close();
        }),
        { numRuns: 15 },
      );
    },
  );
});
