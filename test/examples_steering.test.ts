import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Host, html, openHost, text } from "../examples/demo/serve.ts";
import { temporaryFolder } from "./output/folder.ts";
import { linesOf } from "./support/run_example.ts";

let site: Host;
const LONG = "Spiders draw a thread behind them wherever they go, and hang on it when they fall. ".repeat(10);

beforeAll(async () => {
  site = await openHost();
  site.show({
    "/robots.txt": text("User-agent: *\nDisallow: /secret\nSitemap: /map.xml\n"),
    "/map.xml": {
      headers: { "content-type": "application/xml" },
      body: "<urlset><url><loc>/hidden</loc></url><url><loc>/</loc></url></urlset>",
    },
    "/": html("Home", '<a href="docs/a">A</a><a href="secret">S</a><a rel=nofollow href="hidden">H</a>'),
    "/docs/a": html("Docs", '<a href="../end">End</a><a href="../broken">B</a>'),
    "/end": html("The end", ""),
    "/hidden": html("Hidden", ""),
    "/secret": html("Secret", ""),
    "/archive": html("Archive", ""),
    "/wait": [html("Please wait", '<a href="wrong">W</a>'), html("Ready", '<a href="right">R</a>')],
    "/right": html("Right", ""),
    "/broken": "hang-up",
    "/search": [html("Result 1", ""), html("Result 2", "")],
    "/twins": html("Twins", '<a href="one?utm_source=x">1</a><a href="two">2</a>'),
    "/one": html("One", `<p>${LONG}</p>`),
    "/two": html("Two", `<p>${LONG}</p><a href="unseen">U</a>`),
    "/one?utm_source=x": html("One", `<p>${LONG}</p>`),
    "/feed": html("Feed", '<a href="feed.xml">F</a>'),
    "/feed.xml": { headers: { "content-type": "application/xml" }, body: "<feed/>" },
  });
});
afterAll(() => site.close());

/** As `linesOf()`, with `#` in place of the site's origin. */
async function run(example: string, path = "/"): Promise<string[]> {
  return (await linesOf(example, site.origin + path)).map((line) => line.replaceAll(site.origin, "#"));
}

// Each is a process of its own, which waits as politeness asks: on a busy machine that takes its time.
describe.concurrent("examples", { timeout: 90_000 }, () => {
  test("router.ts hands each page to the handler that fits", async () => {
    expect((await run("router.ts")).sort()).toEqual(["docs #/docs/a", "other 200 #/end", "start Home"]);
  });

  test("router.ts goes by the media type too", async () => {
    expect(await run("router.ts", "/feed")).toEqual(["start Feed", "feed #/feed.xml"]);
  });

  test("results.ts tells pages, failures and skips", async () => {
    expect((await run("results.ts")).sort()).toEqual([
      "failure reset after 2 attempts #/broken",
      "page 200 #/",
      "page 200 #/docs/a",
      "page 200 #/end",
      "skip nofollow #/hidden",
      "skip robots #/secret",
    ]);
  });

  test("events.ts tells of robots.txt, and sums up", async () => {
    const lines = await run("events.ts");
    expect(lines).toEqual(expect.arrayContaining(["robots # rules", "page #/end"]));
    expect(lines.at(-1)).toMatch(/^\d+ requests, \d retries, \d+ bytes, \d+ s$/);
  });

  test("steer.ts asks a page again, adds, holds and drops", async () => {
    const lines = await run("steer.ts", "/wait");
    expect(lines.slice(0, 2)).toEqual(["page #/wait Please wait", "added 1"]);
    // What is held comes after a second at the soonest; which of the others is before it, the machine decides.
    expect(lines.slice(2).sort()).toEqual([
      "added 0",
      "page #/archive Archive",
      "page #/right Right",
      "page #/wait Ready",
    ]);
    expect(await run("steer.ts", "/end")).toEqual([
      "page #/end The end",
      "added 1",
      "skip #/archive dropped",
    ]);
  });

  test("budgets.ts says which bound ended it", async () => {
    const lines = await run("budgets.ts", "/docs/a");
    expect(lines.slice(0, 2)).toEqual(["0 #/docs/a", "1 #/end"]);
    expect(lines.at(-1)).toBe("max-requests: 3 requests and 1 for robots.txt, 1 queued");
  });

  test("seeds.ts sends bodies, and gets its data back", async () => {
    expect(await run("seeds.ts", "/search")).toEqual([
      '200 {"word":"web"} Result 1',
      '200 {"word":"thread"} Result 2',
    ]);
  });

  test("sitemap.ts finds what nothing links to", async () => {
    expect((await run("sitemap.ts")).sort()).toEqual(["#/map.xml 2", "200 #/ Home", "200 #/hidden Hidden"]);
  });

  test("own_site.ts goes where robots.txt forbids", async () => {
    expect((await run("own_site.ts")).sort()).toEqual([
      "200 #/",
      "200 #/docs/a",
      "200 #/end",
      "200 #/hidden",
      "200 #/secret",
    ]);
  });

  test("near_duplicates.ts knows the same text by another URL", async () => {
    expect(await run("near_duplicates.ts", "/twins")).toEqual([
      "#/twins",
      "#/one?utm_source=x",
      "#/two is nearly #/one?utm_source=x",
    ]);
  });

  test("snapshot.ts goes on where the last run stopped", async () => {
    const path = join(await temporaryFolder(), "crawl.json");
    const first = await linesOf("snapshot.ts", `${site.origin}/docs/a`, path);
    expect(first).toEqual([`${site.origin}/docs/a`, `${site.origin}/end`, "done, 0 queued"]);
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ version: 1 });
    expect(await linesOf("snapshot.ts", `${site.origin}/docs/a`, path)).toEqual(["done, 0 queued"]);
  });

  test("tee.ts gives each page to both readers", async () => {
    const lines = await run("tee.ts");
    expect(lines.slice(0, 3)).toEqual(["title #/ Home", "title #/docs/a Docs", "title #/end The end"]);
    expect(Number.parseInt(lines[3]!, 10)).toBeGreaterThan(200);
  });

  test("csv.ts writes a table", async () => {
    const lines = (await run("csv.ts", "/docs/a")).map((line) => line.trimEnd());
    expect(lines.slice(0, 2)).toEqual(["type,url,status,reason,title", "page,#/docs/a,200,,Docs"]);
  });

  test("readers.ts needs no network", async () => {
    expect(await linesOf("readers.ts")).toEqual([
      "false 1500",
      "https://a.test/docs/one One",
      "ann@teapots.example entity, bob@teapots.example obfuscated",
      "https://a.test/one 2026-11-30T00:00:00.000Z",
      "120000",
    ]);
  });

  test("simulate.ts waits half an hour in a moment", async () => {
    expect((await linesOf("simulate.ts")).slice(0, 2)).toEqual([
      "200 https://a.test/",
      "200 https://a.test/busy",
    ]);
  });
});
