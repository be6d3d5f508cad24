import { describe, expect, test } from "vitest";
import { RobotsGate } from "../src/robots_gate.ts";
import { settle } from "../src/settings.ts";
import { allowAllRobots, parseRobots, type Robots } from "../src/web/robots.ts";

const ORIGIN = "https://a.test";
const URL_ = `${ORIGIN}/page`;
const DAY_MS = 86_400_000;

function gate({ maxAgeMs = DAY_MS, unreachableRetries = 2, maxCrawlDelayMs = 5_000 } = {}): RobotsGate {
  const settings = settle({ random: () => 0, userAgent: "otter/1", retries: { baseMs: 100 } });
  return new RobotsGate({ maxAgeMs, unreachableRetries, maxCrawlDelayMs }, settings);
}

function rules(text: string, origin = ORIGIN): Robots {
  return parseRobots(text, `${origin}/robots.txt`);
}

describe("RobotsGate", () => {
  test("knows nothing at first, waits while it is on its way, and then lets the rules say", () => {
    const robots = gate();
    expect(robots.verdict(URL_, 0)).toEqual({ type: "unknown" });
    robots.begin(ORIGIN);
    expect(robots.verdict(URL_, 10)).toEqual({ type: "wait", untilMs: Number.POSITIVE_INFINITY });
    robots.ready(ORIGIN, rules("User-agent: otter\nDisallow: /page\nAllow: /page/1"), 20);
    expect(robots.verdict(URL_, 30)).toEqual({ type: "forbidden", reason: "robots" });
    expect(robots.verdict(`${URL_}/1`, 30)).toEqual({ type: "allowed", isStale: false });
    expect(robots.verdict("http://a.test/page/1", 30)).toEqual({ type: "unknown" });
    expect(robots.verdict("https://a.test:444/page/1", 30)).toEqual({ type: "unknown" });
  });

  test("waits for the next attempt while it is unreachable, and gives up after the last", () => {
    const robots = gate();
    robots.begin(ORIGIN);
    expect(robots.unreachable(ORIGIN, 1_000)).toBe(1_100);
    expect(robots.verdict(URL_, 1_099)).toEqual({ type: "wait", untilMs: 1_100 });
    expect(robots.verdict(URL_, 1_100)).toEqual({ type: "unknown" });
    robots.begin(ORIGIN);
    expect(robots.unreachable(ORIGIN, 2_000)).toBe(2_200);
    robots.begin(ORIGIN);
    expect(robots.unreachable(ORIGIN, 3_000)).toBeUndefined();
    expect(robots.verdict(URL_, 3_000)).toEqual({ type: "forbidden", reason: "robots-unreachable" });
    expect(robots.verdict(URL_, 3_000 + DAY_MS)).toEqual({ type: "forbidden", reason: "robots-unreachable" });
    expect(robots.verdict(URL_, 3_001 + DAY_MS)).toEqual({ type: "unknown" });
  });

  test("starts to count attempts anew once the rules were there", () => {
    const robots = gate({ unreachableRetries: 1 });
    robots.begin(ORIGIN);
    robots.unreachable(ORIGIN, 0);
    robots.begin(ORIGIN);
    robots.ready(ORIGIN, allowAllRobots, 100);
    robots.begin(ORIGIN);
    expect(robots.unreachable(ORIGIN, 200)).toBe(300);
  });

  test("calls rules stale after maxAgeMs, asks for new ones once, and lets the old ones hold meanwhile", () => {
    const robots = gate({ maxAgeMs: 1_000 });
    robots.begin(ORIGIN);
    robots.ready(ORIGIN, rules("User-agent: *\nDisallow: /no"), 0);
    expect(robots.verdict(URL_, 1_000)).toEqual({ type: "allowed", isStale: false });
    expect(robots.verdict(URL_, 1_001)).toEqual({ type: "allowed", isStale: true });
    robots.begin(ORIGIN);
    expect(robots.verdict(URL_, 1_002)).toEqual({ type: "allowed", isStale: false });
    expect(robots.verdict(`${ORIGIN}/no`, 1_002)).toEqual({ type: "forbidden", reason: "robots" });
    robots.ready(ORIGIN, allowAllRobots, 1_010);
    expect(robots.verdict(`${ORIGIN}/no`, 1_020)).toEqual({ type: "allowed", isStale: false });
  });

  test("keeps stale rules where new ones cannot be had, and asks again after the backoff", () => {
    const robots = gate({ maxAgeMs: 1_000, unreachableRetries: 1 });
    robots.begin(ORIGIN);
    robots.ready(ORIGIN, rules("User-agent: *\nDisallow: /no"), 0);
    robots.begin(ORIGIN);
    expect(robots.unreachable(ORIGIN, 2_000)).toBe(2_100);
    expect(robots.verdict(URL_, 2_099)).toEqual({ type: "allowed", isStale: false });
    expect(robots.verdict(URL_, 2_100)).toEqual({ type: "allowed", isStale: true });
    robots.begin(ORIGIN);
    expect(robots.unreachable(ORIGIN, 2_200)).toBeUndefined();
    expect(robots.verdict(URL_, 3_200)).toEqual({ type: "allowed", isStale: false });
    expect(robots.verdict(URL_, 3_201)).toEqual({ type: "allowed", isStale: true });
    expect(robots.verdict(`${ORIGIN}/no`, 3_201)).toEqual({ type: "forbidden", reason: "robots" });
  });

  test("gives a crawl-delay up to the most, and forbids all beyond it", () => {
    const robots = gate({ maxCrawlDelayMs: 5_000 });
    robots.ready(ORIGIN, rules("User-agent: *\nCrawl-delay: 5"), 0);
    expect(robots.crawlDelayMs(ORIGIN)).toBe(5_000);
    expect(robots.verdict(URL_, 0)).toMatchObject({ type: "allowed" });
    robots.ready(ORIGIN, rules("User-agent: *\nCrawl-delay: 5.001"), 0);
    expect(robots.crawlDelayMs(ORIGIN)).toBeUndefined();
    expect(robots.verdict(URL_, 0)).toMatchObject({
      type: "forbidden",
      reason: "robots",
      detail: expect.any(String),
    });
    expect(robots.crawlDelayMs("https://unknown.test")).toBeUndefined();
  });

  test("forgets the oldest of very many origins, and none that is on its way", () => {
    const robots = gate();
    robots.begin("https://first.test");
    for (let i = 0; i <= 20_000; i++) {
      robots.begin(`https://h${i}.test`);
      robots.ready(`https://h${i}.test`, allowAllRobots, i);
    }
    expect(robots.verdict("https://first.test/", 0)).toMatchObject({ type: "wait" });
    expect(robots.verdict("https://h0.test/", 0)).toEqual({ type: "unknown" });
    expect(robots.verdict("https://h20000.test/", 0)).toMatchObject({ type: "allowed" });
  });
});
