import { describe, expect, test } from "vitest";
import { eraseText, lineColumns, lineText } from "../../src/cli/terminal_line.ts";

const SPANS = [
  { text: "abc", colour: "red" as const },
  { text: "def" },
  { text: "ghi", colour: "dim" as const },
];

describe("lineText()", () => {
  test("cuts at the width, whatever the colours take", () => {
    expect(lineText(SPANS, 5, false)).toBe("abcde");
    expect(lineText(SPANS, 7, true)).toBe("\x1b[31mabc\x1b[0mdef\x1b[2mg\x1b[0m");
    expect(lineText(SPANS, 0, true)).toBe("");
  });
});

describe("lineColumns()", () => {
  test("counts what is shown", () => {
    expect(lineColumns(SPANS)).toBe(9);
  });
});

describe("eraseText()", () => {
  test("goes up one row less than there are, and is nothing where nothing is drawn", () => {
    expect(eraseText([], 80)).toBe("");
    expect(eraseText([10], 80)).toBe("\r\x1b[J");
    expect(eraseText([10, 0, 79], 80)).toBe("\r\x1b[2A\x1b[J");
    expect(eraseText([79], 40)).toBe("\r\x1b[1A\x1b[J");
  });
});
