import { describe } from "vitest";
import { sqlite } from "../../src/frontier/sqlite.ts";
import { describeFrontier } from "../../src/testing/frontier_contract.ts";
import { freshFiles, hasSqlite } from "./sqlite_folder.ts";

describe.skipIf(!hasSqlite)(
  `sqlite()${hasSqlite ? "" : " (left out: this runtime has no node:sqlite)"}`,
  () => {
    const freshFile = freshFiles();
    describeFrontier("sqlite()", () => sqlite(freshFile()));
    describeFrontier("sqlite() with a Bloom filter", () =>
      sqlite(":memory:", { seen: { bloom: { capacity: 10_000, falsePositives: 1e-9 } } }),
    );
  },
);
