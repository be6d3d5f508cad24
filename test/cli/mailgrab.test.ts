// MailGrab's list of features, row by row, on real sockets where sockets matter.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import { senderOf } from "../../src/cli/sender.ts";
import { systemClock } from "../../src/clock.ts";
import { temporaryFolder } from "../output/folder.ts";
import { type Loopback, loopback } from "../support/loopback.ts";
import { RecordedOutput } from "./recorded_output.ts";
import { runOn } from "./run_on.ts";

const servers: Loopback[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

type Site = Readonly<Record<string, string | { type?: string; body?: string } | "never">>;

async function serve(site: Site): Promise<Loopback> {
  const server = await loopback((request: IncomingMessage, response: ServerResponse) => {
    const answer = site[request.url ?? ""];
    if (answer === "never") return;
    const { type = "text/html", body = "" } = typeof answer === "object" ? answer : { body: answer };
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": type }).end(body);
  });
  servers.push(server);
  return server;
}

async function runReally(args: readonly string[]) {
  const out = new RecordedOutput();
  const err = new RecordedOutput();
  const code = await run([...args, "--delay", "0", "--retries", "0"], {
    out,
    err,
    clock: systemClock,
    variables: {},
    readInput: async () => "",
    onInterrupt: () => () => {},
  });
  return { code, out: out.text, err: err.text, urls: out.lines.map((line) => line.split("\t")[2]) };
}

const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">x</a>`).join("");

describe("MailGrab's job", () => {
  test("goes breadth first", async () => {
    const { origin } = await serve({
      "/": links("/1", "/2"),
      "/1": links("/1/1"),
      "/2": links("/2/1"),
      "/1/1": "",
      "/2/1": "",
    });
    const { urls } = await runReally([`${origin}/`, "--concurrency", "1"]);
    expect(urls).toEqual(["/", "/1", "/2", "/1/1", "/2/1"].map((path) => origin + path));
  });

  test("keeps the budget of pages and that of hops apart", async () => {
    const { origin } = await serve({
      "/": links("/1", "/2", "/3"),
      "/1": links("/deep"),
      "/2": "",
      "/3": "",
      "/deep": "",
    });
    const pages = await runReally([`${origin}/`, "--max-pages", "2"]);
    expect(pages.urls).toHaveLength(2);
    expect(pages.err).toContain("ended at --max-pages: 2 pages");
    const hops = await runReally([`${origin}/`, "--max-depth", "1"]);
    expect([...hops.urls].sort()).toEqual(["/", "/1", "/2", "/3"].map((path) => origin + path));
    expect(hops.err).toContain("ended at --max-depth: 4 pages");
  });

  test("leaves links alone that are no HTML, by their extension unasked and by their type unread", async () => {
    const site = await serve({
      "/": links("/a.pdf", "/b.zip", "/picture", "/page"),
      "/picture": { type: "image/png" },
      "/page": "",
    });
    const { urls, err } = await runReally([`${site.origin}/`, "--exclude", "*.pdf", "--exclude", "*.zip"]);
    expect(urls).toEqual([`${site.origin}/`, `${site.origin}/page`]);
    expect(site.targets.filter((path) => /pdf|zip/.test(path))).toEqual([]);
    expect(err).toMatch(/skips: scope 2, content-type 1/);
  });

  test("waits between two requests to one host, and longer where its Crawl-delay is larger", async () => {
    const site = (delay: string) => ({
      "https://a.test/robots.txt": `User-agent: *\n${delay}`,
      "https://a.test/": links("/1", "/2"),
      "https://a.test/1": "",
      "https://a.test/2": "",
    });
    const gaps = async (delay: string) => {
      const { log } = await runOn(site(delay), ["https://a.test/", "--delay", "2s"]);
      const starts = log.filter(({ url }) => !url.endsWith("robots.txt")).map(({ atMs }) => atMs);
      return starts.slice(1).map((atMs, index) => Math.round(atMs - starts[index]!));
    };
    expect(await gaps("Crawl-delay: 1")).toEqual([2000, 2000]);
    expect(await gaps("Crawl-delay: 5")).toEqual([5000, 5000]);
  });

  test("uses connections again: never more than the concurrency", async () => {
    const paths = Array.from({ length: 60 }, (_, n) => `/${n}`);
    const site = await serve({
      "/": links(...paths),
      ...Object.fromEntries(paths.map((path) => [path, "x"])),
    });
    const { urls } = await runReally([`${site.origin}/`, "--concurrency", "4", "--host-concurrency", "4"]);
    expect(urls).toHaveLength(61);
    // Deno's fetch begins a new connection beside the wait for one that is about to be free, and keeps both.
    expect(site.connections).toBeLessThanOrEqual("Deno" in globalThis ? 8 : 4);
  });

  test("tells timeouts from refused connections and from unknown names, and none of them stalls the crawl", async () => {
    const closed = await loopback(() => {});
    await closed.close();
    const slow = await serve({ "/": "never" });
    const fine = await serve({ "/": links("/1"), "/1": "" });
    const { urls, err, code } = await runReally([
      ...[`${closed.origin}/`, `${slow.origin}/`, `${fine.origin}/`],
      ...["--timeout", "300ms", "--no-robots"],
    ]);
    expect(code).toBe(0);
    expect(urls).toEqual([`${fine.origin}/`, `${fine.origin}/1`]);
    expect(err).toContain(`failure\tconnect\t${closed.origin}/\t`);
    expect(err).toContain(`failure\ttimeout\t${slow.origin}/\t`);
    const unknown = await runOn({ "https://no.test/": { fault: "ENOTFOUND" } }, [
      "https://no.test/",
      "--no-robots",
      "--retries",
      "0",
    ]);
    expect(unknown.err).toContain("failure\tdns\thttps://no.test/\t");
  });

  test("shows real progress: the pages that are there, of those that were asked for", async () => {
    const paths = Array.from({ length: 40 }, (_, n) => `https://a.test/${n}`);
    const web = {
      "https://a.test/": links(...paths),
      ...Object.fromEntries(paths.map((url) => [url, { afterMs: 2000 }])),
    };
    const { err } = await runOn(web, ["https://a.test/", "--max-pages", "30"]);
    const told = [...err.matchAll(/^progress: (\d+) pages?, .* (\d+)% of 30 pages/gm)];
    expect(told.length).toBeGreaterThan(2);
    for (const [, pages, percent] of told) {
      expect(Number(percent)).toBe(Math.floor((Number(pages) / 30) * 100));
    }
    const counts = told.map(([, pages]) => Number(pages));
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });

  test("says who it is, in the words that it is given", async () => {
    const { log } = await runOn({ "https://a.test/": "" }, [
      "https://a.test/",
      "--user-agent",
      "Grab/2.0 (+https://me.test/)",
    ]);
    expect(log.map(({ headers }) => headers.get("user-agent"))).toEqual(
      Array(2).fill("Grab/2.0 (+https://me.test/)"),
    );
  });

  test("takes a batch of seeds that share robots.txt and what was visited", async () => {
    const site = await serve({ "/": links("/1", "/2"), "/1": links("/2"), "/2": links("/1") });
    const { urls } = await runReally([`${site.origin}/`, `${site.origin}/1`, `${site.origin}/2`]);
    expect([...urls].sort()).toEqual([`${site.origin}/`, `${site.origin}/1`, `${site.origin}/2`]);
    expect([...site.targets].sort()).toEqual(["/", "/1", "/2", "/robots.txt"]);
  });

  test("does all of it in one command", async () => {
    const found = join(await temporaryFolder(), "found.csv");
    const web = {
      "https://www.site.test/": `${links("https://shop.site.test/")} Info@Site-One.com`,
      "https://shop.site.test/": "info@site-one.com",
      "https://www.site.test/robots.txt": "Sitemap: https://www.site.test/map.xml",
      "https://www.site.test/map.xml": {
        type: "application/xml",
        body: "<urlset><url><loc>https://www.site.test/hidden</loc></url></urlset>",
      },
      "https://www.site.test/hidden": "sales@site-one.com",
    };
    const command = `https://www.site.test/ --emails ${found} --scope domain --max-depth 3 --sitemaps --max-pages 200`;
    const { code } = await runOn(web, command.split(" "));
    expect(code).toBe(0);
    const [, ...rows] = (await readFile(found, "utf8")).trimEnd().split("\r\n");
    expect(rows.map((row) => row.split(",").slice(0, 2)).sort()).toEqual([
      ["info@site-one.com", "https://www.site.test/ https://shop.site.test/"],
      ["sales@site-one.com", "https://www.site.test/hidden"],
    ]);
  });
});

/** A proxy that tunnels, and also fetches plain HTTP as RFC 9110 §3.7 has it. */
async function openProxy(): Promise<{ origin: string; asked: string[]; close(): Promise<void> }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    void fetch(request.url ?? "").then(async (answer) => {
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(await answer.text());
    });
  });
  server.on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    const [host = "", port] = (request.url ?? "").split(":");
    const upstream = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(upstream).pipe(socket);
    });
    for (const end of [socket, upstream]) end.on("error", () => end.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe("--proxy", () => {
  test("sends requests through the proxy", async () => {
    const proxy = await openProxy();
    const site = await serve({ "/": links("/a"), "/a": "" });
    const { urls } = await runReally([`${site.origin}/`, "--proxy", proxy.origin]);
    expect(urls).toEqual([`${site.origin}/`, `${site.origin}/a`]);
    expect(proxy.asked.length).toBeGreaterThan(0);
    // What asks for DNS over HTTPS.
    const { fetch } = await senderOf(proxy.origin);
    const before = proxy.asked.length;
    expect((await fetch(`${site.origin}/a`)).status).toBe(200);
    expect(proxy.asked.length).toBeGreaterThan(before);
    await proxy.close();
  });
});
