import { describe, expect, test } from "vitest";
import { type HostPlan, SimulatedHost, seededRandom } from "../support/simulated_host.ts";

function hostOf(plan: HostPlan, originMs = 0): SimulatedHost {
  return new SimulatedHost(plan, seededRandom(1), originMs);
}

describe("SimulatedHost", () => {
  test("serves its places side by side and queues the rest in the order of arrival", () => {
    const host = hostOf({ places: 2, medianMs: 100 });
    const ends = [0, 0, 0, 0, 10].map((nowMs) => host.serve(nowMs).finishesAtMs);
    expect(ends).toEqual([100, 100, 200, 200, 300]);
  });
  test("has a place free again at the instant at which it became free", () => {
    const host = hostOf({ places: 1, medianMs: 100, whenFull: "shed" });
    const statuses = [0, 99, 100].map((nowMs) => host.serve(nowMs).status);
    expect(statuses).toEqual([200, 503, 200]);
  });
  test("scatters its times about the median, log-normally", () => {
    const host = hostOf({ medianMs: 200, sigma: 0.4 });
    const logs = Array.from({ length: 20_000 }, () => Math.log(host.serve(0).finishesAtMs / 200));
    const mean = logs.reduce((sum, x) => sum + x, 0) / logs.length;
    const variance = logs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / logs.length;
    expect(mean).toBeCloseTo(0, 1);
    expect(Math.sqrt(variance)).toBeCloseTo(0.4, 1);
  });
  test("gives tokens steadily, and says in whole seconds when the next is there", () => {
    const host = hostOf({ rate: { perSecond: 2, burst: 2, retryAfter: true }, refusalMs: 5 });
    const answers = [0, 0, 100, 500].map((nowMs) => host.serve(nowMs));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
    expect(answers[2]).toEqual({ finishesAtMs: 105, status: 429, retryAfterMs: 1000 });
  });
  test("counts anew with each window", () => {
    const host = hostOf({ rate: { perSecond: 1, windowMs: 3000 } });
    const statuses = [0, 1, 2, 3, 2999, 3000].map((nowMs) => host.serve(nowMs).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429, 200]);
  });
  test("refuses, hangs or answers 503 in an outage, counted from its origin", () => {
    const hows = ["refused", "hanging", 503] as const;
    const outcomes = hows.map((how) => hostOf({ outages: [{ fromMs: 0, toMs: 10, how }] }, 1000).serve(1005));
    expect(outcomes).toEqual([
      { finishesAtMs: 1010, status: undefined },
      { finishesAtMs: Infinity, status: undefined },
      { finishesAtMs: 1010, status: 503 },
    ]);
  });
  test("is slower at certain times, and the more it has to do", () => {
    const slow = hostOf({ medianMs: 100, slowness: (nowMs) => (nowMs < 1000 ? 5 : 1) });
    expect([0, 1000].map((nowMs) => slow.serve(nowMs).finishesAtMs)).toEqual([500, 1100]);
    const loaded = hostOf({ medianMs: 100, load: (inService) => inService });
    expect([0, 0, 0].map((nowMs) => loaded.serve(nowMs).finishesAtMs)).toEqual([100, 200, 300]);
  });
});
