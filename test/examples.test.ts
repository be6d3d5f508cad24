import { readdir, readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Host, html, openHost, text } from "../examples/demo/serve.ts";
import worker from "../examples/worker.ts";
import { startScript } from "./cli/run_script.ts";

let site: Host;

beforeAll(async () => {
  site = await openHost();
  site.show({
    "/robots.txt": text("User-agent: *\nDisallow: /secret\n"),
    "/": html("Home", `<h1>Welcome</h1><a href="a">A</a><a href="docs/">Docs</a><a href="secret">Secret</a>`),
    "/a": html("A", `<h2>First</h2><h2>Second</h2><a href="b">B</a>`),
    "/b": html("B", ""),
    "/docs/": html("Docs", `<a href="one">One</a><a href="/a">A</a>`),
    "/docs/one": html("One", ""),
  });
});
afterAll(() => site.close());

/** The lines that an example writes on the site, with its exit code 0 and nothing on standard error. */
async function linesOf(example: string, path = "/"): Promise<string[]> {
  const { code, stdout, stderr } = await startScript(`examples/${example}`, site.origin + path).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.trimEnd().split("\n");
}

describe.concurrent("examples", () => {
  test("iterate.ts prints every page", async () => {
    expect((await linesOf("iterate.ts")).sort()).toEqual([
      `200 ${site.origin}/ Home`,
      `200 ${site.origin}/a A`,
      `200 ${site.origin}/b B`,
      `200 ${site.origin}/docs/ Docs`,
      `200 ${site.origin}/docs/one One`,
    ]);
  });

  test("jsonl.ts prints one JSON value a page", async () => {
    const records = (await linesOf("jsonl.ts")).map(
      (line) => JSON.parse(line) as { url: string; links: string[] },
    );
    expect(records).toHaveLength(5);
    expect(records.find(({ url }) => url === `${site.origin}/a`)).toEqual({
      url: `${site.origin}/a`,
      status: 200,
      title: "A",
      links: [`${site.origin}/b`],
    });
  });

  test("stop_after.ts ends after three pages", async () => {
    const lines = await linesOf("stop_after.ts");
    expect(lines).toHaveLength(4);
    expect(lines[3]).toMatch(/^cancelled after 3 pages, \d were still queued$/);
  });

  test("scope.ts keeps to /docs/ and tells what it left out", async () => {
    expect((await linesOf("scope.ts", "/docs/")).sort()).toEqual([
      `page ${site.origin}/docs/`,
      `page ${site.origin}/docs/one`,
      `skip ${site.origin}/a scope`,
    ]);
  });

  test("document.ts prints the headings below their page", async () => {
    const lines = await linesOf("document.ts");
    expect(lines.slice(0, 2)).toEqual([`${site.origin}/`, "  Welcome"]);
    const at = lines.indexOf(`${site.origin}/a`);
    expect(lines.slice(at + 1, at + 3)).toEqual(["  First", "  Second"]);
  });

  test("worker.ts answers with the pages as JSON", async () => {
    const response = await worker.fetch(
      new Request(`https://worker.test/?url=${encodeURIComponent(site.origin)}`),
    );
    expect(response.status).toBe(200);
    const answer = (await response.json()) as { pages: unknown[]; finishReason: string; queued: number };
    expect(answer.pages).toHaveLength(5);
    expect(answer).toMatchObject({ finishReason: "done", queued: 0 });
  });

  test("worker.ts answers 400 to what is no URL", async () => {
    const response = await worker.fetch(new Request("https://worker.test/?url=not+a+url"));
    expect(response.status).toBe(400);
  });

  test("each is under 40 lines, is listed, and is run by a test", async () => {
    const list = await read("examples/README.md");
    const tests = (await Promise.all(TESTS.map((name) => read(`test/${name}`)))).join("\n");
    const examples = [...(await scriptsIn("")), ...(await scriptsIn("recipes/"))];
    expect(examples.length).toBeGreaterThanOrEqual(25);
    for (const name of examples) {
      expect(list, name).toContain(`](${name})`);
      expect(tests, name).toContain(name);
      if (name !== "pace.ts") {
        expect((await read(`examples/${name}`)).trimEnd().split("\n").length, name).toBeLessThan(40);
      }
    }
  });
});

// Where examples are run.
const TESTS = [
  "examples.test.ts",
  "edge.test.ts",
  "examples_steering.test.ts",
  "recipes.test.ts",
  "frontier/redis_example.test.ts",
  "frontier/sqlite_resume.test.ts",
  "output/examples.test.ts",
  "politeness/pace_picture.test.ts",
  "server/scripts.test.ts",
];

function read(path: string): Promise<string> {
  return readFile(new URL(`../${path}`, import.meta.url), "utf8");
}

/** The examples of a folder below `examples/`, by their paths there. */
async function scriptsIn(folder: string): Promise<string[]> {
  const names = await readdir(new URL(`../examples/${folder}`, import.meta.url));
  return names.filter((name) => name.endsWith(".ts")).map((name) => folder + name);
}
