import {
  chmodSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { type SqliteErrorCode, type SqliteFrontier, sqlite } from "../../src/frontier/sqlite.ts";
import type { CrawlRequest } from "../../src/request.ts";
import { requestOf } from "../../src/testing/frontier_contract.ts";
import { copyAsLeft, freshFiles, hasSqlite, rawDatabase } from "./sqlite_folder.ts";

const NOW_MS = 1_000;

function requests(n: number, host = "a.test"): CrawlRequest[] {
  return Array.from({ length: n }, (_, i) => requestOf(`https://${host}/${i}`));
}

function codeOf(action: () => unknown): SqliteErrorCode | undefined {
  try {
    action();
  } catch (error) {
    expect(error).toMatchObject({ name: "SqliteError" });
    return (error as { code: SqliteErrorCode }).code;
  }
  return undefined;
}

describe.skipIf(hasSqlite)("sqlite() without node:sqlite", () => {
  test("says which runtimes have it, at once", () => {
    expect(() => sqlite("state.db")).toThrow(
      /^Cannot open 'state\.db' as this runtime has no node:sqlite: Node\.js has it from 22\.13 on/,
    );
    expect(codeOf(() => sqlite("state.db"))).toBe("unsupported");
  });
});

describe.skipIf(!hasSqlite)(
  `sqlite()${hasSqlite ? "" : " (left out: this runtime has no node:sqlite)"}`,
  () => {
    const freshFile = freshFiles();
    /** A store with requests, closed. */
    function storeWith(n: number): string {
      const path = freshFile();
      const store = sqlite(path);
      store.add(requests(n));
      store.close();
      return path;
    }

    /** The file as it lies there now, as if its process had died. */
    function copyOf(path: string): string {
      const copy = freshFile();
      copyAsLeft(path, copy);
      return copy;
    }

    /** What another program, or a fault, does to the file. */
    function alter(path: string, sql: string): void {
      const database = rawDatabase(path);
      database.exec(sql);
      database.close();
    }

    describe("opens", () => {
      test("a file that another process left, and one that is there and empty", () => {
        const path = freshFile();
        writeFileSync(path, "");
        const first = sqlite(path);
        first.add(requests(3));
        first.close();
        const second = sqlite(path);
        expect(second.counts()).toEqual({
          queued: 3,
          inProgress: 0,
          seen: 3,
          nextDueMs: Number.NEGATIVE_INFINITY,
        });
        second.close();
      });

      test("no file that is open already, and that file once it is closed", () => {
        const path = freshFile();
        const first = sqlite(path);
        expect(() => sqlite(path)).toThrow(`Cannot open '${path}' as another process or crawl has it open`);
        expect(codeOf(() => sqlite(path))).toBe("in-use");
        first.add(requests(1));
        first.close();
        sqlite(path).close();
      });

      test.each<[string, SqliteErrorCode, RegExp, (path: string) => void]>([
        [
          "a text",
          "not-a-database",
          /it is not a database/,
          (path) => writeFileSync(path, "Some notes. ".repeat(500)),
        ],
        [
          "another program's database",
          "foreign",
          /it is a database of another program$/,
          (path) => alter(path, "CREATE TABLE notes (text TEXT)"),
        ],
        [
          "a store of a newer version",
          "newer",
          /a newer version of Dragline wrote it: its form is 99, and this one knows up to 2$/,
          (path) => {
            sqlite(path).close();
            alter(path, "PRAGMA user_version = 99");
          },
        ],
        [
          "a store that lacks a table",
          "damaged",
          /it lacks a part of what a store has/,
          (path) => {
            sqlite(path).close();
            alter(path, "DROP TABLE requests");
          },
        ],
        ["a folder", "cannot-open", /or it is no file/, (path) => mkdirSync(path)],
      ])("no file that is %s", (_, code, message, make) => {
        const path = freshFile();
        make(path);
        const before = statSync(path).isFile() ? readFileSync(path) : undefined;
        expect(() => sqlite(path)).toThrow(message);
        expect(() => sqlite(path)).toThrow(`'${path}' as `);
        expect(codeOf(() => sqlite(path))).toBe(code);
        if (before !== undefined) expect(readFileSync(path)).toEqual(before);
      });

      test("no file in a folder that is not there", () => {
        const path = `${freshFile()}/state.db`;
        expect(codeOf(() => sqlite(path))).toBe("cannot-open");
      });

      test("no file that was cut short", () => {
        const path = storeWith(2_000);
        truncateSync(path, Math.floor(statSync(path).size / 2));
        expect(codeOf(() => sqlite(path))).toBe("damaged");
      });

      const { seteuid } = process;
      const isRoot = process.geteuid?.() === 0;
      test.skipIf(isRoot && seteuid === undefined)("no file that may not be written to", () => {
        const path = storeWith(1);
        chmodSync(path, 0o444);
        chmodSync(dirname(path), 0o755);
        // Nobody is kept from writing who is root.
        if (isRoot) process.seteuid?.(65_534);
        try {
          expect(codeOf(() => sqlite(path))).toBe("read-only");
        } finally {
          if (isRoot) process.seteuid?.(0);
        }
      });
    });

    describe("tells of damage", () => {
      test("where it meets it, and does nothing more", () => {
        const path = storeWith(2_000);
        const { size } = statSync(path);
        const file = openSync(path, "r+");
        // All but the first pages, which hold the header and the list of tables.
        writeSync(file, new Uint8Array(size - 40_960).fill(0xa5), 0, size - 40_960, 40_960);
        const store = sqlite(path);
        const use = (): unknown => store.take(store.lease(1, NOW_MS)[0]!, 2_000, NOW_MS);
        expect(codeOf(use)).toBe("damaged");
        expect(codeOf(() => store.add(requests(1)))).toBe("damaged");
        store.close();
      });

      test("in a request", () => {
        const path = storeWith(1);
        alter(path, "UPDATE requests SET rest = '{'");
        const store = sqlite(path);
        const [lease] = store.lease(1, NOW_MS);
        expect(() => store.take(lease!, 1, NOW_MS)).toThrow(
          `Cannot read '${path}' as its request 1 cannot be read`,
        );
      });
    });

    describe("ends with an error where the file is full", () => {
      test("and has all that was acknowledged, and nothing of what was not", () => {
        const path = freshFile();
        const store = sqlite(path, { maxBytes: 200_000 });
        let acknowledged = 0;
        const fill = (): void => {
          for (let i = 0; i < 1_000; i++) {
            store.add(requests(20, `h${i}.test`));
            acknowledged += 20;
          }
        };
        expect(fill).toThrow(
          `Cannot write to '${path}' as the disk is full, or the file has come to its most bytes`,
        );
        expect(codeOf(fill)).toBe("full");
        expect(acknowledged).toBeGreaterThan(100);
        expect(store.counts()).toMatchObject({ queued: acknowledged });
        const again = sqlite(path);
        expect(again.counts()).toMatchObject({ queued: acknowledged, seen: acknowledged });
        expect(again.hasSeen(`https://h${acknowledged / 20 - 1}.test/19`)).toBe(true);
        expect(again.hasSeen(`https://h${acknowledged / 20}.test/0`)).toBe(false);
        again.close();
      });
    });

    describe("options", () => {
      test.each<[unknown, string]>([
        [{ sen: "exact" }, "there is no option 'sen'"],
        [{ maxBytes: 0 }, "'maxBytes' must be a number above 0: received 0"],
        [
          { seen: "all" },
          `'seen' must be "exact" or { bloom: { capacity, falsePositives } }: received "all"`,
        ],
        [
          { seen: { bloom: { capacity: 0, falsePositives: 0.1 } } },
          "'seen.bloom.capacity' must be a whole number of 1 or more: received 0",
        ],
        [
          { seen: { bloom: { capacity: 1, falsePositives: 1 } } },
          "'seen.bloom.falsePositives' must be above 0 and below 1: received 1",
        ],
      ])("%j are refused", (options, why) => {
        expect(() => sqlite(freshFile(), options as object)).toThrow(`Cannot open a store as ${why}`);
      });

      test("`seen` is what the file was made with", () => {
        const path = freshFile();
        const seen = { bloom: { capacity: 100, falsePositives: 0.01 } };
        sqlite(path, { seen }).close();
        sqlite(path, { seen }).close();
        expect(() => sqlite(path, { seen: "exact" })).toThrow(
          /'seen' must be what it was made with, \{"bloom":/,
        );
        const store = sqlite(path);
        store.close();
      });
    });

    describe("a Bloom filter", () => {
      const open = (path: string): SqliteFrontier =>
        sqlite(path, { seen: { bloom: { capacity: 20_000, falsePositives: 0.01 } } });

      test("is the same when the file is opened again, from what was written whole and from the log", () => {
        const path = freshFile();
        const store = open(path);
        // More than one log, so that both hold a part.
        for (let i = 0; i < 60; i++) store.add(requests(100, `h${i}.test`));
        const { seen } = store.counts();
        const copy = copyOf(path);
        store.close();
        for (const opened of [open(path), open(copy)]) {
          expect(opened.counts().seen).toBe(seen);
          for (let i = 0; i < 60; i++) expect(opened.hasSeen(`https://h${i}.test/99`)).toBe(true);
          opened.close();
        }
      });

      test("holds its promise of false positives to within a fifth", () => {
        const store = open(freshFile());
        for (let i = 0; i < 200; i++) store.add(requests(100, `h${i}.test`));
        let wrong = 0;
        for (let i = 0; i < 50_000; i++) if (store.hasSeen(`https://other.test/${i}`)) wrong++;
        expect(wrong / 50_000).toBeLessThan(0.012);
        store.close();
      });

      test("never takes a seed for seen by mistake", () => {
        const store = sqlite(freshFile(), { seen: { bloom: { capacity: 10, falsePositives: 0.5 } } });
        store.add(requests(500));
        const seeds = requests(100, "seeds.test").map((request) => ({ ...request, seed: true as const }));
        expect(store.add(seeds).every(Boolean)).toBe(true);
        expect(store.add(seeds).some(Boolean)).toBe(false);
        store.close();
      });
    });

    test("a redirect's target takes the place of what it follows on, before all that waits behind", () => {
      const store = sqlite(freshFile());
      store.add(requests(3));
      const [lease] = store.lease(1, NOW_MS);
      const [first] = store.take(lease!, 1, NOW_MS);
      const target = { ...first!, url: "https://a.test/to", key: "https://a.test/to" };
      store.complete(lease!, first!, [{ ...target, redirects: [{ url: first!.url, status: 301 }] }]);
      const rest = store.take(lease!, 3, NOW_MS);
      expect(rest.map(({ url }) => url)).toEqual([
        "https://a.test/to",
        "https://a.test/1",
        "https://a.test/2",
      ]);
      store.close();
    });

    test("saveState() keeps a value, whole, at once and in place of the one before", () => {
      const path = freshFile();
      const store = sqlite(path);
      expect(store.loadState()).toBeUndefined();
      store.saveState({ pages: 1 });
      store.saveState({ pages: 2, list: ["\u{1F577}", null] });
      const left = sqlite(copyOf(path));
      expect(left.loadState()).toEqual({ pages: 2, list: ["\u{1F577}", null] });
      left.close();
      store.close();
    });

    test("close() may be called twice, and ends all else", () => {
      const path = freshFile();
      const store = sqlite(path);
      store.add(requests(2));
      store.close();
      store.close();
      expect(() => store.add(requests(1))).toThrow(`Cannot use '${path}' as it was closed`);
      expect(store.counts()).toEqual({
        queued: 2,
        inProgress: 0,
        seen: 2,
        nextDueMs: Number.POSITIVE_INFINITY,
      });
    });
  },
);
