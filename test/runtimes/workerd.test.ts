import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../scripts/source_files.ts";
import { bundleWorkers, sortTests } from "./bundle.ts";
import type { CrawlReport, Outcome } from "./worker/suite.ts";
import { startWorkers } from "./workerd.ts";

const tests = sortTests();
const binary = process.env.WORKERD;
if (!binary) throw new Error("Cannot test workerd as WORKERD, the path of its binary, is not set");
const workers = await startWorkers(binary, await bundleWorkers(tests, join(ROOT, ".check/worker")), 2);
afterAll(() => workers.stop());

const suites: { path: string; outcomes: Outcome[] }[] = [];
for (const path of tests.plain) suites.push({ path, outcomes: await outcomesOf("plain", path) });
for (const path of tests.compat) suites.push({ path, outcomes: await outcomesOf("compat", path) });

async function outcomesOf(worker: string, path: string): Promise<Outcome[]> {
  try {
    const response = await fetch(`${workers.origins.get(worker)}/tests?file=${encodeURIComponent(path)}`);
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Outcome[];
  } catch (error) {
    return [{ name: path, skipped: false, errors: [String(error)] }];
  }
}

describe("the suite in a worker", () => {
  it("has every test of the readers", () => {
    expect(tests.plain.filter((path) => path.startsWith("test/web/"))).not.toEqual([]);
    expect(tests.node.filter((path) => path.startsWith("test/web/"))).toEqual([]);
  });

  for (const { path, outcomes } of suites) {
    describe(path, () => {
      for (const { name, skipped, errors } of outcomes) {
        it.skipIf(skipped)(name, () => expect(errors.join("\n")).toBe(""));
      }
    });
  }
});

const SITE: Readonly<Record<string, { status?: number; headers?: Record<string, string>; body: string }>> = {
  "/robots.txt": { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /private/\n" },
  "/": {
    body: '<title>Home</title><a href="/a">a</a><a href="/private/b">b</a><a href="/moved">c</a><a href="/gone">d</a>',
  },
  "/a": { body: '<title>A</title><a href="/">home</a>' },
  "/moved": { status: 301, headers: { location: "/here" }, body: "" },
  "/here": { body: "<title>Here</title>" },
};

describe("crawl() in a worker's fetch handler", () => {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = request.url ?? "/";
    const {
      status = 200,
      headers = {},
      body,
    } = SITE[path] ?? { status: 404, body: "<title>Not found</title>" };
    asked.push(path);
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers });
    response.end(body);
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve())));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it("crawls a site on loopback, obeys its robots.txt and follows its redirects", async () => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const response = await fetch(
      `${workers.origins.get("plain")}/crawl?seed=${encodeURIComponent(`${origin}/`)}`,
    );
    expect(response.status).toBe(200);
    const { pages, finishReason } = (await response.json()) as CrawlReport;

    expect(finishReason).toBe("done");
    expect(pages.map(({ url, status, title }) => [url, status, title]).sort()).toEqual([
      [`${origin}/`, 200, "Home"],
      [`${origin}/a`, 200, "A"],
      [`${origin}/gone`, 404, "Not found"],
      [`${origin}/here`, 200, "Here"],
    ]);
    expect(pages.find(({ title }) => title === "A")?.links).toEqual([`${origin}/`]);
    expect(asked.slice().sort()).toEqual(["/", "/a", "/gone", "/here", "/moved", "/robots.txt"]);
  });
});
