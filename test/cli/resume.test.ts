import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { setImmediate } from "node:timers";
import { describe, expect, test } from "vitest";
import { hasSqlite } from "../frontier/sqlite_folder.ts";
import { filesIn, temporaryFolder } from "../output/folder.ts";
import { runOn, type Web } from "./run_on.ts";
import { startScript } from "./run_script.ts";

const PAGES = 40;

/** A tree of pages, each with an address of its own and a link that is broken. */
function page(n: number): string {
  const children = [2 * n + 1, 2 * n + 2].filter((child) => child < PAGES);
  return `${children.map((child) => `<a href="/${child}">x</a>`).join("")}<a href="/gone">g</a> p${n}@site-one.com`;
}

const WEB: Web = Object.fromEntries(
  Array.from({ length: PAGES }, (_, n) => [`https://a.test/${n === 0 ? "" : n}`, page(n)]),
);

/** The second column of each row but the first. */
async function cells(path: string, column: number): Promise<string[]> {
  const [, ...rows] = (await readFile(path, "utf8")).trimEnd().split("\r\n");
  return rows.map((row) => row.split(",")[column] ?? "").sort();
}

function outputs(folder: string): string[] {
  const at = (name: string) => join(folder, name);
  return [
    ...["--csv", at("c.csv"), "--jsonl", at("c.jsonl"), "--fields", "type,url"],
    ...["--emails", at("found.csv"), "--links", at("broken.csv"), "--resume", at("state.db")],
  ];
}

async function expectAllOnce(folder: string, origin: string): Promise<void> {
  const urls = Array.from({ length: PAGES }, (_, n) => `${origin}/${n === 0 ? "" : n}`);
  expect(await cells(join(folder, "c.csv"), 1)).toEqual([...urls, `${origin}/gone`].sort());
  const lines = (await readFile(join(folder, "c.jsonl"), "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { url: string }).url).sort()).toEqual(
    [...urls, `${origin}/gone`].sort(),
  );
  expect(await cells(join(folder, "found.csv"), 0)).toEqual(urls.map((_, n) => `p${n}@site-one.com`).sort());
  const [broken = ""] = await cells(join(folder, "broken.csv"), 2);
  expect(broken.split(" ").sort()).toEqual([...urls].sort());
}

describe.skipIf(!hasSqlite)("--resume (needs node:sqlite)", () => {
  test("goes on after Ctrl-C and after a budget, and no file is torn or has anything twice", async () => {
    const folder = await temporaryFolder();
    const args = ["https://a.test/", "--delay", "0", ...outputs(folder)];
    const { err } = await runOn(WEB, [...args, "--max-pages", "5"]);
    expect(err).toContain("the same command goes on from ");
    for (const interrupts of [1, 2]) {
      const onInterrupt = (listener: () => void): (() => void) => {
        setImmediate(() => {
          for (let n = 0; n < interrupts; n++) listener();
        });
        return () => {};
      };
      expect((await runOn(WEB, args, { onInterrupt })).code).toBe(130);
    }
    expect((await runOn(WEB, args)).code).toBe(0);
    await expectAllOnce(folder, "https://a.test");
    const files = [
      "broken.csv",
      "broken.csv.journal",
      "c.csv",
      "c.jsonl",
      "found.contacts.csv",
      "found.csv",
      "state.db",
    ];
    expect(await filesIn(folder)).toEqual(files);
  });

  test("goes on in the host on which a seed landed", async () => {
    const folder = await temporaryFolder();
    const pages = Object.entries(WEB).map(([url, page]) => [url.replace("//a.", "//b."), page] as const);
    const web: Web = {
      ...Object.fromEntries(pages),
      "https://a.test/": { status: 301, location: "https://b.test/" },
    };
    const args = ["https://a.test/", "--delay", "0", ...outputs(folder)];
    expect((await runOn(web, [...args, "--max-pages", "3"])).code).toBe(0);
    expect((await runOn(web, args)).code).toBe(0);
    await expectAllOnce(folder, "https://b.test");
  });

  test("has nothing left to do after its end: asks for no page, changes no file, and ends with 0", async () => {
    const folder = await temporaryFolder();
    const args = ["https://a.test/", "--delay", "0", ...outputs(folder)];
    await runOn(WEB, args);
    const { code, log } = await runOn(WEB, args);
    expect(code).toBe(0);
    expect(log.filter(({ url }) => !url.endsWith("/robots.txt"))).toEqual([]);
    await expectAllOnce(folder, "https://a.test");
  });

  test("goes on after kill -9 at any moment", async () => {
    const folder = await temporaryFolder();
    let asked = 0;
    let onAsked = (): void => {};
    const server = createServer((request, response) => {
      const n = request.url === "/" ? 0 : Number(request.url?.slice(1));
      asked++;
      onAsked();
      response.writeHead(n < PAGES ? 200 : 404, { "content-type": "text/html" });
      response.end(n < PAGES ? page(n) : "");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const args = [`${origin}/`, "--delay", "5", ...outputs(folder)];
    for (const requests of [8, 13]) {
      const running = startScript("src/cli/main.ts", ...args);
      const until = asked + requests;
      onAsked = () => {
        if (asked === until) running.kill();
      };
      await running.ended;
    }
    onAsked = () => {};
    const { code } = await startScript("src/cli/main.ts", ...args).ended;
    server.close();
    server.closeAllConnections();
    expect(code).toBe(0);
    await expectAllOnce(folder, origin);
  });
});

describe.skipIf(hasSqlite)("--resume without node:sqlite", () => {
  test("says in one line what it needs, and ends with 2 before any request", async () => {
    const path = join(await temporaryFolder(), "state.db");
    const { code, err, log } = await runOn(WEB, ["https://a.test/", "--resume", path]);
    expect({ code, log }).toEqual({ code: 2, log: [] });
    expect(err).toContain(
      `Cannot open '${path}' as this runtime has no node:sqlite: Node.js has it from 22.13 on`,
    );
    expect(err).toContain(process.version);
    expect(err.trimEnd()).not.toContain("\n");
  });
});

describe("--resume", () => {
  test("names the file that can be no store", async () => {
    const { code, err } = await runOn(WEB, ["https://a.test/", "--resume", "/dev/null/state.db"]);
    expect(code).toBe(2);
    expect(err).toContain("--resume: Cannot write '/dev/null/state.db': '/dev/null' is a file and no folder");
  });
});
