import { describe, expect, test } from "vitest";
import { type SqliteFrontier, type SqliteOptions, sqlite } from "../../src/frontier/sqlite.ts";
import { requestOf } from "../../src/testing/frontier_contract.ts";
import { copyAsLeft, freshFiles, hasSqlite, rawDatabase } from "./sqlite_folder.ts";

const NOW_MS = 1_000;

describe.skipIf(!hasSqlite)(
  `sqlite()${hasSqlite ? "" : " (left out: this runtime has no node:sqlite)"} goes on where a process died`,
  () => {
    const freshFile = freshFiles();

    /** The file as it lies there now, as if its process had died. */
    function copyOf(path: string): string {
      const copy = freshFile();
      copyAsLeft(path, copy);
      return copy;
    }

    /** Ends so many requests, each of which leads to two; gives the URLs that are left, in order. */
    function crawlSteps(store: SqliteFrontier, steps: number): string[] {
      const queue = [requestOf("https://a.test/1")];
      store.add(queue);
      const [lease] = store.lease(1, NOW_MS);
      for (let n = 1; n <= steps; n++) {
        const [taken] = store.take(lease!, 1, NOW_MS);
        expect(taken?.url).toBe(queue.shift()!.url);
        const found = [2 * n, 2 * n + 1].map((child) => requestOf(`https://a.test/${child}`));
        expect(store.complete(lease!, taken!, found)).toEqual([true, true]);
        queue.push(...found);
      }
      return queue.map(({ url }) => url);
    }

    test.each<[number, SqliteOptions]>([
      [5, {}],
      [200, {}],
      [2_000, {}],
      [2_000, { seen: { bloom: { capacity: 10_000, falsePositives: 1e-9 } } }],
    ])("after %i steps, as if it had not", (steps, options) => {
      const path = freshFile();
      const store = sqlite(path, options);
      const queue = crawlSteps(store, steps);
      const left = sqlite(copyOf(path), options);
      expect(left.counts()).toEqual({ ...store.counts(), nextDueMs: Number.NEGATIVE_INFINITY });
      for (let n = 1; n <= 2 * steps + 1; n++) expect(left.hasSeen(`https://a.test/${n}`)).toBe(true);
      const [lease] = left.lease(1, NOW_MS);
      expect(left.take(lease!, queue.length + 1, NOW_MS).map(({ url }) => url)).toEqual(queue);
      left.close();
      store.close();
    });

    test("gives what comes then a later place", () => {
      const path = freshFile();
      const store = sqlite(path);
      crawlSteps(store, 3);
      const left = sqlite(copyOf(path));
      left.add([requestOf("https://a.test/late")]);
      const [lease] = left.lease(1, NOW_MS);
      expect(left.take(lease!, 9, NOW_MS).at(-1)?.url).toBe("https://a.test/late");
      left.close();
      store.close();
    });

    test("not where what it left cannot be read", () => {
      const path = freshFile();
      const store = sqlite(path);
      crawlSteps(store, 1);
      const copy = copyOf(path);
      store.close();
      const database = rawDatabase(copy);
      database.exec("UPDATE request_log SET rest = '{' WHERE request = 3");
      database.close();
      expect(() => sqlite(copy)).toThrow(`Cannot read '${copy}' as its request 3 cannot be read`);
    });
  },
);
