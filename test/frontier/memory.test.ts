import { describe, expect, test } from "vitest";
import { BloomFilter } from "../../src/frontier/bloom.ts";
import { MemoryFrontier, memory } from "../../src/frontier/memory.ts";
import { SeenTable } from "../../src/frontier/seen.ts";
import { describeFrontier, requestOf } from "../../src/testing/frontier_contract.ts";
import { describeQueueBound } from "./queue_bound.ts";

describeFrontier("memory()", memory);
describeQueueBound("memory()", (maxQueuedPerHost) => memory({ maxQueuedPerHost }));
describeFrontier("MemoryFrontier", () => new MemoryFrontier(new SeenTable(7)));
describeFrontier(
  "MemoryFrontier with a Bloom filter",
  () => new MemoryFrontier(new BloomFilter({ capacity: 10_000, falsePositives: 1e-9 }, 7)),
);

describe("MemoryFrontier", () => {
  test("keeps its order over 20,000 requests of one host, with hosts in between", () => {
    const frontier = new MemoryFrontier();
    const requests = Array.from({ length: 20_000 }, (_, i) =>
      requestOf(`https://${i % 100 === 99 ? `h${i}` : "a"}.test/${i}`, { priority: -(i % 7) }),
    );
    frontier.add(requests);
    const lease = frontier.lease(1_000, 0).find(({ host }) => host === "a.test")!;
    const taken = [];
    for (;;) {
      const some = frontier.take(lease, 300, 0);
      if (some.length === 0) break;
      taken.push(...some);
    }
    const expected = requests
      .filter(({ host }) => host === "a.test")
      .sort((a, b) => b.priority - a.priority || a.order - b.order);
    expect(taken).toEqual(expected);
    expect(frontier.counts()).toMatchObject({ queued: 200, inProgress: 19_800, seen: 20_000 });
  });
});
