import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { toCsvFile, toJsonLinesFile } from "../../src/output/files.ts";
import { filesIn, temporaryFolder } from "./folder.ts";
import { endless, failureOf, pageOf, skipOf, streamOf } from "./results.ts";

const page = (n: number) => pageOf(`https://a.test/${n}`);
const fields = ["type", "url", "tag"] as const;
/** What stands in a file of these pages. */
const lines = (...numbers: number[]): string =>
  numbers.map((n) => `{"type":"page","url":"https://a.test/${n}"}\n`).join("");
const rows = (...numbers: number[]): string => numbers.map((n) => `page,https://a.test/${n},\r\n`).join("");
const HEADER = "type,url,tag\r\n";

describe("toJsonLinesFile()", () => {
  test("gives the file its name when all of it is there", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "crawl.jsonl");
    const writer = toJsonLinesFile(path, { fields }).getWriter();
    await writer.write(page(1));
    expect(await filesIn(folder)).toEqual(["crawl.jsonl.partial"]);
    expect(await readFile(`${path}.partial`, "utf8")).toBe(lines(1));
    await writer.write(failureOf("https://a.test/2", new Error("refused")));
    await writer.close();
    expect(await filesIn(folder)).toEqual(["crawl.jsonl"]);
    expect(await readFile(path, "utf8")).toBe(`${lines(1)}{"type":"failure","url":"https://a.test/2"}\n`);
  });

  test("is an empty file where there was nothing to write", async () => {
    const path = join(await temporaryFolder(), "none.jsonl");
    await streamOf().pipeTo(toJsonLinesFile(path));
    expect(await readFile(path, "utf8")).toBe("");
  });

  test("goes on with a file that is there, and does not repeat what it has", async () => {
    const path = join(await temporaryFolder(), "crawl.jsonl");
    await streamOf(page(1), skipOf("https://a.test/2")).pipeTo(toJsonLinesFile(path, { fields }));
    await streamOf(page(1), page(2), page(3), page(3)).pipeTo(toJsonLinesFile(path, { fields }));
    const skip = '{"type":"skip","url":"https://a.test/2"}\n';
    // The same page twice in one run is a page that was asked for again.
    expect(await readFile(path, "utf8")).toBe(lines(1) + skip + lines(2, 3, 3));
  });

  test("goes on from every place at which a kill can have cut the file", async () => {
    const folder = await temporaryFolder();
    const all = new TextEncoder().encode(lines(1, 2));
    for (let cut = 0; cut <= all.length; cut++) {
      const path = join(folder, `${cut}.jsonl`);
      await writeFile(`${path}.partial`, all.subarray(0, cut));
      await streamOf(page(1), page(2), page(3)).pipeTo(toJsonLinesFile(path, { fields }));
      expect(await readFile(path, "utf8")).toBe(lines(1, 2, 3));
    }
    expect((await filesIn(folder)).filter((name) => name.endsWith(".partial"))).toEqual([]);
  });

  test("keeps the last line of a finished file that lacks its line feed", async () => {
    const path = join(await temporaryFolder(), "crawl.jsonl");
    await writeFile(path, `not of ours\n${lines(1).trimEnd()}`);
    await streamOf(page(1), page(2)).pipeTo(toJsonLinesFile(path, { fields }));
    expect(await readFile(path, "utf8")).toBe(`not of ours\n${lines(1, 2)}`);
  });

  test("replaces a file only when the new one is finished", async () => {
    const path = join(await temporaryFolder(), "crawl.jsonl");
    await writeFile(path, "old");
    const writer = toJsonLinesFile(path, { fields, existing: "replace" }).getWriter();
    await writer.write(page(1));
    expect(await readFile(path, "utf8")).toBe("old");
    await writer.close();
    expect(await readFile(path, "utf8")).toBe(lines(1));
  });

  test("does not choose between a finished file and an unfinished one", async () => {
    const path = join(await temporaryFolder(), "crawl.jsonl");
    await writeFile(path, "old");
    await writeFile(`${path}.partial`, "new");
    await expect(streamOf().pipeTo(toJsonLinesFile(path))).rejects.toThrow(
      `Cannot continue '${path}' as '${path}.partial' is there too`,
    );
    expect([await readFile(path, "utf8"), await readFile(`${path}.partial`, "utf8")]).toEqual(["old", "new"]);
  });

  test("leaves whole lines when the crawl is aborted", async () => {
    const path = join(await temporaryFolder(), "crawl.jsonl");
    const abort = new AbortController();
    const source = endless((n) => {
      if (n === 4) abort.abort(new Error("enough"));
      return page(n);
    });
    const writing = source.stream.pipeTo(toJsonLinesFile(path, { fields }), { signal: abort.signal });
    await expect(writing).rejects.toThrow("enough");
    expect(existsSync(path)).toBe(false);
    expect(await readFile(`${path}.partial`, "utf8")).toMatch(/^(?:\{"type":"page","url":"[^"]+"\}\n){3,4}$/);
  });

  test("asks for the next result when the last one is written", async () => {
    const path = join(await temporaryFolder(), "crawl.jsonl");
    const abort = new AbortController();
    const source = endless((n) => {
      if (n === 20) abort.abort();
      return page(n);
    });
    await expect(
      source.stream.pipeTo(toJsonLinesFile(path, { fields }), { signal: abort.signal }),
    ).rejects.toThrow();
    expect((await readFile(`${path}.partial`, "utf8")).split("\n").length - 1).toBeGreaterThanOrEqual(19);
  });

  test.runIf(existsSync("/dev/full"))("tells that the disk is full, and ends the crawl", async () => {
    const path = join(await temporaryFolder(), "crawl.jsonl");
    await symlink("/dev/full", `${path}.partial`);
    const source = endless(page);
    await expect(source.stream.pipeTo(toJsonLinesFile(path, { existing: "replace" }))).rejects.toThrow(
      `Cannot write '${path}.partial': the disk is full (ENOSPC)`,
    );
    expect(source.asked).toBeLessThanOrEqual(2);
    expect(source.cancelled).toBeInstanceOf(Error);
  });

  test("tells the step and the path where there is no folder, or a folder is in the way", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "none/crawl.jsonl");
    await expect(streamOf().pipeTo(toJsonLinesFile(path))).rejects.toThrow(
      `Cannot open '${path}.partial': there is no such file or folder (ENOENT)`,
    );
    await mkdir(join(folder, "x.jsonl.partial"));
    await expect(streamOf().pipeTo(toJsonLinesFile(join(folder, "x.jsonl")))).rejects.toThrow(
      `Cannot read '${join(folder, "x.jsonl.partial")}': it is a folder (EISDIR)`,
    );
  });

  test("refuses options that are none", () => {
    expect(() => toJsonLinesFile("")).toThrow("'path' must be the path of a file");
    expect(() => toJsonLinesFile("x", { existing: "append" as "continue" })).toThrow(
      `'existing' must be one of "continue", "replace"`,
    );
    expect(() => toJsonLinesFile("x", { header: true } as object)).toThrow("no option 'header'");
  });
});

describe("toCsvFile()", () => {
  test("writes its header once, and goes on with a file that is there", async () => {
    const path = join(await temporaryFolder(), "crawl.csv");
    await streamOf(page(1)).pipeTo(toCsvFile(path, { fields }));
    await streamOf(page(1), page(2)).pipeTo(toCsvFile(path, { fields }));
    expect(await readFile(path, "utf8")).toBe(HEADER + rows(1, 2));
  });

  test("goes on from every place at which a kill can have cut the file, line breaks in its cells or none", async () => {
    const folder = await temporaryFolder();
    const first = pageOf("https://a.test/1?,", "", { tag: 'two\r\nlines, "so"' });
    const written = `${HEADER}page,"https://a.test/1?,","two\r\nlines, ""so"""\r\n`;
    const all = new TextEncoder().encode(written + rows(2));
    for (let cut = 0; cut <= all.length; cut++) {
      const path = join(folder, `${cut}.csv`);
      await writeFile(`${path}.partial`, all.subarray(0, cut));
      await streamOf(first, page(2), page(3)).pipeTo(toCsvFile(path, { fields }));
      expect(await readFile(path, "utf8")).toBe(written + rows(2, 3));
    }
  });

  test("knows a result again whose URL it guarded", async () => {
    const path = join(await temporaryFolder(), "crawl.csv");
    for (let run = 0; run < 2; run++) {
      await streamOf(skipOf("=1+1")).pipeTo(toCsvFile(path, { fields: ["url"], header: false }));
    }
    expect(await readFile(path, "utf8")).toBe("'=1+1\r\n");
  });

  test("writes every result where nothing tells them apart", async () => {
    const path = join(await temporaryFolder(), "crawl.csv");
    for (let run = 0; run < 2; run++) await streamOf(page(1)).pipeTo(toCsvFile(path, { fields: ["status"] }));
    expect(await readFile(path, "utf8")).toBe("status\r\n200\r\n200\r\n");
  });

  test("refuses to go on with other columns, and leaves the file as it is", async () => {
    const path = join(await temporaryFolder(), "crawl.csv");
    await writeFile(path, "url,title\r\nhttps://a.test/,\r\n");
    await expect(streamOf(page(1)).pipeTo(toCsvFile(path, { fields }))).rejects.toThrow(
      `Cannot continue '${path}' as its first row is 'url,title': expected 'type,url,tag'`,
    );
    expect(await readFile(path, "utf8")).toBe("url,title\r\nhttps://a.test/,\r\n");
  });
});
