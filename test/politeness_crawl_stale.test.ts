import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { crawl } from "../src/crawl.ts";
import type { CrawlEvent } from "../src/event.ts";
import { fakeCrawl, gather, HOME, told } from "./support/fake_crawl.ts";

const START_MS = Date.UTC(2026, 10, 30);
const QUICK = { robots: false, delayMs: 0, hostConcurrency: 1 } as const;

describe("a reset of a connection that was kept", () => {
  test("is tried again at once, and uses up no attempt", async () => {
    const stale = (n: number) => (n === 1 ? ({ fault: "ECONNRESET" } as const) : "");
    const fake = fakeCrawl({ [`${HOME}2`]: stale }, { ...QUICK, seeds: [HOME, `${HOME}2`, `${HOME}3`] });
    expect(told(await gather(fake.crawl))).toEqual(["page / 404", "page /2 200", "page /3 404"]);
    expect(fake.web.log.map(({ url, atMs }) => [url.slice(HOME.length), atMs - START_MS])).toEqual([
      ["", 0],
      ["2", 10],
      ["2", 20],
      ["3", 30],
    ]);
  });

  test("keeps to the gap all the same", async () => {
    const stale = (n: number) => (n === 1 ? ({ fault: "ECONNRESET" } as const) : "");
    const fake = fakeCrawl({ [`${HOME}2`]: stale }, { ...QUICK, delayMs: 300, seeds: [HOME, `${HOME}2`] });
    await gather(fake.crawl);
    expect(fake.web.log.map(({ atMs }) => atMs - START_MS)).toEqual([0, 300, 600]);
  });

  test("once: from the second on it waits as any other fault", async () => {
    const fake = fakeCrawl(
      { [`${HOME}2`]: { fault: "ECONNRESET" } },
      { ...QUICK, seeds: [HOME, `${HOME}2`] },
    );
    expect(told(await gather(fake.crawl))).toEqual(["page / 404", "failure /2 reset"]);
    expect(fake.web.log.map(({ atMs }) => atMs - START_MS)).toEqual([0, 10, 20, 405, 1_165]);
  });

  test("is none where the host has never answered", async () => {
    const fake = fakeCrawl({ [HOME]: (n) => (n === 1 ? { fault: "ECONNRESET" } : "") }, QUICK);
    await gather(fake.crawl);
    expect(fake.web.log.map(({ atMs }) => atMs - START_MS)).toEqual([0, 385]);
  });

  test("is one on the very first page too, where robots.txt has been answered", async () => {
    const stale = (n: number) => (n === 1 ? ({ fault: "ECONNRESET" } as const) : "");
    const fake = fakeCrawl({ [HOME]: stale }, { ...QUICK, robots: true });
    await gather(fake.crawl);
    expect(fake.web.log.map(({ atMs }) => atMs - START_MS)).toEqual([0, 10, 20]);
  });

  test("is none any more once the host was given up meanwhile", async () => {
    const fake = fakeCrawl(
      {
        [`${HOME}2`]: { status: 500, afterMs: 10 },
        [`${HOME}3`]: { fault: "ECONNRESET", afterMs: 20 },
      },
      {
        ...QUICK,
        hostConcurrency: 2,
        seeds: [HOME, `${HOME}2`, `${HOME}3`],
        retries: { max: 1 },
        maxHostFailures: 1,
      },
    );
    const results = told(await gather(fake.crawl));
    expect(results.sort()).toEqual(["page / 404", "skip /2 host-unavailable", "skip /3 host-unavailable"]);
    expect(fake.web.urls()).toEqual([HOME, `${HOME}2`, `${HOME}3`]);
  });

  let close = (): void => {};
  afterEach(() => close());

  test("does no harm on a real server that closes kept connections as the next request comes", async () => {
    const answer =
      "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok";
    const sockets = new Set<Socket>();
    const asked = new Set<string>();
    let resets = 0;
    const server = createServer((socket) => {
      let requests = 0;
      sockets.add(socket);
      socket.on("error", () => {});
      // The first request on a connection is answered, a second one meets its end: each path but once, since there
      // may be several kept connections, and the next attempt may go out on any.
      socket.on("data", (octets: Buffer) => {
        const [path] = /\/\d+/.exec(octets.toString())!;
        const isRepeated = asked.has(path);
        asked.add(path);
        if (++requests === 1 || isRepeated) return void socket.write(answer);
        resets++;
        socket.resetAndDestroy();
      });
    });
    close = () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    };
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const events: CrawlEvent[] = [];
    const seeds = Array.from({ length: 6 }, (_, i) => `${origin}/${i}`);
    const results = await gather(
      crawl(seeds, {
        results: "all",
        robots: false,
        delayMs: 0,
        hostConcurrency: 1,
        // Whoever waited for a backoff would not be back within the test's time.
        retries: { baseMs: 3_600_000, maxMs: 3_600_000 },
        onEvent: (event) => void events.push(event),
      }),
    );
    expect(results.map(({ type }) => type)).toEqual(Array(6).fill("page"));
    const retries = events.filter((event) => event.type === "retrying");
    // Some runtimes try again by themselves, so that the crawl never hears of it.
    expect(resets).toBeGreaterThanOrEqual(retries.length);
    expect(resets).toBeGreaterThan(0);
    expect(retries.every(({ reason }) => reason === "reset")).toBe(true);
  });
});
