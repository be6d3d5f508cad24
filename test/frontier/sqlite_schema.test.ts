import { describe, expect, test } from "vitest";
import { sqlite } from "../../src/frontier/sqlite.ts";
import { requestOf } from "../../src/testing/frontier_contract.ts";
import { freshFiles, hasSqlite, rawDatabase } from "./sqlite_folder.ts";

const NOW_MS = 1_000;

describe.skipIf(!hasSqlite)(
  `a file of sqlite()${hasSqlite ? "" : " (left out: this runtime has no node:sqlite)"}`,
  () => {
    const freshFile = freshFiles();

    test("of version 1 becomes one of this version when it is opened", () => {
      const path = freshFile();
      const first = sqlite(path);
      const key = "https://a.test/other";
      first.add([
        ...["https://a.test/0", "https://a.test/1"].map((url) => requestOf(url)),
        { ...requestOf("https://a.test/2"), key },
      ]);
      first.close();
      const database = rawDatabase(path);
      database.exec(
        `DROP TABLE request_log;
         ALTER TABLE store DROP COLUMN applied;
         UPDATE requests SET rest = json_set(rest, '$.key', coalesce(rest ->> 'key', rest ->> 'url'));
         PRAGMA user_version = 1`,
      );
      database.close();
      const second = sqlite(path);
      expect(second.counts()).toMatchObject({ queued: 3, seen: 3 });
      const [lease] = second.lease(1, NOW_MS);
      const taken = second.take(lease!, 3, NOW_MS);
      expect(taken.map(({ key }) => key)).toEqual(["https://a.test/0", "https://a.test/1", key]);
      for (const request of taken) second.complete(lease!, request, []);
      second.close();
      const third = sqlite(path);
      expect(third.counts()).toMatchObject({ queued: 0, seen: 3 });
      third.close();
    });
  },
);
