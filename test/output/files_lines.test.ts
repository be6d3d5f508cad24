import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type FileLine, type LineOptions, readLines } from "../../src/output/files_lines.ts";
import { temporaryFolder } from "./folder.ts";

async function linesOf(content: string, options?: LineOptions): Promise<FileLine[]> {
  const path = join(await temporaryFolder(), "lines");
  await writeFile(path, content);
  const lines: FileLine[] = [];
  for await (const line of readLines(path, options)) lines.push(line);
  return lines;
}

describe("readLines()", () => {
  test("gives each line with the octets up to its end", async () => {
    expect(await linesOf("é\r\n\nb")).toEqual([
      { text: "é", end: 4, isEnded: true },
      { text: "", end: 5, isEnded: true },
      { text: "b", end: 6, isEnded: false },
    ]);
    expect(await linesOf("")).toEqual([]);
  });

  test("keeps a line feed within quotes, when it is asked to", async () => {
    const content = 'a,"b\nc ""d"""\ne\n"f\n';
    expect((await linesOf(content, { quotes: true })).map(({ text }) => text)).toEqual([
      'a,"b\nc ""d"""',
      "e",
      '"f\n',
    ]);
    expect(await linesOf(content)).toHaveLength(4);
  });

  test("joins a line that is read in pieces", async () => {
    const long = "é\u{1f577}".repeat(40_000);
    expect((await linesOf(`x\n${long}\ny\n`)).map(({ text }) => text === long || text)).toEqual([
      "x",
      true,
      "y",
    ]);
  });

  test("names the path that it cannot read", async () => {
    await expect(readLines("/none/at/all").next()).rejects.toThrow(
      "Cannot read '/none/at/all': there is no such file or folder (ENOENT)",
    );
  });
});
