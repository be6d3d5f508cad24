import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { JournalFile } from "../../src/cli/journal_file.ts";
import { filesIn, temporaryFolder } from "../output/folder.ts";

async function valuesOf(journal: JournalFile): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of journal.values()) values.push(value);
  return values;
}

describe("JournalFile", () => {
  test("keeps what was appended over its end, but for a torn line", async () => {
    const path = join(await temporaryFolder(), "j");
    const first = await JournalFile.open(path, "continue");
    await first.append({ a: 1 });
    await first.close();
    await appendFile(path, '{"b":');
    const second = await JournalFile.open(path, "continue");
    await second.append(["c\n"]);
    expect(await valuesOf(second)).toEqual([{ a: 1 }, ["c\n"]]);
    await second.close();
    expect(await readFile(path, "utf8")).toBe('{"a":1}\n["c\\n"]\n');
  });

  test("forgets what is there where it is replaced, and is gone when removed", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "j");
    const first = await JournalFile.open(path, "continue");
    await first.append(1);
    await first.close();
    const second = await JournalFile.open(path, "replace");
    expect(await valuesOf(second)).toEqual([]);
    await second.remove();
    expect(await filesIn(folder)).toEqual([]);
  });
});
