import { mkdirSync, rmdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { filesIn, temporaryFolder } from "../output/folder.ts";
import { type Around, type Ran, runOn, type Web } from "./run_on.ts";

const SITE: Web = {
  "https://a.test/": `<title>Home</title><a href="/b">B</a><a href="/gone#x">Gone</a><a href="http://[">Bad</a>`,
  "https://a.test/b": `<title>B</title><a href="/gone">Gone</a><a href="/old">Old</a><a href="mailto:me@a.test">M</a>`,
  "https://a.test/old": { status: 301, location: "/gone" },
  "https://a.test/down": { fault: "ECONNREFUSED" },
};

interface Workplace {
  readonly folder: string;
  path(name: string): string;
  read(name: string): Promise<string>;
  /** Crawls the site, without a wait between requests. */
  crawl(args: readonly string[], around?: Around, web?: Web): Promise<Ran>;
}

async function workplace(): Promise<Workplace> {
  const folder = await temporaryFolder();
  const path = (name: string) => join(folder, name);
  return {
    folder,
    path,
    read: (name) => readFile(path(name), "utf8"),
    crawl: (args, around = {}, web = SITE) =>
      runOn(web, ["https://a.test/", "--delay", "0", "--retries", "0", ...args], around),
  };
}

/** Interrupts so many times, soon after the crawl has begun. */
function interruptedBy(times: number): Pick<Around, "onInterrupt"> {
  return {
    onInterrupt(listener) {
      setImmediate(() => {
        for (let n = 0; n < times; n++) listener();
      });
      return () => {};
    },
  };
}

describe("outputs", () => {
  test("go to several files at once, and standard output stays empty", async () => {
    const { path, read, folder, crawl } = await workplace();
    const { code, out } = await crawl([
      "--jsonl",
      path("c.jsonl"),
      "--csv",
      path("c.csv"),
      "--out",
      path("site"),
      "--fields",
      "type,url,status",
    ]);
    expect({ code, out }).toEqual({ code: 0, out: "" });
    const lines = (await read("c.jsonl"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(lines[0]).toEqual({ type: "page", url: "https://a.test/", status: 200 });
    expect((await read("c.csv")).split("\r\n")[1]).toBe("page,https://a.test/,200");
    expect(await filesIn(folder)).toEqual([
      "c.csv",
      "c.jsonl",
      "site/a.test/b.html",
      "site/a.test/index.html",
      "site/index.jsonl",
    ]);
  });

  test("have a line for each page, failure and accepted skip, and none for links out of scope", async () => {
    const { path, read, crawl } = await workplace();
    const web = {
      ...SITE,
      "https://a.test/": `<a href="/down">x</a><a href="https://z.test/">z</a><a href="/i">i</a>`,
      "https://a.test/i": { type: "image/png" },
    };
    await crawl(["--jsonl", path("c.jsonl"), "--fields", "type,reason"], {}, web);
    expect((await read("c.jsonl")).trimEnd().split("\n").sort()).toEqual([
      '{"type":"failure","reason":"connect"}',
      '{"type":"page"}',
      '{"type":"skip","reason":"content-type"}',
    ]);
  });

  test("are continued by the next run without doubles, and written anew with --replace", async () => {
    const { path, read, crawl } = await workplace();
    const args = ["--jsonl", path("c.jsonl"), "--fields", "url"];
    await crawl([...args, "--max-pages", "1"]);
    await crawl(args);
    const urls = ["https://a.test/", "https://a.test/b", "https://a.test/gone"];
    const linesOf = (text: string) =>
      text
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { url: string }).url);
    expect(
      linesOf(await read("c.jsonl"))
        .filter((url) => !url.includes("old"))
        .sort(),
    ).toEqual(urls.sort());
    await crawl([...args, "--replace", "--max-pages", "1"]);
    expect(linesOf(await read("c.jsonl"))).toEqual(["https://a.test/"]);
  });

  test("--out with --offline makes links lead from file to file", async () => {
    const { path, read, crawl } = await workplace();
    await crawl(["--out", path("site"), "--offline"]);
    expect(await read("site/a.test/index.html")).toContain('<a href="b.html">');
  });

  test("--warc archives the pages", async () => {
    const { path, folder, crawl } = await workplace();
    const { code } = await crawl(["--warc", path("site.warc.gz")]);
    expect(code).toBe(0);
    expect(await filesIn(folder)).toEqual(["site.warc.gz"]);
    const archive = gunzipSync(await readFile(path("site.warc.gz"))).toString();
    expect(archive).toContain("WARC-Target-URI: https://a.test/b\r\n");
  });

  test("--links names each broken link with all pages on which it stands", async () => {
    const { path, read, folder, crawl } = await workplace();
    const web = { ...SITE, "https://a.test/b": `${SITE["https://a.test/b"] as string}<a href="/down">D</a>` };
    const { code } = await crawl(["--links", path("broken.csv")], {}, web);
    expect(code).toBe(0);
    const [header, ...rows] = (await read("broken.csv")).trimEnd().split("\r\n");
    expect(header).toBe("url,why,pages");
    expect(rows.sort()).toEqual([
      "http://[,invalid-url,https://a.test/",
      "https://a.test/down,connect,https://a.test/b",
      "https://a.test/gone,status 404,https://a.test/ https://a.test/b",
    ]);
    expect(await filesIn(folder)).toEqual(["broken.csv"]);
  });

  test("--links takes a link for broken that redirects to what is broken", async () => {
    const { path, read, crawl } = await workplace();
    const web: Web = {
      "https://a.test/": `<a href="/old">Old</a>`,
      "https://a.test/old": { status: 301, location: "/new" },
      "https://a.test/new": { status: 410 },
    };
    await crawl(["--links", path("broken.csv")], {}, web);
    expect(await read("broken.csv")).toBe(
      "url,why,pages\r\nhttps://a.test/old,status 410,https://a.test/\r\n",
    );
  });

  test("are whole after the first Ctrl-C, and left to be continued by the second", async () => {
    const { path, folder, crawl } = await workplace();
    const args = ["--jsonl", path("c.jsonl"), "--emails", path("found.csv")];
    const gentle = await crawl(args, interruptedBy(1));
    expect(gentle.code).toBe(130);
    expect(await filesIn(folder)).toEqual(["c.jsonl", "found.contacts.csv", "found.csv"]);
    const hard = await crawl(args, interruptedBy(2));
    expect(hard.code).toBe(130);
    expect(hard.err).toContain("the next run goes on with them");
    expect(await filesIn(folder)).toEqual([
      "c.jsonl.partial",
      "found.contacts.csv",
      "found.csv",
      "found.csv.journal",
    ]);
  });

  test("that cannot be written are told before anything is asked for, and nothing is left behind", async () => {
    const { path, folder, crawl } = await workplace();
    await writeFile(path("file"), "");
    await mkdir(path("folder"));
    await writeFile(path("rows.csv"), "some,other,table\r\n");
    await writeFile(path("whole.jsonl"), '{"type":"page","url":"https://z.test/"}\n');
    const before = await filesIn(folder);
    for (const [flag, wrong] of [
      ["--jsonl", "none/c.jsonl"],
      ["--csv", "folder"],
      ["--csv", "rows.csv"],
      ["--out", "file"],
      ["--out", "file/below"],
      ["--links", "none/broken.csv"],
      ["--links", "folder"],
      ["--emails", "none/found.json"],
      ["--emails", "file/found.csv"],
      ["--warc", "none/a.warc.gz"],
      ["--revalidate", "rows.csv"],
      ["--resume", "none/state.db"],
    ] as const) {
      const good = flag === "--jsonl" ? ["--links", path("b.csv")] : ["--jsonl", path("whole.jsonl")];
      const { code, err, log } = await crawl([...good, flag, path(wrong)]);
      expect({ flag, code, log }).toEqual({ flag, code: 2, log: [] });
      expect(err).toMatch(/^dragline: [^\n]*\n$/);
      expect(err.startsWith(`dragline: ${flag}: Cannot `)).toBe(true);
      expect(err).toContain(wrong.split("/")[0]);
      expect(await filesIn(folder)).toEqual(before);
    }
  });

  test("are left as they were where an option is wrong", async () => {
    const { path, folder, crawl } = await workplace();
    const { code } = await crawl([
      "--fields",
      "nothing",
      "--jsonl",
      path("c.jsonl"),
      "--links",
      path("b.csv"),
    ]);
    expect(code).toBe(2);
    expect(await filesIn(folder)).toEqual([]);
  });

  test("that cannot be made whole end the crawl with one line and 1", async () => {
    const { path, crawl } = await workplace();
    const onRequest = {
      "https://a.test/": () => {
        mkdirSync(path("c.jsonl"));
        return "<p>";
      },
    };
    for (const args of [[], ["--quiet"]]) {
      const { code, err } = await crawl([...args, "--jsonl", path("c.jsonl")], {}, onRequest);
      expect(code).toBe(1);
      if (args.length === 0) expect(err).toMatch(/^dragline: Cannot [^\n]*\nfailed: /m);
      else {
        expect(JSON.parse(err)).toMatchObject({
          finishReason: "failed",
          error: expect.stringMatching(/^Cannot /),
        });
      }
      rmdirSync(path("c.jsonl"));
    }
  });
});
