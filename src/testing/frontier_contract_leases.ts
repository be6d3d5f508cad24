import { describe, expect, test } from "vitest";
import type { HostPace } from "../politeness/host.ts";
import {
  A1,
  A2,
  A3,
  B1,
  leaseOne,
  NOW_MS,
  type OpenFrontier,
  openWith,
  PACE,
  requestOf,
  urlsOf,
} from "./frontier_contract_requests.ts";

/** Who holds which host, and until when. */
export function describeLeases(open: OpenFrontier): void {
  describe("lease()", () => {
    test("gives each host with work once, and no more than asked for", async () => {
      const frontier = await openWith(open, A1, B1, A2, "https://c.test/");
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
      const frontier = await openWith(open, A1, B1, "https://c.test/");
      for (const [i, lease] of (await frontier.lease(3, NOW_MS)).entries()) {
        await frontier.release(lease, PACE, NOW_MS + [30, 10, 20][i]!, NOW_MS);
      }
      const later = await frontier.lease(3, NOW_MS + 100);
      expect(later.map(({ host }) => host)).toEqual(["b.test", "c.test", "a.test"]);
    });

    test("gives no pace of a host that is new, and the saved one of a host that is not", async () => {
      const frontier = await openWith(open, A1, A2);
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

  describe("release()", () => {
    test("gives the host back, not before it is due, and queues what was taken and not ended", async () => {
      const frontier = await openWith(open, A1, A2, A3);
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
      const frontier = await openWith(open, A1);
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
      const frontier = await openWith(open, A1);
      const lease = await leaseOne(frontier);
      const [first] = await frontier.take(lease, 1, NOW_MS);
      await frontier.defer(lease, first!, NOW_MS + 900, NOW_MS);
      await frontier.release(lease, PACE, NOW_MS + 100, NOW_MS);
      expect((await frontier.counts(NOW_MS)).nextDueMs).toBe(NOW_MS + 900);
      expect(await frontier.lease(1, NOW_MS + 899)).toEqual([]);
      await leaseOne(frontier, NOW_MS + 900);
    });

    test("at -Infinity gives it back at once", async () => {
      const frontier = await openWith(open, A1);
      await frontier.release(await leaseOne(frontier), PACE, Number.NEGATIVE_INFINITY, NOW_MS);
      await leaseOne(frontier);
    });

    test("makes the lease refuse every later operation", async () => {
      const frontier = await openWith(open, A1, A2, A3);
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
    const frontier = await openWith(open, A1, B1);
    const leases = await frontier.lease(2, NOW_MS);
    expect(await frontier.renew(leases, NOW_MS)).toEqual([]);
    await frontier.release(leases[0]!, PACE, NOW_MS, NOW_MS);
    expect((await frontier.renew(leases, NOW_MS)).map(({ id }) => id)).toEqual([leases[0]!.id]);
    expect(await frontier.renew([], NOW_MS)).toEqual([]);
  });
}
