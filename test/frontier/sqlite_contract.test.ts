import { describe, expect, test } from "vitest";
import { sqlite } from "../../src/frontier/sqlite.ts";
import { describeFrontier, requestOf } from "../../src/testing/frontier_contract.ts";
import { describeQueueBound } from "./queue_bound.ts";
import { freshFiles, hasSqlite } from "./sqlite_folder.ts";

describe.skipIf(!hasSqlite)(
  `sqlite()${hasSqlite ? "" : " (left out: this runtime has no node:sqlite)"}`,
  () => {
    const freshFile = freshFiles();
    describeFrontier("sqlite()", () => sqlite(freshFile()));
    describeFrontier("sqlite() with a Bloom filter", () =>
      sqlite(":memory:", { seen: { bloom: { capacity: 10_000, falsePositives: 1e-9 } } }),
    );

    describeQueueBound("sqlite()", (maxQueuedPerHost) => sqlite(freshFile(), { maxQueuedPerHost }));

    test("keeps to maxQueuedPerHost in a file with more, and goes on counting what found no room", () => {
      const path = freshFile();
      const requests = Array.from({ length: 9 }, (_, n) => requestOf(`https://a.test/${n}`));
      const first = sqlite(path);
      first.add(requests.slice(0, 4));
      first.close();
      const second = sqlite(path, { maxQueuedPerHost: 4 });
      expect(second.add(requests.slice(4, 6))).toEqual([false, false]);
      second.close();
      const third = sqlite(path, { maxQueuedPerHost: 5 });
      expect(third.add(requests.slice(6))).toEqual([true, false, false]);
      expect(third.counts()).toMatchObject({ queued: 5, overflowed: 4 });
      third.close();
      expect(third.counts()).toMatchObject({ queued: 5, overflowed: 4 });
    });

    test("refuses a bound that lets nothing in", () => {
      for (const maxQueuedPerHost of [0, Number.NaN, "9" as unknown as number]) {
        expect(() => sqlite(":memory:", { maxQueuedPerHost })).toThrow(
          `Cannot open a store as 'maxQueuedPerHost' must be at least 1: received ${maxQueuedPerHost}`,
        );
      }
    });

    test("a Bloom filter says when it holds more than it was made for", () => {
      const frontier = sqlite(":memory:", { seen: { bloom: { capacity: 50, falsePositives: 0.001 } } });
      const requests = Array.from({ length: 60 }, (_, n) => requestOf(`https://a.test/${n}`));
      frontier.add(requests.slice(0, 40));
      expect(frontier.counts()).not.toHaveProperty("isOverfull");
      frontier.add(requests);
      expect(frontier.counts()).toHaveProperty("isOverfull", true);
      frontier.close();
    });
  },
);
