import { once } from "node:events";
import { request } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { bareLoop } from "../../bench/support/bare_loop.ts";
import { createPageServer } from "../../bench/support/page_server.ts";
import { syntheticPages } from "../../bench/support/synthetic_pages.ts";
import { crawl } from "../../mod.ts";
import { issueCertificate } from "../support/certificate.ts";

const PAGES = 60;
let server: Server | undefined;

async function listen(made: Server): Promise<number> {
  server = made;
  made.listen(0, "127.0.0.1");
  await once(made, "listening");
  return (made.address() as AddressInfo).port;
}

afterEach(() => {
  server?.close();
});

describe("createPageServer()", () => {
  it("serves each page at its path, robots.txt, and 404 for what it has not", async () => {
    const pages = new Map([["/a b.html", Buffer.from("<p>Ä")]]);
    const origin = `http://127.0.0.1:${await listen(createPageServer(pages))}`;
    const page = await fetch(`${origin}/a%20b.html?x=1`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await page.text()).toBe("<p>Ä");
    expect(await (await fetch(`${origin}/robots.txt`)).text()).toContain("Disallow: /private/");
    const missing = await fetch(`${origin}/b.html`);
    expect([missing.status, await missing.text()]).toEqual([404, "Not found"]);
  });

  it("sends no body for HEAD, and closes where the client asks for it", async () => {
    const pages = new Map([["/", Buffer.from("body")]]);
    const origin = `http://127.0.0.1:${await listen(createPageServer(pages))}`;
    const head = await fetch(origin, { method: "HEAD", headers: { connection: "close" } });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it("serves HTTPS by the certificate of issueCertificate(), which its own authority verifies", async () => {
    const certificate = await issueCertificate();
    const port = await listen(createPageServer(new Map([["/", Buffer.from("safe")]]), certificate));
    const sent = request({ host: "127.0.0.1", port, path: "/", ca: certificate.cert, agent: false }).end();
    const [response] = await once(sent, "response");
    let text = "";
    for await (const chunk of response) text += chunk;
    expect(text).toBe("safe");
  });
});

describe("syntheticPages()", () => {
  it("makes pages of the size asked for", () => {
    const pages = syntheticPages(PAGES, 10_240);
    expect(pages.size).toBe(PAGES);
    for (const page of pages.values()) expect(Math.abs(page.length - 10_240)).toBeLessThan(256);
  });

  it("links them all, so that the bare loop and crawl() find the same ones", async () => {
    const start = `http://127.0.0.1:${await listen(createPageServer(syntheticPages(PAGES)))}/`;
    expect(await bareLoop(start, start, 8)).toBe(PAGES);
    const urls = new Set<string>();
    for await (const page of crawl(start, { delayMs: 0 })) if (page.ok) urls.add(page.url);
    expect(urls.size).toBe(PAGES);
  });
});
