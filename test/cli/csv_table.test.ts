import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvTable, readCsvTable } from "../../src/cli/csv_table.ts";

describe("readCsvTable()", () => {
  test("reads back what csvTable() wrote, whatever the cells", () => {
    const cells = fc.array(
      fc
        .string({ unit: "grapheme" })
        .filter((text) => !/^'[=+\-@]|^[\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text)),
      { minLength: 2, maxLength: 3 },
    );
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 5 }), (rows) => {
        expect(readCsvTable(csvTable(["a", "b"], rows))).toEqual([["a", "b"], ...rows]);
      }),
      { numRuns: 200 },
    );
  });

  test("takes any line end, and knows a quote that is never closed", () => {
    expect(readCsvTable("a,b\n1,\r\n")).toEqual([
      ["a", "b"],
      ["1", ""],
    ]);
    expect(readCsvTable('a,"b\n1')).toBeUndefined();
  });
});

describe("csvTable()", () => {
  test("makes no cell a formula", () => {
    expect(csvTable(["a"], [["=1+1"], ["x"]])).toBe("a\r\n'=1+1\r\nx\r\n");
  });
});
