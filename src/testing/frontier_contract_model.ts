import fc from "fast-check";
import { expect, test } from "vitest";
import type { Frontier, Lease } from "../frontier/frontier.ts";
import type { CrawlRequest } from "../request.ts";
import { NOW_MS, type OpenFrontier, PACE, requestOf, urlsOf } from "./frontier_contract_requests.ts";

/** Does whatever may be done to a store and to a model of it, and compares what both say. */
export function testAgainstModel(open: OpenFrontier): void {
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
