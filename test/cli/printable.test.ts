import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printable } from "../../src/cli/printable.ts";

describe("printable()", () => {
  test("leaves no escape sequence that a terminal would obey", () => {
    expect(printable("a\x1b[2Jb\x1b]0;title\x07c")).toBe("a [2Jb ]0;title c");
    expect(printable("a\x9b31mb\x85c")).toBe("a 31mb c");
  });

  test("makes one line without tabs of many", () => {
    expect(printable("  one\r\n\ttwo\u2028three\u2029 four\x7f ")).toBe("one two three four");
  });

  test("takes the controls of writing direction away", () => {
    expect(printable("safe\u202egpj.exe\u2066x\u200f")).toBe("safe gpj.exe x");
  });

  test("keeps letters of every script, accents and emoji as they are", () => {
    for (const text of ["Größe", "日本語", "עברית", "नमस्ते", "👩‍🚀", "e\u0301"])
      expect(printable(text)).toBe(text);
  });

  test("of any text at all gives one line without control characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(printable(text)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/);
      }),
      { numRuns: 500 },
    );
  });
});
