import { afterEach, describe, expect, test } from "vitest";
import { crawl } from "../src/crawl.ts";
import { startScript } from "./cli/run_script.ts";
import { gather, linksTo, paths, told } from "./support/fake_crawl.ts";
import { type Loopback, loopback } from "./support/loopback.ts";

const QUICK = { delayMs: 0, hostConcurrency: 8 } as const;

let server: Loopback | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe("a crawl on real sockets", () => {
  test("fetches each page of a site once, and robots.txt first", async () => {
    server = await loopback(({ url = "" }, response) => {
      if (url === "/robots.txt") return void response.end("User-agent: *\nDisallow: /7");
      response
        .writeHead(url === "/9" ? 404 : 200, { "content-type": "text/html" })
        .end(linksTo(...paths(20)));
    });
    const results = await gather(crawl(server.origin, { ...QUICK, results: "all" }));
    expect(server.targets[0]).toBe("/robots.txt");
    const pages = ["/", ...paths(20)].filter((path) => path !== "/7");
    expect([...server.targets].slice(1).sort()).toEqual(pages.sort());
    expect(
      told(results)
        .filter((line) => !line.endsWith(" 200"))
        .sort(),
    ).toEqual([`page ${server.origin}/9 404`, `skip ${server.origin}/7 robots`]);
  });

  test("s-21 b: leaves no connection busy with a body that nobody reads", async () => {
    server = await loopback(({ url = "" }, response) => {
      if (url === "/")
        return void response.writeHead(200, { "content-type": "text/html" }).end(linksTo(...paths(30)));
      response.writeHead(200, { "content-type": "application/zip" });
      // More than any buffer on the way holds.
      response.write(Buffer.alloc(5_000_000));
      response.end();
    });
    const crawled = crawl(server.origin, { ...QUICK, robots: false, results: "all" });
    expect(await gather(crawled)).toHaveLength(31);
    expect((await crawled.finished).skipsByReason).toEqual({ "content-type": 30 });
    await server.released();
    expect(server.unanswered).toBe(0);
  });

  test("break closes what is under way on the server's side", async () => {
    server = await loopback(({ url = "" }, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      if (url === "/") response.end(linksTo(...paths(30)));
      else response.write("<p>");
    });
    const crawled = crawl(server.origin, { ...QUICK, robots: false, timeoutMs: 600_000 });
    const reader = crawled.getReader();
    await reader.read();
    const pending = reader.read();
    while (server.unanswered < 8) await new Promise((resolve) => setImmediate(resolve));
    await reader.cancel();
    await pending;
    await server.released();
    expect(server.targets.length).toBe(9);
    expect((await crawled.finished).finishReason).toBe("cancelled");
  });
});

describe("a process that crawled", () => {
  test.each([
    ["break", ["read 5, cancelled, 0 in flight"]],
    ["throw", ["caught enough", "read 5, cancelled, 0 in flight"]],
    ["abort", ["caught enough", "read 5, aborted, 0 in flight"]],
    // s-21 a: with one signal for 300 pages, and no warning of too many listeners.
    ["budget", ["read 300, max-pages, 0 in flight"]],
  ])("ends by itself after %s, without a warning", async (way, lines) => {
    const { code, stdout, stderr } = await startScript("test/support/crawl_script.ts", way).ended;
    expect({ code, stderr, lines: stdout.trim().split("\n") }).toEqual({
      code: 0,
      stderr: "",
      lines: [...lines, "0 unanswered"],
    });
  });
});
