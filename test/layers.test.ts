import { describe, expect, it } from "vitest";
import { findBreaches } from "../scripts/layers.ts";
import { readSourceFiles } from "../scripts/source_files.ts";

function breachesOf(files: Readonly<Record<string, string>>): string[] {
  return findBreaches(new Map(Object.entries(files)));
}

describe("the layers of src/", () => {
  it("hold: no import points down, no package has two owners, mod.ts stays portable", () => {
    const files = readSourceFiles("mod.ts", "src");
    expect(files.size).toBeGreaterThan(20);
    expect(findBreaches(files)).toEqual([]);
  });
});

describe("findBreaches()", () => {
  it("accepts imports of the own line and of lines above it", () => {
    expect(
      breachesOf({
        "src/clock.ts": "",
        "src/web/url.ts": 'import { a } from "./punycode.ts"; import type { Clock } from "../clock.ts";',
        "src/web/punycode.ts": "",
        "src/web/sitemap_block.ts": 'import { XMLParser } from "fast-xml-parser";',
        "src/fetcher.ts": 'export { a } from "./web/url.ts";',
        "src/cli/main.ts": 'import process from "node:process"; import "../fetcher.ts";',
        "mod.ts": 'export { a } from "./src/web/url.ts";',
      }),
    ).toEqual([]);
  });

  it.each([
    ["an import", 'import { crawl } from "../crawl.ts";'],
    ["an import for its effect", 'import "../crawl.ts";'],
    ["an import of a type", 'import type { Crawl } from "../crawl.ts";'],
    ["a re-export", 'export { crawl } from "../crawl.ts";'],
    ["a re-export of all", 'export * from "../crawl.ts";'],
    ["a dynamic import", 'export const later = () => import("../crawl.ts");'],
    ["a type from an import expression", 'export type Later = import("../crawl.ts").Crawl;'],
  ])("catches %s that points down", (_, text) => {
    expect(breachesOf({ "src/web/url.ts": text, "src/crawl.ts": "" })).toEqual([
      "src/web/url.ts imports src/crawl.ts, which stands below it",
    ]);
  });

  it("takes neither comments nor strings for imports", () => {
    const text = `// import "../crawl.ts";\n/* import "../crawl.ts"; */ export const a = 'import "../crawl.ts"';`;
    expect(breachesOf({ "src/web/url.ts": text, "src/crawl.ts": "" })).toEqual([]);
  });

  it("names an imported file that is not there", () => {
    expect(breachesOf({ "src/crawl.ts": 'import "./gone.ts";' })).toEqual([
      "src/crawl.ts imports src/gone.ts, which is not there",
    ]);
  });

  it("names a file that stands in no layer", () => {
    expect(breachesOf({ "src/utils.ts": "" })).toEqual([
      "src/utils.ts stands in no layer: give it a line in LAYERS",
    ]);
  });

  it("catches a package outside of its owner, and one that nobody owns", () => {
    expect(
      breachesOf({
        "src/crawl.ts": 'import rp from "robots-parser";',
        "src/web/links.ts": 'import { parse } from "@scope/html/sub";',
      }),
    ).toEqual([
      "src/crawl.ts imports robots-parser, a package that belongs to src/web/robots*.ts",
      "src/web/links.ts imports @scope/html/sub, a package that nobody owns: give it a line in PACKAGE_OWNERS",
    ]);
  });

  it("catches a module of Node in the portable core", () => {
    expect(breachesOf({ "src/crawl.ts": 'import type { Buffer } from "node:buffer";' })).toEqual([
      "src/crawl.ts imports node:buffer, which not every runtime has",
    ]);
  });

  it("catches a part that is not portable on any way from mod.ts", () => {
    expect(
      breachesOf({
        "mod.ts": 'export { crawl } from "./src/crawl.ts";',
        "src/crawl.ts": 'const store = () => import("./frontier/sqlite.ts");',
        "src/frontier/sqlite.ts": 'import { DatabaseSync } from "node:sqlite";',
      }),
    ).toEqual(["mod.ts reaches src/frontier/sqlite.ts, which is not portable"]);
  });

  it("catches a circle of imports once, and lets types go round", () => {
    expect(
      breachesOf({
        "src/page.ts": 'import type { CrawlResult } from "./result.ts";',
        "src/result.ts": 'import { Page } from "./page.ts";',
        "src/web/a.ts": 'import { b } from "./b.ts";',
        "src/web/b.ts": 'import { c } from "./c.ts";',
        "src/web/c.ts": 'import { a } from "./a.ts";',
      }),
    ).toEqual(["a circle of imports: src/web/a.ts > src/web/b.ts > src/web/c.ts > src/web/a.ts"]);
  });
});
