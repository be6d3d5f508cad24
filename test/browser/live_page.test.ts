import { once } from "node:events";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { type ServerType, serve } from "@hono/node-server";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/server/app.ts";
import type { ServerOptions } from "../../src/server/server_options.ts";
import { type Loopback, loopback } from "../support/loopback.ts";
import { CHROMIUM, type Chromium, startChromium } from "./chromium.ts";
import { faintTexts } from "./contrast.ts";
import { type CutLine, cutLine } from "./cut_line.ts";

const HOSTILE = `<img src=x onerror="window.harmed=1">`;
const NO_URL = "http://[javascript:window.harmed=1";
const isNode = !("Bun" in globalThis) && !("Deno" in globalThis);
// On CI a missing browser fails the tests, which is how it is found out that they were not run.
const isLeftOut = !isNode || (CHROMIUM === undefined && process.env.CI !== "true");
if (isNode && isLeftOut) console.warn("Chromium is not installed: the tests of the live page are left out");

describe.skipIf(isLeftOut)("the live page in a browser", () => {
  let browser: Chromium;
  let site: Loopback;
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    browser = await startChromium();
    site = await loopback((request, response) => {
      const n = Number(/^\/(\d+)$/.exec(request.url ?? "")?.[1] ?? 0);
      const status = request.url === "/robots.txt" || n === 7 ? 404 : 200;
      response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
      const links = Array.from({ length: 30 }, (_, i) => `<a href="/${i + 1}">x</a>`).join("");
      const title = n === 3 ? HOSTILE.replaceAll("<", "&lt;") : `Page ${n}`;
      response.end(
        `<title>${title}</title>${links}<a href="javascript:window.harmed=1">x</a><a href="${NO_URL}">x</a>`,
      );
    });
  }, 30_000);
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  /** Serves the app on loopback until the test is over. */
  async function served(options: ServerOptions = {}): Promise<{ origin: string; port: number }> {
    const app = createApp({
      privateAddresses: "allow",
      limits: { minDelayMs: 0 },
      crawl: { delayMs: 0 },
      retryMs: 100,
      ...options,
    });
    const server: ServerType = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 });
    await once(server, "listening");
    closing.push(async () => {
      const closed = once(server, "close");
      server.close();
      (server as { closeAllConnections?(): void }).closeAllConnections?.();
      await closed;
    });
    const { port } = server.address() as AddressInfo;
    return { origin: `http://127.0.0.1:${port}`, port };
  }

  /** Opens the page; what breaks in it fails the test. */
  async function open(origin: string, screen?: Parameters<Chromium["open"]>[1]): Promise<Page> {
    const page = await browser.open(`${origin}/`, screen);
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => {
      if (/Content Security Policy|Trusted/i.test(message.text())) faults.push(message.text());
    });
    closing.unshift(async () => {
      await page.close();
      expect(faults).toEqual([]);
    });
    return page;
  }

  async function start(page: Page, seeds: string): Promise<void> {
    await page.fill("#seeds", seeds);
    await page.press("#maxPages", "Enter");
    await page.waitForSelector("#crawl:not([hidden])");
  }

  async function figure(page: Page, name: string): Promise<string> {
    return (await page.textContent(`[data-figure=${name}]`)) ?? "";
  }

  it("starts a crawl and shows it to its end; what a page says stays text", async () => {
    const { origin } = await served();
    const page = await open(origin);
    await start(page, `${site.origin}/`);
    await page.waitForSelector("#state[data-state=over]");
    expect(await figure(page, "pages")).toBe("31");
    expect(await figure(page, "queued")).toBe("0");
    expect(await page.textContent("#statuses")).toBe("200304041");
    expect(await page.textContent("#hosts th")).toBe(new URL(site.origin).host);
    expect(await page.getAttribute("#curve-line", "d")).toMatch(/^M0\.0 [\d.]+L/);
    expect(await page.getAttribute("#curve", "aria-label")).toMatch(/^Pages a second over .+ on average/);
    await page.waitForFunction(() =>
      document.getElementById("live")?.textContent?.startsWith("The crawl is over: 31 pages"),
    );

    await page.fill("#results-filter", "onerror");
    await page.waitForFunction(() => document.querySelectorAll("#results li").length === 1);
    expect(await page.textContent("#results .name")).toBe(HOSTILE);
    await page.fill("#results-filter", "");
    await page.check("input[name=kind][value=skip]", { force: true });
    await page.waitForFunction(() => document.querySelector("#results .mark")?.textContent === "skip");
    const hrefs = await page
      .locator("#results a[href]")
      .evaluateAll((links) => links.map((a) => a.getAttribute("href")));
    expect(hrefs).toContain(NO_URL);
    expect(hrefs.every((href) => href?.startsWith("http://"))).toBe(true);
    expect(await page.evaluate(() => "harmed" in window)).toBe(false);
    expect(await page.locator("#results img").count()).toBe(0);

    const download = page.waitForEvent("download");
    await page.click("#download");
    expect((await download).suggestedFilename()).toMatch(/^crawl-1-\w+\.jsonl$/);
  });

  it("stops a crawl", async () => {
    const { origin } = await served({ crawl: { delayMs: 200 } });
    const page = await open(origin);
    await start(page, `${site.origin}/`);
    await page.waitForFunction(() => document.querySelector("[data-figure=pages]")?.textContent !== "0");
    await page.click("#stop");
    await page.waitForSelector("#state[data-state=over]");
    expect(await page.textContent("#state")).toBe("stopped");
    expect(Number(await figure(page, "pages"))).toBeLessThan(31);
    expect(await page.isDisabled("#stop")).toBe(true);
    expect(await page.textContent("#crawls .hint")).toMatch(/^stopped, \d+ pages$/);
  });

  it("connects again after the line was cut, and misses nothing", async () => {
    const { port } = await served({ crawl: { delayMs: 50 } });
    const line: CutLine = await cutLine(port);
    closing.unshift(() => line.close());
    const page = await open(line.origin);
    await start(page, `${site.origin}/`);
    await page.waitForFunction(() => Number(document.querySelector("[data-figure=pages]")?.textContent) > 3);
    line.cut();
    await page.waitForSelector("#connection[data-state=lost]");
    const before = Number(await figure(page, "pages"));
    line.mend();
    await page.waitForSelector("#state[data-state=over]");
    expect(before).toBeLessThan(31);
    expect(await figure(page, "pages")).toBe("31");
    const urls = await page.locator("#results a").allTextContents();
    expect(urls).toHaveLength(31);
    expect(new Set(urls).size).toBe(31);
  });

  it("shows at its field what the server finds wrong", async () => {
    const { origin } = await served();
    const page = await open(origin);
    await page.fill("#seeds", "ftp://a.test/");
    await page.click("#start summary");
    await page.fill("#concurrency", "1000");
    await page.click("#start button[type=submit]");
    await page.waitForSelector("#concurrency[aria-invalid=true]");
    expect(await page.textContent("#concurrency-error")).toContain("must be at most 32: received 1000");
    expect(await page.textContent("#seeds-error")).toContain("http");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("seeds");
  });

  it("asks for the token where one is set", async () => {
    const { origin } = await served({ token: "open-sesame" });
    const page = await open(origin);
    await page.waitForSelector("#token-dialog[open]");
    await page.fill("#token", "wrong");
    await page.press("#token", "Enter");
    await page.waitForSelector("#token-dialog[open]");
    await page.fill("#token", "open-sesame");
    await page.press("#token", "Enter");
    await start(page, `${site.origin}/`);
    await page.waitForSelector("#state[data-state=over]");
  });

  it("draws no more than it can with a thousand hosts", async () => {
    const hosts = Array.from({ length: 1000 }, (_, i) => `https://h${i}.example/`);
    const answer = (url: string): Response => {
      const isFirst = url === "https://first.example/";
      const links = isFirst ? hosts.map((host) => `<a href="${host}">x</a>`).join("") : "";
      return new Response(links, {
        headers: { "content-type": "text/html" },
        status: url.endsWith("robots.txt") ? 404 : 200,
      });
    };
    const { origin } = await served({
      crawl: { fetch: async (url) => answer(String(url)), scope: "any", concurrency: 32 },
    });
    const page = await open(origin);
    await page.selectOption("#scope", "any");
    await page.fill("#maxPages", "2000");
    await start(page, "https://first.example/");
    await page.waitForSelector("#state[data-state=over]");
    expect(await figure(page, "pages")).toBe("1,001");
    expect(await page.locator("#hosts tr").count()).toBe(100);
    expect(await page.textContent("#hosts-more")).toBe("and 900 more: filter to find one");
    expect(await page.locator("#results li").count()).toBe(100);
    await page.fill("#hosts-filter", "h77.");
    await page.waitForFunction(() => document.querySelectorAll("#hosts tr").length === 1);
  });

  it("is used by keyboard alone", async () => {
    const { origin } = await served();
    const page = await open(origin);
    await page.waitForFunction(() => document.getElementById("connection-text")?.textContent === "Ready");
    const reached: string[] = [];
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press("Tab");
      reached.push(
        await page.evaluate(
          () => document.activeElement?.id || document.activeElement?.textContent?.trim() || "",
        ),
      );
    }
    expect(reached).toEqual(["Skip to the crawl", "seeds", "scope", "maxPages", "More options", "Start"]);
    await page.focus("#seeds");
    await page.keyboard.type(`${site.origin}/`);
    await page.focus("#start button[type=submit]");
    await page.keyboard.press("Space");
    await page.waitForSelector("#state[data-state=over]");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("watch");
  });

  it("fits into 360 pixels and has contrast in either scheme", async () => {
    const { origin } = await served();
    const first = await open(origin);
    await start(
      first,
      `${site.origin}/\nhttp://localhost:9/a-rather-long-seed-that-no-screen-of-this-width-can-show-in-one-line/`,
    );
    await first.waitForSelector("#state[data-state=over]");
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [360, 1280]) {
        const page = await open(origin, { width, height: 800, colorScheme });
        await page.waitForSelector("#results li");
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width}`).toBe(width);
        expect(await faintTexts(page), `${width} ${colorScheme}`).toEqual([]);
      }
    }
  });
});
