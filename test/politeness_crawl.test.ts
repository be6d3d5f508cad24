import { describe, expect, test } from "vitest";
import type { CrawlEvent } from "../src/event.ts";
import type { FakeRequest } from "../src/testing/fake_web.ts";
import { type FakeCrawl, fakeCrawl, gather, HOME, linksTo, paths } from "./support/fake_crawl.ts";

/** When each request of a host started, in milliseconds since the first of all. */
function starts({ web }: FakeCrawl, host = "a.test"): number[] {
  return requestsOf(web.log, host).map(({ atMs }) => atMs - web.log[0]!.atMs);
}

function requestsOf(log: readonly FakeRequest[], host: string): FakeRequest[] {
  return log.filter(({ url }) => new URL(url).host === host);
}

/** The least time between two starts of a host. */
function leastGapMs(times: readonly number[]): number {
  return Math.min(...times.slice(1).map((time, i) => time - times[i]!));
}

/** The most requests of a log that were in flight together. */
function mostInFlight(log: readonly FakeRequest[]): number {
  const changes = log.flatMap(({ atMs, endMs }) => [
    { atMs, by: 1 },
    { atMs: endMs!, by: -1 },
  ]);
  // A place that becomes free at this instant is free for who starts at this instant.
  changes.sort((a, b) => a.atMs - b.atMs || a.by - b.by);
  let now = 0;
  return Math.max(...changes.map(({ by }) => (now += by)));
}

function paced(events: readonly CrawlEvent[]): Extract<CrawlEvent, { type: "paced" }>[] {
  return events.filter((event) => event.type === "paced");
}

const tenLinks = { [HOME]: linksTo(...paths(10)) };

describe("crawl() keeps to the pace of a host:", () => {
  test("a gap between any two starts, robots.txt included", async () => {
    const fake = fakeCrawl(tenLinks, { delayMs: 200, concurrency: 10, hostConcurrency: 10 });
    await gather(fake.crawl);
    expect(starts(fake)).toEqual(Array.from({ length: 12 }, (_, i) => 200 * i));
  });

  test("a quarter of a second where nothing is said", async () => {
    const fake = fakeCrawl(tenLinks);
    await gather(fake.crawl);
    expect(starts(fake)).toEqual(Array.from({ length: 12 }, (_, i) => 250 * i));
  });

  test("the gap counts from start to start, however long an answer takes", async () => {
    const fake = fakeCrawl(tenLinks, {
      delayMs: 100,
      hostConcurrency: 3,
      robots: false,
      web: { afterMs: 150 },
    });
    await gather(fake.crawl);
    expect(starts(fake)).toEqual([0, ...Array.from({ length: 10 }, (_, i) => 150 + 100 * i)]);
  });

  test("a fixed number in flight, and never one more", async () => {
    const fake = fakeCrawl(tenLinks, {
      delayMs: 0,
      hostConcurrency: 3,
      robots: false,
      web: { otherwise: "", afterMs: 100 },
    });
    await gather(fake.crawl);
    expect(starts(fake)).toEqual([0, 100, 100, 100, 200, 200, 200, 300, 300, 300, 400]);
  });

  test("an adaptive limit starts at one, and grows no further than its ceiling", async () => {
    const site = { [HOME]: linksTo(...paths(400)) };
    const fake = fakeCrawl(site, {
      delayMs: 0,
      hostConcurrency: { adaptive: 3 },
      robots: false,
      web: { otherwise: "", afterMs: 100 },
    });
    await gather(fake.crawl);
    const pages = requestsOf(fake.web.log, "a.test");
    expect(mostInFlight(pages.slice(0, 5))).toBe(1);
    expect(mostInFlight(pages)).toBe(3);
    expect(paced(fake.events).map(({ why, limit }) => [why, limit.from, limit.to])).toEqual([
      ["fast", 1, 2],
      ["fast", 2, 3],
    ]);
  });

  test("http and https of one name share it, another port does not", async () => {
    const seeds = ["https://a.test/", "http://a.test/", "http://a.test:8080/", "http://A.test.:80/x"];
    const fake = fakeCrawl({}, { seeds, delayMs: 1_000, robots: false });
    await gather(fake.crawl);
    expect(fake.web.log.map(({ url, atMs }) => [url, atMs - fake.web.log[0]!.atMs])).toEqual([
      ["https://a.test/", 0],
      ["http://a.test:8080/", 0],
      ["http://a.test/", 1_000],
      ["http://a.test./x", 2_000],
    ]);
  });

  test("hosts that hostKey names alike share it, and each origin still has its robots.txt", async () => {
    const seeds = ["https://one.a.test/", "https://two.a.test/", "https://b.test/"];
    const hostKey = ({ hostname }: URL) => hostname.split(".").slice(-2).join(".");
    const pages = { "https://two.a.test/robots.txt": "User-agent: *\nDisallow: /" };
    const fake = fakeCrawl(pages, { seeds, delayMs: 1_000, hostKey });
    const results = await gather(fake.crawl);
    expect(fake.web.log.map(({ url, atMs }) => [url, atMs - fake.web.log[0]!.atMs])).toEqual([
      ["https://one.a.test/robots.txt", 0],
      ["https://b.test/robots.txt", 0],
      ["https://one.a.test/", 1_000],
      ["https://b.test/", 1_000],
      ["https://two.a.test/robots.txt", 2_000],
    ]);
    expect(results.find(({ url }) => url === "https://two.a.test/")).toMatchObject({ reason: "robots" });
    expect(fake.events.filter(({ type }) => type === "started")).toEqual(
      expect.arrayContaining([expect.objectContaining({ host: "a.test" })]),
    );
    expect(fake.crawl.stats.hosts).toBe(2);
  });

  test("10,000 URLs of a slow host do not hold up 10 of a fast one", async () => {
    const seeds = [
      ...Array.from({ length: 10_000 }, (_, i) => `https://slow.test/${i}`),
      ...Array.from({ length: 10 }, (_, i) => `https://fast.test/${i}`),
    ];
    const fake = fakeCrawl(
      {},
      {
        seeds,
        delayMs: [100, 60_000],
        hostConcurrency: 1,
        concurrency: 2,
        web: { afterMs: 10 },
        maxDurationMs: 60_000,
      },
    );
    const before = fake.crawl;
    await gather(before);
    // robots.txt, then ten pages: as if the other host were not there.
    expect(starts(fake, "fast.test")).toEqual(Array.from({ length: 11 }, (_, i) => 100 * i));
    const { queued, inProgress, pages, accepted } = await fake.crawl.finished;
    expect({ accepted, left: queued + pages, inProgress }).toEqual({
      accepted: 10_010,
      left: 10_010,
      inProgress: 0,
    });
  });

  test("a host that never answers takes its own place only", async () => {
    const seeds = ["https://dead.test/", ...Array.from({ length: 20 }, (_, i) => `https://live.test/${i}`)];
    const fake = fakeCrawl(
      { "https://dead.test/": { fault: "never" } },
      {
        seeds,
        robots: false,
        concurrency: 2,
        delayMs: 100,
      },
    );
    await gather(fake.crawl);
    expect(starts(fake, "live.test")).toEqual(Array.from({ length: 20 }, (_, i) => 100 * i));
    expect(starts(fake, "dead.test")).toEqual([0, 10_375, 21_125]);
  });
});

describe("crawl() slows down:", () => {
  /** Two pages, the first of which is refused so many times. */
  function refusing(times: number, options: Parameters<typeof fakeCrawl>[1], body = ""): FakeCrawl {
    const first = (n: number) => (n <= times ? { status: 503, afterMs: 10 } : body);
    return fakeCrawl({ [HOME]: first }, { robots: false, retries: { max: 9, baseMs: 0 }, ...options });
  }

  test("a refusal doubles the gap from its least up to its most, a success halves it again", async () => {
    const fake = refusing(
      4,
      {
        delayMs: [100, 600],
        hostConcurrency: 1,
        web: { otherwise: "" },
      },
      linksTo("/2", "/3"),
    );
    await gather(fake.crawl);
    const gaps = paced(fake.events).map(({ why, gapMs }) => [why, gapMs.from, gapMs.to]);
    expect(gaps.slice(0, 4)).toEqual([
      ["throttled", 100, 200],
      ["throttled", 200, 400],
      ["throttled", 400, 600],
      ["recovered", 600, 300],
    ]);
    expect(gaps.at(-1)![2]).toBe(100);
  });

  test("a number is the least, with a most of a minute", async () => {
    const fake = refusing(12, { delayMs: 10_000, hostConcurrency: 1, retries: { max: 20, baseMs: 0 } });
    await gather(fake.crawl);
    const widest = Math.max(...paced(fake.events).map(({ gapMs }) => gapMs.to));
    expect(widest).toBe(60_000);
  });

  test("equal ends fix the gap", async () => {
    const fake = refusing(3, { delayMs: [500, 500], hostConcurrency: 1 });
    await gather(fake.crawl);
    expect(paced(fake.events)).toEqual([]);
    expect(starts(fake)).toEqual([0, 500, 1_000, 1_500]);
  });

  test("where the least gap is 0 the first step is a second, and the last one back", async () => {
    const fake = refusing(1, { delayMs: 0, hostConcurrency: 1 });
    await gather(fake.crawl);
    expect(starts(fake)).toEqual([0, 1_000]);
    expect(paced(fake.events).map(({ gapMs }) => gapMs.to)).toEqual([1_000, 0]);
  });

  test("a timeout slows as a refusal does, another failure does not", async () => {
    const slow = fakeCrawl({ [HOME]: (n) => (n === 1 ? { fault: "never" } : "") }, { robots: false });
    await gather(slow.crawl);
    expect(paced(slow.events).map(({ why, gapMs }) => [why, gapMs.to])).toEqual([
      ["throttled", 500],
      ["recovered", 250],
    ]);
    for (const fault of ["ECONNREFUSED", "ECONNRESET", "ENOTFOUND"] as const) {
      const fake = fakeCrawl({ [HOME]: (n) => (n === 1 ? { fault } : "") }, { robots: false });
      await gather(fake.crawl);
      expect(paced(fake.events)).toEqual([]);
    }
    const broken = fakeCrawl({ [HOME]: (n) => (n === 1 ? { status: 500 } : "") }, { robots: false });
    await gather(broken.crawl);
    expect(paced(broken.events)).toEqual([]);
  });

  test("refusals of what was started before the slowing count once", async () => {
    const pages = { [HOME]: linksTo(...paths(4)) };
    const fake = fakeCrawl(pages, {
      robots: false,
      delayMs: 0,
      hostConcurrency: 4,
      web: { otherwise: (n) => (n === 1 ? { status: 503, afterMs: 100 } : "") },
    });
    await gather(fake.crawl);
    expect(paced(fake.events).filter(({ why }) => why === "throttled")).toHaveLength(1);
  });

  test("never lets two starts come closer than the gap that was in force", async () => {
    const site = { [HOME]: linksTo(...paths(60)) };
    const fake = fakeCrawl(site, {
      robots: false,
      delayMs: [50, 5_000],
      hostConcurrency: { adaptive: 6 },
      web: { otherwise: (n, { atMs }) => (n === 1 && atMs % 3 === 0 ? { status: 429, afterMs: 333 } : "") },
    });
    await gather(fake.crawl);
    const changes = paced(fake.events);
    const times = fake.web.log.map(({ atMs }) => atMs);
    expect(leastGapMs(times)).toBeGreaterThanOrEqual(50);
    expect(changes.length).toBeGreaterThan(2);
    for (const [i, atMs] of times.entries()) {
      if (i === 0) continue;
      const inForce = changes.filter((change) => change.atMs <= atMs).at(-1)?.gapMs.to ?? 50;
      // Epoch milliseconds in a double are exact to a quarter of a microsecond.
      expect(atMs - times[i - 1]!).toBeGreaterThanOrEqual(inForce - 0.001);
    }
  });
});
