import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ROOT } from "../scripts/source_files.ts";
import { hasSqlite } from "./frontier/sqlite_folder.ts";

const FOLDER = join(ROOT, ".check/readme");
const SITE: Readonly<Record<string, string>> = {
  "/": "<title>Home</title><a href=/news/1>News</a><a href=/gone>Gone</a>",
  "/news/1": "<title>One</title>",
};

/** What a snippet writes by console.log, as it would stand on standard output. */
const written: string[] = [];

beforeAll(async () => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  vi.stubGlobal("fetch", async (input: string | URL | Request) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const headers = { "content-type": "text/html" };
    return new Response(SITE[pathname] ?? "", { status: Object.hasOwn(SITE, pathname) ? 200 : 404, headers });
  });
  vi.spyOn(console, "log").mockImplementation((...values) => written.push(values.map(String).join(" ")));
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const readme = await readFile(join(ROOT, "README.md"), "utf8");
const snippets = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);

/** Runs a snippet as a module of its own, with this repository for the package. */
async function run(code: string, name: string): Promise<void> {
  const { exports } = JSON.parse(await readFile(join(ROOT, "deno.json"), "utf8")) as {
    exports: Record<string, string>;
  };
  const local = code
    .replace(/from "dragline([^"]*)"/g, (_, path: string) => `from "${join(ROOT, exports[`.${path}`]!)}"`)
    // Each run makes its file anew.
    .replaceAll('"state.db"', JSON.stringify(join(FOLDER, "state.db")));
  const file = join(FOLDER, name);
  await writeFile(file, local);
  await import(/* @vite-ignore */ pathToFileURL(file).href);
}

describe("README.md", () => {
  test("has snippets, the first of them as the demo of all", () => {
    expect(snippets.length).toBeGreaterThanOrEqual(8);
    expect(snippets[0]).toContain('for await (const page of crawl("https://example.com/"))');
  });

  for (const [i, code] of snippets.entries()) {
    const needsSqlite = code.includes("dragline/sqlite");
    // It goes by connections of its own, which no stub of fetch keeps on this machine; examples/undici.ts is run instead.
    const goesOut = code.includes("dragline/undici");
    test.skipIf(goesOut || (needsSqlite && !hasSqlite))(
      `its snippet ${i + 1} runs, and says something`,
      async () => {
        const before = written.length;
        await run(code, `${i}.ts`);
        if (code.includes("console.log")) expect(written.length).toBeGreaterThan(before);
      },
    );
  }

  test("its snippets come to what stands beside them", () => {
    expect(written.slice(0, 3)).toEqual([
      "200 https://example.com/ Home",
      "200 https://example.com/news/1 One",
      "404 https://example.com/gone undefined",
    ]);
    expect(written).toEqual(
      expect.arrayContaining(["false", "https://example.com/news News", "4 [object Object] done"]),
    );
  });
});
