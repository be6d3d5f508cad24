import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { manualTables } from "./manual_tables.ts";

const MANUAL = fileURLToPath(new URL("../../docs/command_line.md", import.meta.url));
const README = fileURLToPath(new URL("../../README.md", import.meta.url));

/** Tables without what aligns their columns, and without empty lines. */
function unaligned(markdown = ""): string {
  return markdown.replace(/ {2,}/g, " ").replace(/-{3,}/g, "---").replace(/\n+/g, "\n");
}

describe("docs/command_line.md", () => {
  test("has the flags as they are", () => {
    const manual = readFileSync(MANUAL, "utf8");
    const [, tables] = /<!-- flags -->\n\n(.*)<!-- end of flags -->/s.exec(manual) ?? [];
    expect(unaligned(tables)).toBe(unaligned(manualTables()));
  });

  test("is linked from the README", () => {
    expect(readFileSync(README, "utf8")).toContain("(docs/command_line.md)");
  });
});
