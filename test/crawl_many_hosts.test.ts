import { describe, expect, test } from "vitest";
import { fakeCrawl, gather } from "./support/fake_crawl.ts";

const LEAVES = { otherwise: "leaf" };

// More than the 2,000 that are kept in hand at once.
describe("crawl() and thousands of hosts", () => {
  test("more hosts than are kept in hand all get their turn", async () => {
    const hosts = Array.from({ length: 2_050 }, (_, i) => `h${i}.test`);
    const seeds = [...hosts, ...hosts].map((host, i) => `https://${host}/${i}`);
    const { crawl, web } = fakeCrawl(
      {},
      { seeds, robots: false, results: "pages", concurrency: 200, web: { ...LEAVES, afterMs: 1 } },
    );
    expect(await gather(crawl)).toHaveLength(4_100);
    const last = new Map<string, number>();
    for (const { url, atMs } of web.log) {
      const { host } = new URL(url);
      if (last.has(host)) expect(atMs - last.get(host)!).toBeGreaterThanOrEqual(250);
      last.set(host, atMs);
    }
    expect(last.size).toBe(2_050);
  });

  test("a host that is skipped does not hold up those that are not in hand", async () => {
    const hosts = Array.from({ length: 2_050 }, (_, i) => `https://h${i}.test/`);
    const site = Object.fromEntries(
      hosts.slice(0, 2_000).map((url) => [url, { status: 429, retryAfter: 3_000 }]),
    );
    const { crawl, web, clock } = fakeCrawl(site, {
      seeds: hosts,
      robots: false,
      results: "pages",
      concurrency: 200,
      web: LEAVES,
    });
    const startMs = clock.now();
    let left = 50;
    for await (const { ok } of crawl as AsyncIterable<{ ok: boolean }>) if (ok && --left === 0) break;
    expect(clock.now() - startMs).toBeLessThan(60_000);
    expect(web.log).toHaveLength(2_050);
  });

  test("hosts to which only a robots.txt was redirected are let go of", async () => {
    // Each by way of five more.
    const seeds = Array.from({ length: 420 }, (_, i) => `https://0.h${i}.test/`);
    const robots = (_: number, { url }: { url: string }) => {
      const [, hop, host, path] = /^https:..(\d)\.([^/]+)(.*)$/.exec(url)!;
      if (path !== "/robots.txt") return "leaf";
      return hop === "5" ? "" : { status: 301, location: `https://${Number(hop) + 1}.${host}/robots.txt` };
    };
    const { crawl } = fakeCrawl(
      {},
      { seeds, results: "pages", delayMs: 0, concurrency: 100, web: { otherwise: robots, afterMs: 1 } },
    );
    expect(await gather(crawl)).toHaveLength(420);
    expect(await crawl.finished).toMatchObject({ finishReason: "done", robotsRequests: 2_520 });
  });
});
