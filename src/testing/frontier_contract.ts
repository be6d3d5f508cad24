/**
 * The contract that every store of the frontier keeps, as a suite of tests, written for vitest and fast-check.
 *
 * ```ts
 * import { memory } from "dragline";
 * import { describeFrontier } from "dragline/testing/frontier";
 *
 * describeFrontier("memory()", memory);
 * ```
 *
 * @module
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Frontier, Lease } from "../frontier/frontier.ts";
import type { HostPace } from "../politeness/host.ts";
import type { CrawlRequest } from "../request.ts";

const NOW_MS = Date.UTC(2026, 10, 30);
const PACE: HostPace = { limit: 1, gapMs: 250 };

let orders = 0;

/** A request of a URL; each has the next order of acceptance. */
export function requestOf(url: string, parts: Partial<CrawlRequest> = {}): CrawlRequest {
  const { host } = new URL(url);
  return { url, key: url, host, depth: 0, priority: 0, order: ++orders, ...parts };
}

function urlsOf(requests: readonly CrawlRequest[]): string[] {
  return requests.map(({ url }) => url);
}

const A1 = "https://a.test/1";
const A2 = "https://a.test/2";
const A3 = "https://a.test/3";
const B1 = "https://b.test/1";

/**
 * What every store of the frontier's contract must do.
 *
 * @param open gives a new, empty store
 */
export function describeFrontier(name: string, open: () => Frontier | Promise<Frontier>): void {
  const withRequests = async (...requests: (string | CrawlRequest)[]): Promise<Frontier> => {
    const frontier = await open();
    await frontier.add(
      requests.map((request) => (typeof request === "string" ? requestOf(request) : request)),
      NOW_MS,
    );
    return frontier;
  };
  const leaseOne = async (frontier: Frontier, nowMs = NOW_MS): Promise<Lease> => {
    const [lease] = await frontier.lease(1, nowMs);
    expect(lease).toBeDefined();
    return lease!;
  };

  describe(`${name}, as a frontier,`, () => {
    test("has nothing at first", async () => {
      const frontier = await open();
      expect(await frontier.counts(NOW_MS)).toEqual({
        queued: 0,
        inProgress: 0,
        seen: 0,
        nextDueMs: Number.POSITIVE_INFINITY,
      });
      expect(await frontier.lease(10, NOW_MS)).toEqual([]);
      expect(await frontier.drop({ host: "a.test" }, NOW_MS)).toEqual([]);
    });

    describe("add()", () => {
      test("queues what is new and says which that was, also within one call", async () => {
        const frontier = await open();
        expect(await frontier.add([requestOf(A1), requestOf(A2), requestOf(A1)], NOW_MS)).toEqual([
          true,
          true,
          false,
        ]);
        expect(await frontier.add([requestOf(A2), requestOf(A3)], NOW_MS)).toEqual([false, true]);
        expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 3, seen: 3, inProgress: 0 });
      });

      test("goes by the key, not by the URL", async () => {
        const frontier = await open();
        const same = { key: "the same" };
        expect(await frontier.add([requestOf(A1, same), requestOf(A2, same)], NOW_MS)).toEqual([true, false]);
      });

      test("lets a revisit in though its key was seen, and counts it as seen once", async () => {
        const frontier = await withRequests(A1);
        expect(await frontier.add([requestOf(A1, { revisit: true })], NOW_MS)).toEqual([true]);
        expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 2, seen: 1 });
      });

      test("keeps every member of a request", async () => {
        const full = requestOf(A1, {
          depth: 3,
          priority: -2.5,
          referrer: "https://a.test/",
          seed: true,
          method: "POST",
          headers: { "x-a": "\u00e9\u{1F577}" },
          body: "a=1\n",
          tag: "t",
          data: { list: [1, "two", null, { deep: true }] },
          redirects: [{ url: "https://a.test/0", status: 301 }],
          attempts: 1,
        });
        const frontier = await withRequests(full);
        const [taken] = await frontier.take(await leaseOne(frontier), 1, NOW_MS);
        expect({ ...taken, order: 0 }).toEqual({ ...full, order: 0 });
      });

      test("holds a request with a time back until then", async () => {
        const frontier = await withRequests(requestOf(A1, { notBeforeMs: NOW_MS + 100 }));
        expect((await frontier.counts(NOW_MS)).nextDueMs).toBe(NOW_MS + 100);
        expect(await frontier.lease(1, NOW_MS + 99)).toEqual([]);
        const lease = await leaseOne(frontier, NOW_MS + 100);
        expect(urlsOf(await frontier.take(lease, 1, NOW_MS + 100))).toEqual([A1]);
      });
    });

    describe("lease()", () => {
      test("gives each host with work once, and no more than asked for", async () => {
        const frontier = await withRequests(A1, B1, A2, "https://c.test/");
        const first = await frontier.lease(2, NOW_MS);
        const rest = await frontier.lease(5, NOW_MS);
        expect([first.length, rest.length]).toEqual([2, 1]);
        const hosts = [...first, ...rest].map(({ host }) => host);
        expect(hosts.sort()).toEqual(["a.test", "b.test", "c.test"]);
        expect(new Set([...first, ...rest].map(({ id }) => id)).size).toBe(3);
        expect(await frontier.lease(5, NOW_MS)).toEqual([]);
        expect((await frontier.counts(NOW_MS)).nextDueMs).toBe(Number.POSITIVE_INFINITY);
      });

      test("gives the host that has been due the longest first", async () => {
        const frontier = await withRequests(A1, B1, "https://c.test/");
        for (const [i, lease] of (await frontier.lease(3, NOW_MS)).entries()) {
          await frontier.release(lease, PACE, NOW_MS + [30, 10, 20][i]!, NOW_MS);
        }
        const later = await frontier.lease(3, NOW_MS + 100);
        expect(later.map(({ host }) => host)).toEqual(["b.test", "c.test", "a.test"]);
      });

      test("gives no pace of a host that is new, and the saved one of a host that is not", async () => {
        const frontier = await withRequests(A1, A2);
        const lease = await leaseOne(frontier);
        expect(lease.pace).toBeUndefined();
        const pace: HostPace = {
          limit: 3,
          gapMs: 500,
          pausedUntilMs: NOW_MS + 5,
          lastStartMs: NOW_MS - 5,
          crawlDelayMs: 400,
          best: { ms: 12.5, timesMs: [12, 13] },
          failuresInRow: 2,
        };
        await frontier.release(lease, pace, NOW_MS, NOW_MS);
        expect((await leaseOne(frontier)).pace).toEqual(pace);
      });
    });

    describe("take()", () => {
      test("gives by priority, the higher first, then by order of acceptance", async () => {
        const ranks = [0, 5, -1, 5, 0.5];
        const frontier = await withRequests(
          ...ranks.map((priority, i) => requestOf(`https://a.test/${i}`, { priority })),
        );
        const taken = await frontier.take(await leaseOne(frontier), 10, NOW_MS);
        expect(urlsOf(taken)).toEqual([1, 3, 4, 0, 2].map((i) => `https://a.test/${i}`));
      });

      test("gives no more than asked for, and each once", async () => {
        const frontier = await withRequests(A1, A2, A3);
        const lease = await leaseOne(frontier);
        expect(urlsOf(await frontier.take(lease, 2, NOW_MS))).toEqual([A1, A2]);
        expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 1, inProgress: 2 });
        expect(urlsOf(await frontier.take(lease, 2, NOW_MS))).toEqual([A3]);
        expect(await frontier.take(lease, 2, NOW_MS)).toEqual([]);
      });

      test("gives what was added while the host is held, in its place", async () => {
        const frontier = await withRequests(A1, A2);
        const lease = await leaseOne(frontier);
        await frontier.take(lease, 1, NOW_MS);
        await frontier.add([requestOf(A3, { priority: 9 })], NOW_MS);
        expect(urlsOf(await frontier.take(lease, 5, NOW_MS))).toEqual([A3, A2]);
      });

      test("gives only its own host's", async () => {
        const frontier = await withRequests(A1, B1);
        for (const lease of await frontier.lease(2, NOW_MS)) {
          expect((await frontier.take(lease, 9, NOW_MS)).map(({ host }) => host)).toEqual([lease.host]);
        }
      });
    });

    describe("complete()", () => {
      test("ends a request and queues what it led to, here and elsewhere", async () => {
        const frontier = await withRequests(A1);
        const lease = await leaseOne(frontier);
        const [first] = await frontier.take(lease, 1, NOW_MS);
        const found = [requestOf(A1), requestOf(A2), requestOf(B1), requestOf(B1)];
        expect(await frontier.complete(lease, first!, found, NOW_MS)).toEqual([false, true, true, false]);
        expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 2, inProgress: 0, seen: 3 });
        expect(urlsOf(await frontier.take(lease, 5, NOW_MS))).toEqual([A2]);
        expect((await frontier.lease(5, NOW_MS)).map(({ host }) => host)).toEqual(["b.test"]);
      });

      test("refuses a request that is not in progress, and changes nothing", async () => {
        const frontier = await withRequests(A1, A2);
        const lease = await leaseOne(frontier);
        const [first] = await frontier.take(lease, 1, NOW_MS);
        await frontier.complete(lease, first!, [], NOW_MS);
        const before = await frontier.counts(NOW_MS);
        await expect(async () => frontier.complete(lease, first!, [requestOf(A3)], NOW_MS)).rejects.toThrow(
          /not in progress/,
        );
        expect(await frontier.counts(NOW_MS)).toEqual(before);
      });
    });

    describe("defer()", () => {
      test("puts a request back until a time, as it is handed in, and delays nothing else", async () => {
        const frontier = await withRequests(A1, A2);
        const lease = await leaseOne(frontier);
        const [first] = await frontier.take(lease, 1, NOW_MS);
        await frontier.defer(lease, { ...first!, attempts: 2 }, NOW_MS + 1_000, NOW_MS);
        expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 2, inProgress: 0 });
        expect(urlsOf(await frontier.take(lease, 5, NOW_MS + 999))).toEqual([A2]);
        const again = await frontier.take(lease, 5, NOW_MS + 1_000);
        expect(again).toMatchObject([{ url: A1, attempts: 2 }]);
      });

      test("keeps the request's place in the order", async () => {
        const frontier = await withRequests(A1, A2, A3);
        const lease = await leaseOne(frontier);
        const [first] = await frontier.take(lease, 1, NOW_MS);
        await frontier.defer(lease, first!, NOW_MS + 10, NOW_MS);
        expect(urlsOf(await frontier.take(lease, 5, NOW_MS + 10))).toEqual([A1, A2, A3]);
      });
    });

    describe("release()", () => {
      test("gives the host back, not before it is due, and queues what was taken and not ended", async () => {
        const frontier = await withRequests(A1, A2, A3);
        const lease = await leaseOne(frontier);
        const [first] = await frontier.take(lease, 2, NOW_MS);
        await frontier.complete(lease, first!, [], NOW_MS);
        await frontier.release(lease, PACE, NOW_MS + 500, NOW_MS);
        expect(await frontier.counts(NOW_MS)).toMatchObject({
          queued: 2,
          inProgress: 0,
          nextDueMs: NOW_MS + 500,
        });
        expect(await frontier.lease(1, NOW_MS + 499)).toEqual([]);
        const again = await leaseOne(frontier, NOW_MS + 500);
        expect(again.id).not.toBe(lease.id);
        expect(urlsOf(await frontier.take(again, 5, NOW_MS + 500))).toEqual([A2, A3]);
      });

      test("of a host without work gives it to nobody, until there is some", async () => {
        const frontier = await withRequests(A1);
        const lease = await leaseOne(frontier);
        const [first] = await frontier.take(lease, 1, NOW_MS);
        await frontier.complete(lease, first!, [], NOW_MS);
        await frontier.release(lease, PACE, NOW_MS + 500, NOW_MS);
        expect(await frontier.lease(1, NOW_MS + 5_000)).toEqual([]);
        await frontier.add([requestOf(A2)], NOW_MS);
        expect((await frontier.counts(NOW_MS)).nextDueMs).toBe(NOW_MS + 500);
        expect(await frontier.lease(1, NOW_MS + 499)).toEqual([]);
        await leaseOne(frontier, NOW_MS + 500);
      });

      test("of a host whose work is deferred gives it when that is due", async () => {
        const frontier = await withRequests(A1);
        const lease = await leaseOne(frontier);
        const [first] = await frontier.take(lease, 1, NOW_MS);
        await frontier.defer(lease, first!, NOW_MS + 900, NOW_MS);
        await frontier.release(lease, PACE, NOW_MS + 100, NOW_MS);
        expect((await frontier.counts(NOW_MS)).nextDueMs).toBe(NOW_MS + 900);
        expect(await frontier.lease(1, NOW_MS + 899)).toEqual([]);
        await leaseOne(frontier, NOW_MS + 900);
      });

      test("at -Infinity gives it back at once", async () => {
        const frontier = await withRequests(A1);
        await frontier.release(await leaseOne(frontier), PACE, Number.NEGATIVE_INFINITY, NOW_MS);
        await leaseOne(frontier);
      });

      test("makes the lease refuse every later operation", async () => {
        const frontier = await withRequests(A1, A2, A3);
        const lease = await leaseOne(frontier);
        const [first] = await frontier.take(lease, 1, NOW_MS);
        await frontier.release(lease, PACE, NOW_MS, NOW_MS);
        const before = await frontier.counts(NOW_MS);
        const late: (() => unknown)[] = [
          () => frontier.take(lease, 1, NOW_MS),
          () => frontier.complete(lease, first!, [requestOf("https://a.test/late")], NOW_MS),
          () => frontier.defer(lease, first!, NOW_MS, NOW_MS),
          () => frontier.release(lease, PACE, NOW_MS, NOW_MS),
        ];
        for (const operation of late)
          await expect(async () => operation()).rejects.toMatchObject({ name: "LeaseLostError" });
        expect(await frontier.counts(NOW_MS)).toEqual(before);
        // Nor does the next holder suffer by it.
        const next = await leaseOne(frontier);
        for (const operation of late)
          await expect(async () => operation()).rejects.toMatchObject({ name: "LeaseLostError" });
        expect(urlsOf(await frontier.take(next, 5, NOW_MS))).toEqual([A1, A2, A3]);
      });
    });

    test("renew() gives the leases that are lost", async () => {
      const frontier = await withRequests(A1, B1);
      const leases = await frontier.lease(2, NOW_MS);
      expect(await frontier.renew(leases, NOW_MS)).toEqual([]);
      await frontier.release(leases[0]!, PACE, NOW_MS, NOW_MS);
      expect((await frontier.renew(leases, NOW_MS)).map(({ id }) => id)).toEqual([leases[0]!.id]);
      expect(await frontier.renew([], NOW_MS)).toEqual([]);
    });

    describe("drop()", () => {
      test("forgets what is queued of a tag on all hosts, deferred or not, in order of acceptance", async () => {
        const tag = "old";
        const frontier = await withRequests(
          requestOf(B1, { tag }),
          requestOf(A1, { tag, notBeforeMs: NOW_MS + 1_000 }),
          A2,
          requestOf(A3, { tag, priority: 9 }),
        );
        expect(urlsOf(await frontier.drop({ tag }, NOW_MS))).toEqual([B1, A1, A3]);
        expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 1, inProgress: 0 });
        expect((await frontier.lease(5, NOW_MS)).map(({ host }) => host)).toEqual(["a.test"]);
        expect(await frontier.drop({ tag }, NOW_MS)).toEqual([]);
      });

      test("forgets what is queued of a host, and leaves what is in progress", async () => {
        const frontier = await withRequests(A1, A2, A3, B1);
        const lease = (await frontier.lease(5, NOW_MS)).find(({ host }) => host === "a.test")!;
        const [first] = await frontier.take(lease, 1, NOW_MS);
        expect(urlsOf(await frontier.drop({ host: "a.test" }, NOW_MS))).toEqual([A2, A3]);
        expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 1, inProgress: 1 });
        await frontier.complete(lease, first!, [], NOW_MS);
        expect(await frontier.take(lease, 5, NOW_MS)).toEqual([]);
      });

      test("leaves its keys seen", async () => {
        const frontier = await withRequests(A1);
        await frontier.drop({ host: "a.test" }, NOW_MS);
        expect(await frontier.add([requestOf(A1)], NOW_MS)).toEqual([false]);
      });
    });

    test("hasSeen(), where there is one, tells what was accepted", async () => {
      const frontier = await withRequests(A1);
      if (frontier.hasSeen === undefined) return;
      expect([frontier.hasSeen(A1), frontier.hasSeen(A2)]).toEqual([true, false]);
    });

    test("agrees with a plain model, whatever is done to it", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
          const frontier = await open();
          await compare(frontier, steps);
          await frontier.close?.();
        }),
        { numRuns: 60 },
      );
    });
  });
}

type Step =
  | {
      readonly do: "add";
      readonly pages: readonly number[];
      readonly priority: number;
      readonly waitMs: number;
    }
  | { readonly do: "lease" | "release"; readonly n: number }
  | { readonly do: "take"; readonly n: number }
  | { readonly do: "complete"; readonly n: number; readonly pages: readonly number[] }
  | { readonly do: "defer"; readonly n: number; readonly waitMs: number }
  | { readonly do: "drop"; readonly n: number }
  | { readonly do: "wait"; readonly waitMs: number };

const pages = fc.array(fc.nat(40), { maxLength: 6 });
const waitMs = fc.constantFrom(0, 10, 50);
const n = fc.nat(4);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("add" as const), pages, priority: fc.integer({ min: -2, max: 2 }), waitMs }),
  fc.record({ do: fc.constantFrom("lease" as const, "release" as const), n }),
  fc.record({ do: fc.constant("take" as const), n }),
  fc.record({ do: fc.constant("complete" as const), n, pages }),
  fc.record({ do: fc.constant("defer" as const), n, waitMs }),
  fc.record({ do: fc.constant("drop" as const), n }),
  fc.record({ do: fc.constant("wait" as const), waitMs }),
);

interface Entry {
  request: CrawlRequest;
  notBeforeMs: number;
}

/** Does the steps to a store and to a model of it, and compares what both say. */
async function compare(frontier: Frontier, steps: readonly Step[]): Promise<void> {
  let nowMs = NOW_MS;
  const seen = new Set<string>();
  let queued: Entry[] = [];
  const taken = new Map<string, CrawlRequest[]>();
  const leases = new Map<string, Lease>();
  const dueMs = new Map<string, number>();
  const make = (page: number, parts: Partial<CrawlRequest> = {}): CrawlRequest =>
    requestOf(`https://h${page % 4}.test/${page}`, { tag: `t${page % 3}`, ...parts });
  const accept = (requests: readonly CrawlRequest[]): boolean[] =>
    requests.map((request) => {
      if (seen.has(request.key)) return false;
      seen.add(request.key);
      queued.push({ request, notBeforeMs: request.notBeforeMs ?? Number.NEGATIVE_INFINITY });
      return true;
    });
  const anyLease = (n: number): Lease | undefined =>
    [...leases.values()].sort((a, b) => (a.host < b.host ? -1 : 1))[n % leases.size];
  const dueOf = (host: string): number => {
    const works = queued.filter(({ request }) => request.host === host).map(({ notBeforeMs }) => notBeforeMs);
    return works.length === 0
      ? Number.POSITIVE_INFINITY
      : Math.max(Math.min(...works), dueMs.get(host) ?? Number.NEGATIVE_INFINITY);
  };
  const hosts = ["h0.test", "h1.test", "h2.test", "h3.test"];

  for (const each of steps) {
    switch (each.do) {
      case "add": {
        const parts = each.waitMs === 0 ? {} : { notBeforeMs: nowMs + each.waitMs };
        const requests = each.pages.map((page) => make(page, { priority: each.priority, ...parts }));
        expect(await frontier.add(requests, nowMs)).toEqual(accept(requests));
        break;
      }
      case "lease": {
        const given = await frontier.lease(each.n, nowMs);
        const due = hosts.filter((host) => !leases.has(host) && dueOf(host) <= nowMs);
        expect(given.length).toBe(Math.min(each.n, due.length));
        for (const lease of given) {
          expect(due).toContain(lease.host);
          leases.set(lease.host, lease);
        }
        break;
      }
      case "release": {
        const lease = anyLease(each.n);
        if (lease === undefined) break;
        await frontier.release(lease, PACE, nowMs + each.n, nowMs);
        leases.delete(lease.host);
        dueMs.set(lease.host, nowMs + each.n);
        for (const request of taken.get(lease.host) ?? [])
          queued.push({ request, notBeforeMs: Number.NEGATIVE_INFINITY });
        taken.delete(lease.host);
        break;
      }
      case "take": {
        const lease = anyLease(each.n);
        if (lease === undefined) break;
        const due = queued
          .filter(({ request, notBeforeMs }) => request.host === lease.host && notBeforeMs <= nowMs)
          .sort((a, b) => b.request.priority - a.request.priority || a.request.order - b.request.order)
          .slice(0, each.n);
        const given = await frontier.take(lease, each.n, nowMs);
        expect(urlsOf(given)).toEqual(urlsOf(due.map(({ request }) => request)));
        queued = queued.filter((entry) => !due.includes(entry));
        taken.set(lease.host, [...(taken.get(lease.host) ?? []), ...given]);
        break;
      }
      case "complete":
      case "defer": {
        const lease = anyLease(each.n);
        const request = lease && taken.get(lease.host)?.shift();
        if (lease === undefined || request === undefined) break;
        if (each.do === "defer") {
          await frontier.defer(lease, request, nowMs + each.waitMs, nowMs);
          queued.push({ request, notBeforeMs: nowMs + each.waitMs });
        } else {
          const found = each.pages.map((page) => make(page));
          expect(await frontier.complete(lease, request, found, nowMs)).toEqual(accept(found));
        }
        break;
      }
      case "drop": {
        const what = each.n % 2 === 0 ? { host: hosts[each.n % 4]! } : { tag: `t${each.n % 3}` };
        const isMeant = ({ request }: Entry): boolean =>
          "host" in what ? request.host === what.host : request.tag === what.tag;
        const dropped = queued.filter(isMeant).map(({ request }) => request);
        queued = queued.filter((entry) => !isMeant(entry));
        expect(urlsOf(await frontier.drop(what, nowMs))).toEqual(
          urlsOf(dropped.sort((a, b) => a.order - b.order)),
        );
        break;
      }
      case "wait":
        nowMs += each.waitMs;
        break;
      default:
        each satisfies never;
    }
    const inProgress = [...taken.values()].reduce((sum, { length }) => sum + length, 0);
    const nextDueMs = Math.min(...hosts.filter((host) => !leases.has(host)).map(dueOf));
    expect(await frontier.counts(nowMs)).toEqual({
      queued: queued.length,
      inProgress,
      seen: seen.size,
      nextDueMs,
    });
  }
}
