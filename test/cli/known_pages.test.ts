import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesIn, temporaryFolder } from "../output/folder.ts";
import { runOn, type Web } from "./run_on.ts";

const TAG = '"v1"';

/** Its home page has not changed for whoever has it; the other one cannot be asked by anything. */
const SITE: Web = {
  "https://a.test/": (_, { headers }) =>
    headers.get("if-none-match") === TAG
      ? { status: 304, headers: { etag: TAG } }
      : { body: '<title>A</title><a href="/b">b</a> me@site-one.com', headers: { etag: TAG } },
  "https://a.test/b": "<title>B</title>",
};

describe("--revalidate", () => {
  test("asks pages of the crawl before whether they have changed, and follows the links that they had", async () => {
    const folder = await temporaryFolder();
    const known = join(folder, "known.jsonl");
    const args = ["https://a.test/", "--delay", "0", "--revalidate", known];
    expect((await runOn(SITE, args)).err).toContain("statuses: 200 2\n");
    expect(JSON.parse(await readFile(known, "utf8"))).toEqual({
      key: "https://a.test/",
      etag: TAG,
      links: ["https://a.test/b"],
    });
    const before = await readFile(known, "utf8");
    const { code, out, err } = await runOn(SITE, args);
    expect({ code, out }).toEqual({
      code: 0,
      out: "304\t0\thttps://a.test/\t\n200\t1\thttps://a.test/b\tB\n",
    });
    expect(err).toContain("statuses: 200 1, 304 1\n");
    expect(await readFile(known, "utf8")).toBe(before);
    expect(await filesIn(folder)).toEqual(["known.jsonl"]);
  });

  test("takes no unchanged page for a broken link, and keeps its addresses", async () => {
    const folder = await temporaryFolder();
    const at = (name: string) => join(folder, name);
    const outputs = ["--links", at("broken.csv"), "--emails", at("found.csv")];
    const args = ["https://a.test/", "--delay", "0", "--revalidate", at("known.jsonl"), ...outputs];
    for (let run = 0; run < 2; run++) await runOn(SITE, args);
    expect(await readFile(at("broken.csv"), "utf8")).toBe("url,why,pages\r\n");
    expect(await readFile(at("found.csv"), "utf8")).toContain("me@site-one.com,https://a.test/,");
  });

  test("keeps what was learnt where the crawl is broken off", async () => {
    const folder = await temporaryFolder();
    const known = join(folder, "known.jsonl");
    const args = ["https://a.test/", "--delay", "0", "--revalidate", known, "--max-pages", "1"];
    await runOn(SITE, args);
    expect(await readFile(known, "utf8")).toContain('"key":"https://a.test/"');
  });

  test("names the line that is none of its own, and leaves the file as it is", async () => {
    const folder = await temporaryFolder();
    const known = join(folder, "known.jsonl");
    const text = '{"key":"https://a.test/","links":[]}\n{"key":1}\n';
    await writeFile(known, text);
    const { code, err, log } = await runOn(SITE, ["https://a.test/", "--revalidate", known]);
    expect({ code, log }).toEqual({ code: 2, log: [] });
    expect(err).toContain(`--revalidate: Cannot read '${known}' as line 2 is not what --revalidate writes`);
    expect(await readFile(known, "utf8")).toBe(text);
  });
});
