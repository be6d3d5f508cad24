import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { crawl } from "../../mod.ts";
import { type ManifestEntry, toFiles } from "../../src/output/files.ts";
import { FakeClock } from "../../src/testing/fake_clock.ts";
import { fakeWeb } from "../../src/testing/fake_web.ts";
import { filesIn, temporaryFolder } from "./folder.ts";
import { endless, failureOf, pageOf, skipOf, streamOf } from "./results.ts";

async function manifestOf(folder: string): Promise<ManifestEntry[]> {
  const text = await readFile(join(folder, "index.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ManifestEntry);
}

const contentOf = (folder: string, file: string): Promise<string> => readFile(join(folder, file), "utf8");

describe("toFiles()", () => {
  test("saves pages as they came, and lists them", async () => {
    const folder = join(await temporaryFolder(), "new/folder");
    const octets = Uint8Array.from([0, 255, 128]);
    await streamOf(
      pageOf("https://a.test/", "<a href=x>", { redirects: [{ url: "http://a.test/", status: 301 }] }),
      pageOf("https://a.test/x.png", octets, { contentType: "image/png" }),
      pageOf("https://a.test/gone", "no", { status: 404 }),
      failureOf("https://a.test/f", new Error("refused")),
      skipOf("https://a.test/s"),
    ).pipeTo(toFiles(folder));
    expect(await filesIn(folder)).toEqual(["a.test/index.html", "a.test/x.png", "index.jsonl"]);
    expect(await contentOf(folder, "a.test/index.html")).toBe("<a href=x>");
    expect([...(await readFile(join(folder, "a.test/x.png")))]).toEqual([...octets]);
    const startedAt = "2026-03-04T05:06:07.089Z";
    expect(await manifestOf(folder)).toEqual([
      {
        url: "https://a.test/",
        file: "a.test/index.html",
        status: 200,
        type: "text/html",
        bytes: 10,
        startedAt,
        redirects: ["http://a.test/"],
      },
      {
        url: "https://a.test/x.png",
        file: "a.test/x.png",
        status: 200,
        type: "image/png",
        bytes: 3,
        startedAt,
      },
      { url: "https://a.test/gone", status: 404, type: "text/html", startedAt },
    ]);
  });

  test("keeps apart what some disk would not: case, http and https, a page and a folder, its own files", async () => {
    const folder = await temporaryFolder();
    const urls = [
      "https://a.test/a",
      "https://a.test/A",
      "http://a.test/a",
      "https://a.test/d",
      "https://a.test/d/e",
      "https://index.jsonl/",
    ];
    await streamOf(
      ...urls.map((url) => pageOf(url, url, { contentType: "application/octet-stream" })),
    ).pipeTo(toFiles(folder));
    const entries = await manifestOf(folder);
    expect(new Set(entries.map(({ file }) => file?.toLowerCase())).size).toBe(urls.length);
    for (const { url, file } of entries) expect(await contentOf(folder, file!)).toBe(url);
    expect((await filesIn(folder)).length).toBe(urls.length + 1);
  });

  test("gives a URL the same file in each run, whatever came in between", async () => {
    const folder = await temporaryFolder();
    await streamOf(pageOf("https://a.test/B", "upper"), pageOf("https://a.test/b", "lower")).pipeTo(
      toFiles(folder),
    );
    const before = await manifestOf(folder);
    await streamOf(
      pageOf("https://a.test/b", "lower 2"),
      pageOf("https://a.test/B", "gone", { status: 500 }),
      pageOf("https://a.test/c", "new"),
    ).pipeTo(toFiles(folder));
    const after = await manifestOf(folder);
    expect(after.slice(0, 2)).toEqual(before);
    expect(after.slice(2).map(({ file }) => file)).toEqual([before[1]!.file, undefined, "a.test/c.html"]);
    expect(await contentOf(folder, before[0]!.file!)).toBe("upper");
    expect(await contentOf(folder, before[1]!.file!)).toBe("lower 2");
  });

  test("makes links between saved pages relative and all others absolute, when it is to be read offline", async () => {
    const folder = await temporaryFolder();
    await streamOf(
      pageOf("https://a.test/", "<a href=docs/b?c#d><a href=missing><img src=x.png>\u00e9", {
        contentType: "text/html; charset=utf-8",
      }),
      pageOf("https://a.test/docs/b?c", "<base href=/><a href=old>", {
        redirects: [{ url: "https://a.test/docs/was", status: 302 }],
      }),
      pageOf("https://a.test/x.png", "PNG", { contentType: "image/png" }),
      pageOf("https://a.test/last", "<a href=/docs/was><a href=./>"),
    ).pipeTo(toFiles(folder, { offline: true }));
    expect(await contentOf(folder, "a.test/index.html")).toBe(
      '\uFEFF<a href="docs/b%40c.html#d"><a href="https://a.test/missing"><img src="x.png">é',
    );
    expect(await contentOf(folder, "a.test/docs/b@c.html")).toBe(
      '\uFEFF<base ><a href="https://a.test/old">',
    );
    expect(await contentOf(folder, "a.test/x.png")).toBe("PNG");
    expect(await contentOf(folder, "a.test/last.html")).toBe(
      '\uFEFF<a href="docs/b%40c.html"><a href="index.html">',
    );

    // A later run saves what was missing, and the page that was there leads to it.
    await rm(join(folder, "a.test/last.html"));
    await streamOf(pageOf("https://a.test/missing", "")).pipeTo(toFiles(folder, { offline: true }));
    expect(await contentOf(folder, "a.test/index.html")).toContain('<a href="missing.html">');
  });

  test("leaves whole files with absolute links when it is aborted, and the next run sees to them", async () => {
    const folder = await temporaryFolder();
    const abort = new AbortController();
    const source = endless((n) => {
      if (n === 3) abort.abort(new Error("enough"));
      return pageOf(`https://a.test/${n}`, `<a href=${n % 2 === 0 ? 1 : 2}>`);
    });
    const saving = source.stream.pipeTo(toFiles(folder, { offline: true }), { signal: abort.signal });
    await expect(saving).rejects.toThrow("enough");
    expect(source.cancelled).toBe(abort.signal.reason);
    const listed = (await manifestOf(folder)).map(({ file }) => file!);
    expect(listed.length).toBeGreaterThanOrEqual(1);
    expect(await filesIn(folder)).toEqual([...listed, "index.jsonl"].sort());
    expect(await contentOf(folder, "a.test/1.html")).toBe('\uFEFF<a href="https://a.test/2">');

    await streamOf(pageOf("https://a.test/2", "<a href=1>")).pipeTo(toFiles(folder, { offline: true }));
    expect(await contentOf(folder, "a.test/1.html")).toBe('\uFEFF<a href="2.html">');
  });

  test("goes on behind what a kill left: half a file, half a line", async () => {
    const folder = await temporaryFolder();
    await streamOf(pageOf("https://a.test/1", "one")).pipeTo(toFiles(folder));
    const manifest = join(folder, "index.jsonl");
    const whole = await readFile(manifest, "utf8");
    await writeFile(manifest, whole + whole.slice(0, 30));
    await writeFile(join(folder, ".partial"), "half a pa");
    await streamOf(pageOf("https://a.test/2", "two")).pipeTo(toFiles(folder));
    expect((await manifestOf(folder)).map(({ url }) => url)).toEqual([
      "https://a.test/1",
      "https://a.test/2",
    ]);
    expect(await filesIn(folder)).toEqual(["a.test/1.html", "a.test/2.html", "index.jsonl"]);
    expect(await contentOf(folder, "a.test/2.html")).toBe("two");
  });

  test("asks for the next page when the last one is on the disk", async () => {
    const folder = await temporaryFolder();
    const abort = new AbortController();
    const source = endless((n) => {
      // Pages before the one that waits to be written are there.
      for (let saved = 1; saved < n; saved++)
        expect(existsSync(join(folder, `a.test/${saved}.html`))).toBe(true);
      if (n === 20) abort.abort();
      return pageOf(`https://a.test/${n}`, "x");
    });
    await expect(source.stream.pipeTo(toFiles(folder), { signal: abort.signal })).rejects.toThrow();
    expect(source.asked).toBe(20);
  });

  test("tells the step and the path where a file is in the way", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "file"), "");
    const page = pageOf("https://a.test/", "x");
    await expect(streamOf(page).pipeTo(toFiles(join(folder, "file")))).rejects.toThrow(
      `Cannot make the folder '${join(folder, "file")}': a file is where a folder must be (EEXIST)`,
    );
    await expect(streamOf(page).pipeTo(toFiles(join(folder, "file/sub")))).rejects.toThrow(
      /^Cannot make the folder '.*sub': a part of the path is a file and no folder \(ENOTDIR\)$/,
    );
    await mkdir(join(folder, "a.test/index.html"), { recursive: true });
    await expect(streamOf(page).pipeTo(toFiles(folder))).rejects.toThrow(
      /^Cannot put in place '.*index\.html': /,
    );
  });

  test.runIf(existsSync("/dev/full"))(
    "tells that the disk is full, ends the crawl, and keeps what was saved",
    async () => {
      const folder = await temporaryFolder();
      const source = endless((n) => pageOf(`https://a.test/${n}`, "x"));
      const full = toFiles(folder);
      const writer = full.getWriter();
      await writer.write(pageOf("https://a.test/0", "x"));
      writer.releaseLock();
      await symlink("/dev/full", join(folder, ".partial"));
      await expect(source.stream.pipeTo(full)).rejects.toThrow(
        `Cannot write '${join(folder, ".partial")}': the disk is full (ENOSPC)`,
      );
      expect(source.asked).toBeLessThanOrEqual(2);
      expect(source.cancelled).toBeInstanceOf(Error);
      expect(await contentOf(folder, "a.test/0.html")).toBe("x");
      expect((await manifestOf(folder)).map(({ url }) => url)).toEqual(["https://a.test/0"]);
    },
  );

  test.each([
    ["no JSON", "{"],
    ["no page", '{"url":"x"}'],
    ["a file outside of the folder", '{"url":"https://a.test/","file":"../x"}'],
    ["a file with a full path", '{"url":"https://a.test/","file":"/etc/x"}'],
    ["a file on another drive", '{"url":"https://a.test/","file":"C:/x"}'],
    ["null", "null"],
  ])("refuses a manifest with %s, naming the line", async (_, line) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "index.jsonl"), `{"url":"https://a.test/","status":404}\n${line}\n`);
    await expect(streamOf().pipeTo(toFiles(folder))).rejects.toThrow(/index\.jsonl' as line 2 is no page/);
  });

  test("refuses options that are none", () => {
    expect(() => toFiles("")).toThrow("'folder' must be the path of a folder");
    expect(() => toFiles("x", { ofline: true } as object)).toThrow("did you mean 'offline'?");
    expect(() => toFiles("x", { offline: "yes" as unknown as boolean })).toThrow(
      "'offline' must be a boolean",
    );
  });

  test("takes a crawl", async () => {
    const folder = await temporaryFolder();
    const clock = new FakeClock();
    const web = fakeWeb(
      { "https://a.test/": "<a href=/b/>b</a>", "https://a.test/b/": "<a href=../>home</a>" },
      { clock },
    );
    await crawl("https://a.test/", { fetch: web.fetch, clock, results: "all" }).pipeTo(
      toFiles(folder, { offline: true }),
    );
    expect(await contentOf(folder, "a.test/index.html")).toBe('\uFEFF<a href="b/index.html">b</a>');
    expect(await contentOf(folder, "a.test/b/index.html")).toBe('\uFEFF<a href="../index.html">home</a>');
  });
});
