import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../src/clock.ts";
import { crawl } from "../src/crawl.ts";
import type { CrawlOptions } from "../src/options.ts";
import { type Loopback, loopback } from "./support/loopback.ts";

// A request may arrive as late as it likes, but never before its time, which is measured from where the crawl says
// that an earlier one started. It says so just after the start, and that is all that is allowed for here: the time
// from one line of code to the next, in a process that may have to collect its garbage in between.
const TOLD_LATE_MS = 20;

/** A server's own log, by the clock of the crawl. */
interface Arrival {
  readonly target: string;
  readonly atMs: number;
  /** Requests in service at this one's arrival, itself included. */
  readonly together: number;
  /** When its answer was sent. */
  answeredMs: number;
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

let server: Loopback | undefined;
afterEach(() => server?.close());

/** Crawls a server that takes its time, and gives the starts as the crawl tells them and the arrivals as it saw them. */
async function arrivals(
  serviceMs: number,
  pages: number,
  options: CrawlOptions,
  answerTo: (target: string, n: number) => Answer = () => ({ status: 200 }),
): Promise<{ starts: readonly number[]; log: readonly Arrival[] }> {
  const log: Arrival[] = [];
  const starts: number[] = [];
  let together = 0;
  server = await loopback((request, response) => {
    const target = request.url!;
    const n = log.filter((earlier) => earlier.target === target).length + 1;
    const arrival = { target, atMs: systemClock.now(), together: ++together, answeredMs: 0 };
    log.push(arrival);
    setTimeout(() => {
      together--;
      const { status, headers } = answerTo(target, n);
      arrival.answeredMs = systemClock.now();
      response.writeHead(status, { "content-type": "text/html", ...headers }).end("<p>");
    }, serviceMs);
  });
  const seeds = Array.from({ length: pages }, (_, i) => `${server!.origin}/${i}`);
  const onEvent: CrawlOptions["onEvent"] = (event) => {
    if (event.type === "started") starts.push(event.atMs);
  };
  for await (const page of crawl(seeds, { ...options, onEvent })) expect(page.status).toBe(200);
  return { starts, log };
}

describe("arrivals at a real server", () => {
  test("lie the gap apart, robots.txt included, however many may be in flight", async () => {
    const gapMs = 100;
    const { starts, log } = await arrivals(5, 8, { delayMs: gapMs, hostConcurrency: 8, concurrency: 8 });
    expect(log.map(({ target }) => target)[0]).toBe("/robots.txt");
    expect(log).toHaveLength(9);
    for (const [i, startMs] of starts.entries()) {
      for (const [j, { atMs }] of log.entries()) {
        if (j >= i) expect(atMs).toBeGreaterThanOrEqual(startMs + (j - i) * gapMs - TOLD_LATE_MS);
      }
    }
  });

  test("are never more at once than the limit", async () => {
    const { log } = await arrivals(30, 24, { delayMs: 0, hostConcurrency: 3, concurrency: 16 });
    expect(Math.max(...log.map(({ together }) => together))).toBe(3);
  });

  test("of an adaptive limit begin with one at a time, and keep to its ceiling", async () => {
    const { log } = await arrivals(5, 60, { delayMs: 0, hostConcurrency: { adaptive: 4 }, concurrency: 16 });
    expect(log.slice(0, 5).map(({ together }) => together)).toEqual([1, 1, 1, 1, 1]);
    expect(Math.max(...log.map(({ together }) => together))).toBeLessThanOrEqual(4);
  });

  test("stop for as long as a Retry-After asks, for every request of the host", async () => {
    const options = { delayMs: 0, hostConcurrency: 2, robots: false };
    const { log } = await arrivals(5, 6, options, (target, n) =>
      target === "/1" && n === 1 ? { status: 429, headers: { "retry-after": "1" } } : { status: 200 },
    );
    expect(log).toHaveLength(7);
    const { answeredMs } = log.find(({ target }) => target === "/1")!;
    const after = log.filter(({ atMs }) => atMs > answeredMs);
    const early = after.filter(({ atMs }) => atMs < answeredMs + 1_000);
    // One may have been on its way while the refusal was.
    expect(early.length).toBeLessThanOrEqual(1);
    expect(after.length - early.length).toBeGreaterThanOrEqual(3);
  });
});
