import { describe, expect, test } from "vitest";
import {
  A1,
  A2,
  A3,
  B1,
  leaseOne,
  NOW_MS,
  type OpenFrontier,
  openWith,
  requestOf,
  urlsOf,
} from "./frontier_contract_requests.ts";

/** What is queued, taken, ended, put back and dropped. */
export function describeQueue(open: OpenFrontier): void {
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
      const frontier = await openWith(open, A1);
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
      const frontier = await openWith(open, full);
      const [taken] = await frontier.take(await leaseOne(frontier), 1, NOW_MS);
      expect({ ...taken, order: 0 }).toEqual({ ...full, order: 0 });
    });

    test("holds a request with a time back until then", async () => {
      const frontier = await openWith(open, requestOf(A1, { notBeforeMs: NOW_MS + 100 }));
      expect((await frontier.counts(NOW_MS)).nextDueMs).toBe(NOW_MS + 100);
      expect(await frontier.lease(1, NOW_MS + 99)).toEqual([]);
      const lease = await leaseOne(frontier, NOW_MS + 100);
      expect(urlsOf(await frontier.take(lease, 1, NOW_MS + 100))).toEqual([A1]);
    });
  });

  describe("take()", () => {
    test("gives by priority, the higher first, then by order of acceptance", async () => {
      const ranks = [0, 5, -1, 5, 0.5];
      const frontier = await openWith(
        open,
        ...ranks.map((priority, i) => requestOf(`https://a.test/${i}`, { priority })),
      );
      const taken = await frontier.take(await leaseOne(frontier), 10, NOW_MS);
      expect(urlsOf(taken)).toEqual([1, 3, 4, 0, 2].map((i) => `https://a.test/${i}`));
    });

    test("gives no more than asked for, and each once", async () => {
      const frontier = await openWith(open, A1, A2, A3);
      const lease = await leaseOne(frontier);
      expect(urlsOf(await frontier.take(lease, 2, NOW_MS))).toEqual([A1, A2]);
      expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 1, inProgress: 2 });
      expect(urlsOf(await frontier.take(lease, 2, NOW_MS))).toEqual([A3]);
      expect(await frontier.take(lease, 2, NOW_MS)).toEqual([]);
    });

    test("gives what was added while the host is held, in its place", async () => {
      const frontier = await openWith(open, A1, A2);
      const lease = await leaseOne(frontier);
      await frontier.take(lease, 1, NOW_MS);
      await frontier.add([requestOf(A3, { priority: 9 })], NOW_MS);
      expect(urlsOf(await frontier.take(lease, 5, NOW_MS))).toEqual([A3, A2]);
    });

    test("gives only its own host's", async () => {
      const frontier = await openWith(open, A1, B1);
      for (const lease of await frontier.lease(2, NOW_MS)) {
        expect((await frontier.take(lease, 9, NOW_MS)).map(({ host }) => host)).toEqual([lease.host]);
      }
    });
  });

  describe("complete()", () => {
    test("ends a request and queues what it led to, here and elsewhere", async () => {
      const frontier = await openWith(open, A1);
      const lease = await leaseOne(frontier);
      const [first] = await frontier.take(lease, 1, NOW_MS);
      const found = [requestOf(A1), requestOf(A2), requestOf(B1), requestOf(B1)];
      expect(await frontier.complete(lease, first!, found, NOW_MS)).toEqual([false, true, true, false]);
      expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 2, inProgress: 0, seen: 3 });
      expect(urlsOf(await frontier.take(lease, 5, NOW_MS))).toEqual([A2]);
      expect((await frontier.lease(5, NOW_MS)).map(({ host }) => host)).toEqual(["b.test"]);
    });

    test("refuses a request that is not in progress, and changes nothing", async () => {
      const frontier = await openWith(open, A1, A2);
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
      const frontier = await openWith(open, A1, A2);
      const lease = await leaseOne(frontier);
      const [first] = await frontier.take(lease, 1, NOW_MS);
      await frontier.defer(lease, { ...first!, attempts: 2 }, NOW_MS + 1_000, NOW_MS);
      expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 2, inProgress: 0 });
      expect(urlsOf(await frontier.take(lease, 5, NOW_MS + 999))).toEqual([A2]);
      const again = await frontier.take(lease, 5, NOW_MS + 1_000);
      expect(again).toMatchObject([{ url: A1, attempts: 2 }]);
    });

    test("keeps the request's place in the order", async () => {
      const frontier = await openWith(open, A1, A2, A3);
      const lease = await leaseOne(frontier);
      const [first] = await frontier.take(lease, 1, NOW_MS);
      await frontier.defer(lease, first!, NOW_MS + 10, NOW_MS);
      expect(urlsOf(await frontier.take(lease, 5, NOW_MS + 10))).toEqual([A1, A2, A3]);
    });
  });

  describe("drop()", () => {
    test("forgets what is queued of a tag on all hosts, deferred or not, in order of acceptance", async () => {
      const tag = "old";
      const frontier = await openWith(
        open,
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
      const frontier = await openWith(open, A1, A2, A3, B1);
      const lease = (await frontier.lease(5, NOW_MS)).find(({ host }) => host === "a.test")!;
      const [first] = await frontier.take(lease, 1, NOW_MS);
      expect(urlsOf(await frontier.drop({ host: "a.test" }, NOW_MS))).toEqual([A2, A3]);
      expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 1, inProgress: 1 });
      await frontier.complete(lease, first!, [], NOW_MS);
      expect(await frontier.take(lease, 5, NOW_MS)).toEqual([]);
    });

    test("leaves its keys seen", async () => {
      const frontier = await openWith(open, A1);
      await frontier.drop({ host: "a.test" }, NOW_MS);
      expect(await frontier.add([requestOf(A1)], NOW_MS)).toEqual([false]);
    });
  });
}
