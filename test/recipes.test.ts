import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Host, html, openHost } from "../examples/demo/serve.ts";
import { startScript } from "./cli/run_script.ts";
import { temporaryFolder } from "./output/folder.ts";
import { linesOf } from "./support/run_example.ts";

let site: Host;
let other: Host;
beforeAll(async () => {
  site = await openHost();
  other = await openHost();
  other.show({ "/ok": html("Other", '<a href="deeper">Never asked</a>') });
  site.show({
    "/": html("Home", `<a href="moved#part">M</a><a href="a">A</a><a href="${other.origin}/ok">O</a>`),
    "/a": html("A", `<a href="gone">G</a><a href="${other.origin}/lost">L</a><a href="cut">C</a>`),
    "/moved": { status: 301, headers: { location: "/gone" } },
    "/cut": "hang-up",
    "/team": html("Team", '<a href="mailto:ann@teapots.example">Ann</a><a href="desk">Desk</a>'),
    "/desk": html("Desk", "<p>desk [at] teapots [dot] example, ann@teapots.example</p>"),
    "/sitemap.xml": {
      headers: { "content-type": "application/xml" },
      body: "<urlset><url><loc>/guide</loc></url><url><loc>/draft</loc></url></urlset>",
    },
    "/guide": html("Guide", "<nav>Menu</nav><main><h1>Tea</h1><p>Pour <em>slowly</em>.</p></main>"),
    "/draft": html("Draft", '<meta name="robots" content="noindex"><main>Not yet</main>'),
    "/news": [
      html("News", '<a href="x">X</a><a href="y">Y</a>'),
      html("News", '<a href="x">X</a><a href="z">Z</a>'),
    ],
    "/x": [html("X", "one"), html("X", "two")],
    "/y": html("Y", ""),
    "/z": html("Z", ""),
  });
});
afterAll(() => Promise.all([site.close(), other.close()]));

// Each is a process of its own, which waits as politeness asks: on a busy machine that takes its time.
describe.concurrent("recipes", { timeout: 90_000 }, () => {
  test("broken_links.ts finds them behind redirects and on other sites", async () => {
    const lines = await linesOf("recipes/broken_links.ts", `${site.origin}/`);
    expect(lines.sort()).toEqual(
      [
        `${site.origin}/moved status 404 ${site.origin}/`,
        `${site.origin}/gone status 404 ${site.origin}/a`,
        `${site.origin}/cut reset ${site.origin}/a`,
        `${other.origin}/lost status 404 ${site.origin}/a`,
      ].sort(),
    );
  });

  test("markdown_corpus.ts writes the sitemap's pages, and none that asks to be left out", async () => {
    const lines = await linesOf("recipes/markdown_corpus.ts", `${site.origin}/sitemap.xml`);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      { url: `${site.origin}/guide`, title: "Guide", markdown: "# Tea\n\nPour _slowly_." },
    ]);
  });

  test("email_addresses.ts lists each with its pages", async () => {
    expect(await linesOf("recipes/email_addresses.ts", `${site.origin}/team`)).toEqual([
      `ann@teapots.example mailto ${site.origin}/team ${site.origin}/desk`,
      `desk@teapots.example obfuscated ${site.origin}/desk`,
    ]);
  });

  test("changes.ts tells what is new, changed and gone", async () => {
    const state = join(await temporaryFolder(), "state.json");
    const run = async (): Promise<string[]> =>
      (await linesOf("recipes/changes.ts", `${site.origin}/news`, state)).sort();
    expect(await run()).toEqual(["news", "x", "y"].map((name) => `new ${site.origin}/${name}`));
    expect(await run()).toEqual([
      `changed ${site.origin}/news`,
      `changed ${site.origin}/x`,
      `gone ${site.origin}/y`,
      `new ${site.origin}/z`,
    ]);
    expect(await run()).toEqual([""]);
  });
});

describe("login.ts", () => {
  test("sends the form, keeps the cookie, and leaves the way out alone", async () => {
    const asked: string[] = [];
    const server = createServer(async (request, response) => {
      const body = await new Response(request as unknown as ReadableStream).text().catch(() => "");
      asked.push(`${request.method} ${request.url} ${body}`.trim());
      const isMember = request.headers.cookie === "session=ann";
      response.setHeader("content-type", "text/html");
      if (request.url === "/login") {
        const isRight = body === "user=ann&password=secret";
        response.writeHead(
          isRight ? 303 : 200,
          isRight ? { location: "/hall", "set-cookie": "session=ann" } : {},
        );
        return response.end('<input type="password">');
      }
      response.writeHead(request.url === "/robots.txt" ? 404 : isMember ? 200 : 401);
      return response.end('<title>Members</title><a href="/members/2">2</a><a href="/logout">Bye</a>');
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      process.env.PASSWORD = "secret";
      const lines = await linesOf("recipes/login.ts", `${origin}/login`, `${origin}/members/`, "ann");
      expect(lines.sort()).toEqual([
        `200 ${origin}/hall Members`,
        `200 ${origin}/members/ Members`,
        `200 ${origin}/members/2 Members`,
        "done",
      ]);
      expect(asked).not.toContain("GET /logout");
      process.env.PASSWORD = "wrong";
      const { code, stderr } = await startScript("examples/recipes/login.ts", `${origin}/login`).ended;
      expect(code).not.toBe(0);
      expect(stderr).toContain("The login was refused");
    } finally {
      delete process.env.PASSWORD;
      server.closeAllConnections();
      server.close();
    }
  });
});

// undici's agents are for Node.js: Deno and Bun have their own ways.
describe.skipIf("Deno" in globalThis || "Bun" in globalThis)("by undici", () => {
  test("undici.ts prints every page, and ends by itself", async () => {
    expect(await linesOf("undici.ts", `${site.origin}/team`)).toEqual([
      `200 ${site.origin}/team Team`,
      `200 ${site.origin}/desk Desk`,
    ]);
  });

  test("proxy.ts asks by the proxy", async () => {
    const tunnels: string[] = [];
    const proxy = createServer((_, response) => response.writeHead(500).end());
    proxy.on("connect", (request, socket) => {
      tunnels.push(request.url ?? "");
      const { port } = new URL(`http://${request.url}`);
      const upstream = connect(Number(port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        upstream.pipe(socket).pipe(upstream);
      });
      for (const end of [socket, upstream]) end.on("error", () => {});
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const { port } = proxy.address() as AddressInfo;
    try {
      const lines = await linesOf("recipes/proxy.ts", `${site.origin}/y`, `http://127.0.0.1:${port}`);
      expect(lines).toEqual([`200 ${site.origin}/y`]);
      expect(new Set(tunnels)).toEqual(new Set([new URL(site.origin).host]));
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  });
});
