import { describe, expect, test } from "vitest";
import { crawl } from "../src/crawl.ts";
import { FakeClock } from "../src/testing/fake_clock.ts";
import { gather } from "./support/fake_crawl.ts";

/** Answers that take no time, only some turns of the queue of microtasks; each third one refuses at first. */
function suddenWeb(): typeof fetch {
  const asked = new Map<string, number>();
  let answers = 0;
  return async (input) => {
    const url = String(input);
    const n = (asked.get(url) ?? 0) + 1;
    asked.set(url, n);
    const turns = (++answers * 7) % 5;
    for (let turn = 0; turn < turns; turn++) await undefined;
    const refuses = n === 1 && answers % 3 === 0;
    return new Response("there", { status: refuses ? 503 : 200, headers: { "content-type": "text/html" } });
  };
}

describe("a crawl whose answers come at once", () => {
  test.each([
    { robots: false, delayMs: 0 },
    { robots: true, delayMs: 0 },
    { robots: false, delayMs: 5 },
    { robots: true, delayMs: 5 },
  ])("keeps to the pace of a host that has just refused, and ends: %o", async (options) => {
    const seeds = Array.from({ length: 200 }, (_, n) => `https://h${n % 5}.test/${n}`);
    const pages = crawl(seeds, {
      ...options,
      clock: new FakeClock(),
      random: () => 0.5,
      fetch: suddenWeb(),
      concurrency: 8,
      hostConcurrency: 4,
      retries: { max: 10, baseMs: 1, maxMs: 5 },
      results: "all",
    });
    const results = await gather(pages);
    expect(results.map(({ url }) => url).sort()).toEqual([...seeds].sort());
    expect(results.every(({ type }) => type === "page")).toBe(true);
  });
});
