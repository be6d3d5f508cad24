import { describe, expect, it } from "vitest";
import type { CrawlResult, Skip } from "../../src/result.ts";
import { ResultLog, type ResultReading } from "../../src/server/result_log.ts";
import { FakeClock } from "../../src/testing/fake_clock.ts";
import { settled } from "../support/fake_crawl.ts";

const ALL = new Set(["page", "failure", "skip"] as const);

function failure(n: number, detail = ""): CrawlResult {
  const request = { url: `https://a.test/${n}`, key: "", host: "a.test", depth: 0, priority: 0, order: n };
  return {
    type: "failure",
    url: request.url,
    request,
    reason: "dns",
    attempts: 1,
    cause: new Error(detail || "x"),
  };
}

const SKIP: Skip = { type: "skip", url: "https://a.test/skipped", reason: "robots" };

function logOf(maxChars = 10_000, idleMs = 1000): { log: ResultLog; clock: FakeClock } {
  const clock = new FakeClock();
  return { log: new ResultLog({ clock, maxChars, idleMs }), clock };
}

async function urlsOf(log: ResultLog, reading: Partial<ResultReading> = {}): Promise<string[]> {
  const text = await new Response(log.read({ types: ALL, follows: false, ...reading })).text();
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { url: string }).url.slice("https://a.test/".length));
}

describe("ResultLog", () => {
  it("keeps the newest within its bound, and says how many are gone", async () => {
    const { log } = logOf(500);
    for (let n = 1; n <= 20; n++) await log.add(failure(n));
    const urls = await urlsOf(log);
    expect(urls.at(-1)).toBe("20");
    expect(urls.length).toBeGreaterThan(1);
    expect(log.dropped + urls.length).toBe(20);
    await log.add(failure(21, "y".repeat(5000)));
    expect(await urlsOf(log)).toEqual(["21"]);
  });

  it("gives skips to those who read at that moment alone", async () => {
    const { log } = logOf();
    const following = urlsOf(log, { follows: true });
    await log.add(SKIP);
    await log.add(failure(1));
    log.close();
    expect(await following).toEqual(["skipped", "1"]);
    expect(await urlsOf(log)).toEqual(["1"]);
  });

  it("takes nothing more in before every reader has taken what there is", async () => {
    const { log } = logOf(10_000, Number.POSITIVE_INFINITY);
    const reader = log.read({ types: ALL, follows: true }).getReader();
    let added = 0;
    const adding = (async () => {
      for (let n = 1; n <= 3; n++) {
        await log.add(failure(n));
        added = n;
      }
    })();
    await settled();
    expect(added).toBe(0);
    await reader.read();
    await settled();
    expect(added).toBe(1);
    await reader.cancel();
    await adding;
    expect(log.readers).toBe(0);
  });

  it("waits for no reader who does not want what comes", async () => {
    const { log } = logOf(10_000, Number.POSITIVE_INFINITY);
    log.read({ types: new Set(["page"] as const), follows: true });
    await log.add(failure(1));
    expect(log.readers).toBe(1);
  });

  it("gives a reader that takes piece by piece the time for each", async () => {
    const { log, clock } = logOf(1_000_000, 1000);
    for (let n = 1; n <= 5; n++) await log.add(failure(n, "z".repeat(60_000)));
    const reader = log.read({ types: ALL, follows: true }).getReader();
    const adding = log.add(failure(6));
    for (let taken = 0; taken < 3; taken++) {
      await clock.sleep(900);
      expect((await reader.read()).done).toBe(false);
    }
    await adding;
    expect(log.readers).toBe(1);
    await reader.cancel();
    expect(clock.sleeping).toBe(0);
  });

  it("lets a reader go that takes nothing, whose stream fails", async () => {
    const { log, clock } = logOf(10_000, 1000);
    const body = log.read({ types: ALL, follows: true });
    const startedMs = clock.now();
    await log.add(failure(1));
    expect(clock.now() - startedMs).toBe(1000);
    expect(log.readers).toBe(0);
    await expect(body.getReader().read()).rejects.toThrow("the crawl went on");
  });

  it("lets a reader go whose request is aborted", async () => {
    const { log } = logOf(10_000, Number.POSITIVE_INFINITY);
    const controller = new AbortController();
    log.read({ types: ALL, follows: true, signal: controller.signal });
    const adding = log.add(failure(1));
    controller.abort();
    await adding;
    expect(log.readers).toBe(0);
    log.read({ types: ALL, follows: true, signal: controller.signal });
    expect(log.readers).toBe(0);
  });
});
