import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WARCParser } from "warcio";
import { type Host, html, openHost } from "../../examples/demo/serve.ts";
import { startScript } from "../cli/run_script.ts";
import { filesIn, temporaryFolder } from "./folder.ts";

let site: Host;

beforeAll(async () => {
  site = await openHost();
  site.show({
    "/": html("Home", `<a href="docs/">Docs</a>`),
    "/docs/": html("Docs", `<a href="/">Home</a><img src=/spider.svg>`),
    "/spider.svg": { headers: { "content-type": "image/svg+xml" }, body: "<svg/>" },
  });
});
afterAll(() => site.close());

describe("examples", () => {
  test("save_files.ts saves a site that can be read offline", async () => {
    const folder = join(await temporaryFolder(), "site");
    const { code, stdout, stderr } = await startScript("examples/save_files.ts", `${site.origin}/`, folder)
      .ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`3 pages are in ${folder}, listed in its index.jsonl (done)\n`);
    const host = site.origin.replace("http://", "").replace(":", "+");
    expect(await filesIn(folder)).toEqual([
      `${host}/docs/index.html`,
      `${host}/index.html`,
      `${host}/spider.svg`,
      "index.jsonl",
    ]);
    expect(await readFile(join(folder, host, "docs/index.html"), "utf8")).toContain(
      '<a href="../index.html">Home</a><img src="../spider.svg">',
    );
  });

  test("warc.ts archives a site", async () => {
    const path = join(await temporaryFolder(), "site.warc.gz");
    const { code, stdout, stderr } = await startScript("examples/warc.ts", `${site.origin}/`, path).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`2 pages are in ${path} (done)\n`);
    const types: string[] = [];
    for await (const record of new WARCParser([new Uint8Array(await readFile(path))])) {
      types.push(record.warcType);
      await record.skipFully();
    }
    expect(types.filter((type) => type === "response")).toHaveLength(2);
  });
});
