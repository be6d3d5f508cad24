import { describe, expect, test } from "vitest";
import type { Frontier } from "../../src/frontier/frontier.ts";
import { requestOf } from "../../src/testing/frontier_contract.ts";

const NOW_MS = Date.UTC(2026, 10, 30);
const A1 = "https://a.test/1";
const A2 = "https://a.test/2";
const A3 = "https://a.test/3";
const B1 = "https://b.test/1";

/**
 * What the option `maxQueuedPerHost` means, whatever the store.
 *
 * @param open gives a new, empty store with that bound
 */
export function describeQueueBound(
  name: string,
  open: (maxQueuedPerHost: number) => Frontier | Promise<Frontier>,
): void {
  describe(`${name} with maxQueuedPerHost`, () => {
    test("leaves out what goes beyond, counts it, and takes it in when there is room", async () => {
      const frontier = await open(2);
      const deferred = requestOf(A2, { notBeforeMs: NOW_MS + 5 });
      const requests = [requestOf(A1), deferred, requestOf(A3), requestOf(B1)];
      expect(await frontier.add(requests, NOW_MS)).toEqual([true, true, false, true]);
      // What was seen is no overflow.
      expect(await frontier.add([requestOf(A1), requestOf(A3)], NOW_MS)).toEqual([false, false]);
      expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 3, seen: 3, overflowed: 2 });
      const lease = (await frontier.lease(2, NOW_MS)).find(({ host }) => host === "a.test")!;
      const [first] = await frontier.take(lease, 1, NOW_MS);
      expect(await frontier.complete(lease, first!, [requestOf(A3)], NOW_MS)).toEqual([true]);
      expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 3, overflowed: 2 });
    });

    test("counts what waits alone, not what is in progress, and again what comes back", async () => {
      const frontier = await open(2);
      await frontier.add([requestOf(A1), requestOf(A2)], NOW_MS);
      const [lease] = await frontier.lease(1, NOW_MS);
      const [first, second] = await frontier.take(lease!, 2, NOW_MS);
      expect(await frontier.add([requestOf(A3)], NOW_MS)).toEqual([true]);
      await frontier.defer(lease!, first!, NOW_MS + 5, NOW_MS);
      expect(await frontier.add([requestOf(`${A3}0`)], NOW_MS)).toEqual([false]);
      // What ends makes no room where it did not wait.
      expect(await frontier.complete(lease!, second!, [requestOf(`${A3}1`)], NOW_MS)).toEqual([false]);
      await frontier.drop({ host: "a.test" }, NOW_MS);
      expect(await frontier.add([requestOf(`${A3}2`)], NOW_MS)).toEqual([true]);
      expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 1, inProgress: 0, overflowed: 2 });
    });

    test("counts a host's requests once it is given back", async () => {
      const frontier = await open(1);
      await frontier.add([requestOf(A1)], NOW_MS);
      const [lease] = await frontier.lease(1, NOW_MS);
      await frontier.take(lease!, 1, NOW_MS);
      await frontier.release(lease!, { limit: 1, gapMs: 250 }, NOW_MS, NOW_MS);
      expect(await frontier.add([requestOf(A2)], NOW_MS)).toEqual([false]);
    });

    test("has room for seeds, for what comes back and for redirects' targets", async () => {
      const frontier = await open(1);
      const redirects = [{ url: A1, status: 301 }];
      const requests = [
        requestOf(A1),
        requestOf(A1, { revisit: true }),
        requestOf(A2, { seed: true }),
        requestOf(A3, { redirects }),
      ];
      expect(await frontier.add(requests, NOW_MS)).toEqual([true, true, true, true]);
      expect(await frontier.counts(NOW_MS)).toMatchObject({ queued: 4, overflowed: 0 });
    });
  });
}
