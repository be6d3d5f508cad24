import { describe, expect, test } from "vitest";
import { timeOfDayText } from "../../src/cli/figures.ts";
import { progressFields, Rate } from "../../src/cli/progress_text.ts";
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

describe("progressFields()", () => {
  test("tells pages, rate, queue, requests in flight and failures", () => {
    const stats = statsWith({ pages: 1234, queued: 56_789, inFlight: 8, failures: 1 });
    expect(progressFields(stats, 12.34, 0)).toEqual([
      "1,234 pages",
      "12/s",
      "56,789 queued",
      "8 in flight",
      "1 failure",
    ]);
  });

  test("tells the paused hosts, the next one to go on first, and until when", () => {
    const pausedHosts = [
      { host: "b.test", untilMs: 90_000, why: "hold" as const },
      { host: "a.test", untilMs: 12_000, why: "retry-after" as const },
    ];
    expect(progressFields(statsWith({ pausedHosts }), 0, 10_000).at(-1)).toBe(
      `paused: a.test until ${timeOfDayText(12_000)}, 2.0 s more (retry-after); ` +
        `b.test until ${timeOfDayText(90_000)}, 1 min 20 s more (hold)`,
    );
  });

  test("counts the paused hosts that it has no room for, and leaves out those whose pause is over", () => {
    const pausedHosts = [0, 20, 30, 40, 50].map((untilMs) => ({
      host: `h${untilMs}.test`,
      untilMs,
      why: "retry-after" as const,
    }));
    const told = progressFields(statsWith({ pausedHosts }), 0, 10).at(-1);
    expect(told).toMatch(/^paused: h20\.test .*; h30\.test .*; and 2 more hosts$/);
    expect(progressFields(statsWith({ pausedHosts }), 0, 60)).toHaveLength(5);
  });
});
