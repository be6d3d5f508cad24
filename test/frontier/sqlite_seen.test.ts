import { describe, expect, test } from "vitest";
import { sqlite } from "../../src/frontier/sqlite.ts";
import { requestOf } from "../../src/testing/frontier_contract.ts";
import { hasSqlite } from "./sqlite_folder.ts";

const NOW_MS = 1_000;

// So many that dozens share a slot of the cache, and so few that none is written down yet.
const MANY = 3_000;

describe.skipIf(!hasSqlite)(
  `PrintTable${hasSqlite ? "" : " (left out: this runtime has no node:sqlite)"}`,
  () => {
    test("knows what was seen a moment ago, also where its cache has lost it", () => {
      const store = sqlite(":memory:");
      store.add([requestOf("https://a.test/1"), requestOf("https://a.test/2")]);
      const [lease] = store.lease(1, NOW_MS);
      const [first, second] = store.take(lease!, 2, NOW_MS);
      const found = Array.from({ length: MANY }, (_, n) => requestOf(`https://b.test/${n}`));
      expect(store.complete(lease!, first!, found).every(Boolean)).toBe(true);
      expect(store.complete(lease!, second!, found).some(Boolean)).toBe(false);
      expect(found.every(({ key }) => store.hasSeen(key))).toBe(true);
      expect(store.counts()).toMatchObject({ queued: MANY, seen: MANY + 2 });
      store.close();
    });
  },
);
