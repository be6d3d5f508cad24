import { describe, expect, it } from "vitest";
import { comparedFigures, comparedTable } from "../../bench/support/compared_table.ts";
import { clientFigures, siteTable } from "../../bench/support/crawl_table.ts";
import { markdownTable } from "../../bench/support/markdown_table.ts";
import { peerFigures, peerTable } from "../../bench/support/peer_table.ts";
import type { Run } from "../../bench/support/run.ts";

function run(pagesPerSecond: number, more: Partial<Run> = {}): Run {
  return { pages: 100, pagesPerSecond, cpuMicrosecondsPerPage: 250, peakBytes: 64_000_000, ...more };
}

describe("markdownTable()", () => {
  it("aligns its columns, the first to the left and the others to the right", () => {
    expect(
      markdownTable(
        ["name", "n"],
        [
          ["a", "1"],
          ["longer", "1,000"],
        ],
      ),
    ).toBe(
      ["| name   |     n |", "| ------ | ----: |", "| a      |     1 |", "| longer | 1,000 |"].join("\n"),
    );
  });

  it("refuses a row that does not fit", () => {
    expect(() => markdownTable(["a", "b"], [["1"]])).toThrow("Cannot put 1 cells below 2 headings: 1");
  });
});

describe("siteTable()", () => {
  const bare = [run(1_000), run(500), run(2_000)];
  const own = [run(900), run(400), run(1_900, { peakBytes: 80_000_000 })];

  it("has a row for each client that was measured, against the bare loop of the same round", () => {
    const clients = { bare: clientFigures(bare, bare), fetch: clientFigures(own, bare) };
    const table = siteTable({ site: "Site", pages: 2_000, runtimes: [{ runtime: "Node.js 20", clients }] });
    expect(rowsOf(table)).toEqual([
      ["runtime, client", "pages a second", "against the bare loop", "CPU a page, ms", "peak memory, MB"],
      ["Node.js 20, bare loop", "1,000 (500 to 2,000)", "", "0.25", "64"],
      ["Node.js 20, `crawl()`", "900 (400 to 1,900)", "0.90 (0.80 to 0.95)", "0.25", "80"],
    ]);
    expect(table.split("\n")[0]).toBe("**Site**: 2,000 pages");
  });

  it("keeps figures that JSON carries unchanged", () => {
    const figures = clientFigures(own, bare);
    expect(JSON.parse(JSON.stringify(figures))).toEqual(figures);
    expect(figures.againstBareLoop).toEqual({ median: 0.9, least: 0.8, most: 0.95 });
  });
});

describe("peerTable()", () => {
  it("tells how many times as fast the first is, round by round, and who missed pages", () => {
    const dragline = [run(1_000), run(3_000)];
    const slow = [run(100), run(100, { pages: 97 })];
    const figures = [
      peerFigures("Dragline", "", dragline, dragline),
      peerFigures("Slow", "", slow, dragline),
    ];
    expect(rowsOf(peerTable(figures, 100)).map((cells) => cells.slice(0, 3))).toEqual([
      ["crawler", "pages a second", "Dragline, times as fast"],
      ["Dragline", "3,000 (1,000 to 3,000)", ""],
      ["Slow (found 97 of 100 pages)", "100", "30 (10 to 30)"],
    ]);
  });
});

describe("comparedTable()", () => {
  it("gives the ratio of the pairs, below one where this tree has less", () => {
    const table = comparedTable([comparedFigures("µs", [1, 2, 3], [2, 4, 4])], "`v1`");
    expect(rowsOf(table)).toEqual([
      ["", "this tree", "`v1`", "ratio"],
      ["µs", "2.00 (1.00 to 3.00)", "4.00 (2.00 to 4.00)", "0.50 (0.50 to 0.75)"],
    ]);
  });
});

/** The cells of a table's rows, without the rule below the headings. */
function rowsOf(table: string): string[][] {
  return table
    .split("\n")
    .filter((line) => line.startsWith("|") && !line.startsWith("| --"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
}
