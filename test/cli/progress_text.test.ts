import { describe, expect, test } from "vitest";
import { timeOfDayText } from "../../src/cli/figures.ts";
import { progressBlock, progressFields, Rate } from "../../src/cli/progress_text.ts";
import { statsWith } from "./stats.ts";

describe("Rate", () => {
  test("is nothing before time has passed", () => {
    const rate = new Rate();
    expect(rate.perSecond).toBe(0);
    rate.sample(1000, 7);
    expect(rate.perSecond).toBe(0);
    rate.sample(1000, 9);
    expect(rate.perSecond).toBe(0);
  });

  test("tells the last five seconds and not what was before", () => {
    const rate = new Rate();
    for (let second = 0; second <= 10; second++) rate.sample(second * 1000, second * 100);
    expect(rate.perSecond).toBe(100);
    for (let second = 11; second <= 20; second++) rate.sample(second * 1000, 1000 + (second - 10) * 2);
    expect(rate.perSecond).toBe(2);
  });

  test("spans two samples that lie further apart", () => {
    const rate = new Rate();
    rate.sample(0, 0);
    rate.sample(60_000, 30);
    expect(rate.perSecond).toBe(0.5);
    rate.sample(120_000, 30);
    expect(rate.perSecond).toBe(0);
  });
});

const moment = (known: Parameters<typeof statsWith>[0], budgets = {}, pagesPerSecond = 0, nowMs = 0) => ({
  stats: statsWith(known),
  pagesPerSecond,
  nowMs,
  budgets,
});

describe("progressFields()", () => {
  test("tells pages, rate, queue, requests in flight, failures and bytes", () => {
    const known = { pages: 1234, queued: 56_789, inFlight: 8, failures: 1, bytes: 14_200_000 };
    expect(progressFields(moment(known, {}, 12.34))).toEqual([
      "1,234 pages",
      "12/s",
      "56,789 queued",
      "8 in flight",
      "1 failure",
      "14.2 MB",
    ]);
  });

  test("tells how far it is to the nearest budget, and the time that is left where it can be known", () => {
    const far = (known: Parameters<typeof statsWith>[0], budgets: object, rate: number) =>
      progressFields(moment(known, budgets, rate)).slice(6);
    expect(far({ pages: 50 }, { maxPages: 200 }, 10)).toEqual(["25% of 200 pages", "about 15.0 s left"]);
    expect(far({ pages: 50 }, { maxPages: 200 }, 0)).toEqual(["25% of 200 pages"]);
    expect(far({ requests: 8, robotsRequests: 2, elapsedMs: 5000 }, { maxRequests: 100 }, 0)).toEqual([
      "10% of 100 requests",
      "about 45.0 s left",
    ]);
    expect(far({ pages: 1, elapsedMs: 45_000 }, { maxPages: 100, maxDurationMs: 60_000 }, 1)).toEqual([
      "75% of 1 min 0 s",
      "about 15.0 s left",
    ]);
    expect(far({ pages: 50 }, { maxPages: Number.POSITIVE_INFINITY }, 10)).toEqual([]);
  });

  test("tells the paused hosts, the next one to go on first, and until when", () => {
    const pausedHosts = [
      { host: "b.test", untilMs: 90_000, why: "hold" as const },
      { host: "a.test", untilMs: 12_000, why: "retry-after" as const },
    ];
    expect(progressFields(moment({ pausedHosts }, {}, 0, 10_000)).at(-1)).toBe(
      `paused: a.test until ${timeOfDayText(12_000)}, 2.0 s more (retry-after); ` +
        `b.test until ${timeOfDayText(90_000)}, 1 min 20 s more (hold)`,
    );
  });

  test("counts the paused hosts that it has no room for, and leaves out those whose pause is over", () => {
    const pausedHosts = [0, 20, 30, 40, 50, 60].map((untilMs) => ({
      host: `h${untilMs}.test`,
      untilMs,
      why: "retry-after" as const,
    }));
    const told = progressFields(moment({ pausedHosts }, {}, 0, 10)).at(-1);
    expect(told).toMatch(/^paused: h20\.test .*; h30\.test .*; h40\.test .*; and 2 more hosts$/);
    expect(progressFields(moment({ pausedHosts }, {}, 0, 70))).toHaveLength(6);
  });
});

describe("progressBlock()", () => {
  const texts = (known: Parameters<typeof statsWith>[0], budgets: object, columns: number) =>
    progressBlock(moment(known, budgets, 10, 0), columns).map((line) =>
      line.map(({ text }) => text).join(""),
    );

  test("has a bar where a budget gives an end, and none without", () => {
    expect(texts({ pages: 50 }, { maxPages: 200 }, 80)[0]).toBe(
      `${"█".repeat(7)}${"░".repeat(23)} 25% of 200 pages · 50 pages · about 15.0 s left`,
    );
    expect(texts({ pages: 50 }, {}, 80)).toEqual([
      "50 pages",
      "10/s · 0 queued · 0 in flight · 0 failures · 0 B",
    ]);
  });

  test("has a shorter bar on a narrow terminal, and none on one where it would take the place of the figures", () => {
    expect(texts({ pages: 50 }, { maxPages: 200 }, 60)[0]).toMatch(/^█{3}░{12} 25%/);
    expect(texts({ pages: 50 }, { maxPages: 200 }, 40)[0]).toMatch(/^25% of 200 pages/);
  });

  test("has a line for each paused host", () => {
    const pausedHosts = [{ host: "a.test", untilMs: 12_000, why: "retry-after" as const }];
    expect(texts({ pausedHosts }, {}, 80)[2]).toMatch(/^paused: a\.test until .* more \(retry-after\)$/);
  });

  test("shows failures in red where there are some", () => {
    const colours = (failures: number) =>
      progressBlock(moment({ failures }), 80)[1]!.filter(({ colour }) => colour === "red").length;
    expect([colours(0), colours(1)]).toEqual([0, 1]);
  });
});
