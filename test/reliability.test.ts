import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../scripts/source_files.ts";

const page = readFileSync(join(ROOT, "docs/reliability.md"), "utf8");

/** The cells of the table of cases. */
const rows = page
  .split("\n")
  .filter((line) => /^\| s-\d\d /.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));

test("docs/reliability.md has each of the 36 cases once", () => {
  const cases = Array.from({ length: 36 }, (_, i) => `s-${String(i + 1).padStart(2, "0")}`);
  expect(rows.map(([, name]) => name)).toEqual(cases);
});

test.each(rows)("docs/reliability.md says of%s %s what holds it", (...[, , , link = "", words = ""]) => {
  const path = /\]\(\.\.\/([^)]+)\)/.exec(link)?.[1] ?? "";
  expect(existsSync(join(ROOT, path)), path).toBe(true);
  expect(readFileSync(join(ROOT, path), "utf8")).toContain(words);
});
