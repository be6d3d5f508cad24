import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { type Host, html, openHost } from "../../examples/demo/serve.ts";
import { startScript } from "./run_script.ts";

const MAIN = "src/cli/main.ts";

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

async function smallSite(): Promise<Host> {
  const site = await openHost();
  closers.push(() => site.close());
  const links = Array.from({ length: 40 }, (_, n) => `<a href="/page/${n}">${n}</a>`).join("");
  site.show({
    "/": html("Home \x1b[31m", links),
    ...Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`/page/${n}`, html(`Page ${n}`, "")])),
  });
  return site;
}

/** A site whose front page has one link, to a page that is answered only when the test says so. */
async function stallingSite(): Promise<{ origin: string; stalled: Promise<ServerResponse> }> {
  let tell: (response: ServerResponse) => void = () => {};
  const stalled = new Promise<ServerResponse>((resolve) => {
    tell = resolve;
  });
  const server: Server = createServer((request, response) => {
    if (request.url === "/slow") return tell(response);
    response.writeHead(request.url === "/robots.txt" ? 404 : 200, { "content-type": "text/html" });
    response.end(`<title>Home</title><a href="/slow">Slow</a>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stalled };
}

/** Resolves once the stream has carried a text. */
async function carries(stream: NodeJS.ReadableStream, text: string): Promise<void> {
  let seen = "";
  return new Promise((resolve) => {
    stream.on("data", (chunk: string) => {
      seen += chunk;
      if (seen.includes(text)) resolve();
    });
  });
}

describe.concurrent("dragline", () => {
  test("prints each page on standard output, the rest on standard error, and ends with 0", async () => {
    const site = await smallSite();
    const { code, stdout, stderr } = await startScript(MAIN, `${site.origin}/`, "--delay", "0").ended;
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toBe(`200\t0\t${site.origin}/\tHome [31m`);
    expect(lines.slice(1).sort()).toEqual(
      Array.from({ length: 40 }, (_, n) => `200\t1\t${site.origin}/page/${n}\tPage ${n}`).sort(),
    );
    expect(stderr).toMatch(/^done: 41 pages in .*\nstatuses: 200 41\n$/);
  });

  test("tells why nothing answers, and ends with 1", async () => {
    const site = await openHost();
    await site.close();
    const { code, stdout, stderr } = await startScript(MAIN, `${site.origin}/`).ended;
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^skip\trobots-unreachable\thttp:.*\tits robots\.txt could not be had: connect\n/);
  });

  test.each([
    ["ftp://x", "dragline: only http and https can be crawled: received 'ftp://x'"],
    ["not a url", "dragline: not a URL: 'not a url'"],
    ["", "dragline: not a URL: ''"],
    [undefined, "dragline: no URL to start from"],
  ])("answers '%s' with one line, and ends with 2", async (argument, line) => {
    const { code, stdout, stderr } = await startScript(MAIN, ...(argument === undefined ? [] : [argument]))
      .ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: `${line} (dragline --help tells more)\n`,
    });
  });

  test("ends without a word of complaint when its reader has gone", async () => {
    const site = await smallSite();
    const running = startScript(MAIN, `${site.origin}/`, "--delay", "0");
    await once(running.stdout, "data");
    running.closeOutput();
    const { code, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/EPIPE|Error|\n {4}at /);
  });

  test("lets what is in flight finish at the first Ctrl-C, and ends with 130", async () => {
    const { origin, stalled } = await stallingSite();
    const running = startScript(MAIN, `${origin}/`, "--delay", "0");
    const response = await stalled;
    running.interrupt();
    await carries(running.stderr, `stopping: waiting for ${origin}/slow;`);
    response.writeHead(200, { "content-type": "text/html" }).end("<title>Slow</title>");
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stdout).toBe(`200\t0\t${origin}/\tHome\n200\t1\t${origin}/slow\tSlow\n`);
    expect(stderr).toContain("\nstopped: 2 pages in ");
  });

  test("ends at once at the second Ctrl-C, with 130", async () => {
    const { origin, stalled } = await stallingSite();
    const running = startScript(MAIN, `${origin}/`, "--delay", "0");
    const response = await stalled;
    const aborted = once(response, "close");
    running.interrupt();
    await carries(running.stderr, "stopping: ");
    running.interrupt();
    const { code, stderr } = await running.ended;
    await aborted;
    expect(code).toBe(130);
    expect(stderr).toContain("\ninterrupted: 1 page in ");
    expect(stderr).not.toMatch(/Error|\n {4}at /);
  });
});
