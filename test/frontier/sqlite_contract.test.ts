import { describe, expect, test } from "vitest";
import { sqlite } from "../../src/frontier/sqlite.ts";
import { describeFrontier, requestOf } from "../../src/testing/frontier_contract.ts";
import { freshFiles, hasSqlite } from "./sqlite_folder.ts";

describe.skipIf(!hasSqlite)(
  `sqlite()${hasSqlite ? "" : " (left out: this runtime has no node:sqlite)"}`,
  () => {
    const freshFile = freshFiles();
    describeFrontier("sqlite()", () => sqlite(freshFile()));
    describeFrontier("sqlite() with a Bloom filter", () =>
      sqlite(":memory:", { seen: { bloom: { capacity: 10_000, falsePositives: 1e-9 } } }),
    );

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
