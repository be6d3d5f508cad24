import { describe, expect, test } from "vitest";
import type { HostOutcome } from "../../src/politeness/host.ts";
import { type HostPlan, SimulatedHost, seededRandom } from "../support/simulated_host.ts";
import { type SimulationResult, simulate } from "../support/simulator.ts";

const NO_GAP = { minGapMs: 0, maxGapMs: 60_000 };

interface Refusal {
  readonly afterSuccesses: number;
  readonly limit: number;
}

/** The refusals of a simulation: how many successes lay before each, and the limit that it met. */
function refusalsOf(plan: HostPlan, requests: number, concurrency: number | { adaptive: number }): Refusal[] {
  const refusals: Refusal[] = [];
  let successes = 0;
  simulate({
    server: new SimulatedHost(plan, seededRandom(1)),
    rules: { concurrency, ...NO_GAP },
    requests,
    onEvent: (event) => {
      if (event.type === "start") return;
      if (event.outcome.type === "success") successes++;
      if (event.outcome.type === "throttled" && event.change !== undefined) {
        refusals.push({ afterSuccesses: successes, limit: event.change.limit.from });
        successes = 0;
      }
    },
  });
  return refusals;
}

/** Answers in turn from a list, each after 100 ms, and 200 when it is at its end. */
function simulateList(outcomes: readonly (number | HostOutcome)[], requests: number): SimulationResult {
  let at = 0;
  const serve = (nowMs: number): { finishesAtMs: number; status: number } => {
    const status = outcomes[at++] ?? 200;
    return { finishesAtMs: nowMs + 100, status: status as number };
  };
  return simulate({ server: { serve }, rules: { concurrency: 1, ...NO_GAP }, requests });
}

describe("a host's memory of refusals", () => {
  test("keeps the limit below where the host refused, for a wait that doubles each time", () => {
    const refusals = refusalsOf({ places: 12, whenFull: "shed" }, 20_000, { adaptive: 16 });
    expect(refusals.length).toBeGreaterThan(6);
    for (const { limit } of refusals) expect(limit).toBe(13);
    for (const [n, { afterSuccesses }] of refusals.slice(1).entries()) {
      const waitRounds = Math.min(32 * 2 ** n, 256);
      expect(afterSuccesses).toBeGreaterThanOrEqual(12 * waitRounds);
      // One more round, for the limit to grow past the mark.
      expect(afterSuccesses).toBeLessThanOrEqual(12 * (waitRounds + 1));
    }
  });
  test("leaves the gap alone after a first refusal: it is back at once", () => {
    const { host } = simulateList([200, 200, 503, 200], 4);
    expect({ gapMs: host.gapMs, learnedGapMs: host.learnedGapMs }).toEqual({ gapMs: 0, learnedGapMs: 0 });
  });
  test("learns a gap when a host that can have no lower limit refuses again", () => {
    const { host } = simulateList([200, 200, 200, 200, 200, 503, 200, 200, 200, 200, 200, 503, 200, 200], 14);
    // The six starts since the first refusal came 100 ms apart, and the gap is a fifth wider.
    expect(host.learnedGapMs).toBeCloseTo(100 * 2 ** (1 / 4), 6);
    expect(host.gapMs).toBe(host.learnedGapMs);
  });
  test("learns nothing from a host that is down: its refusals are no measure of a pace", () => {
    const down = Array.from({ length: 12 }, () => 503);
    const { host } = simulateList([200, 200, ...down, 200, 200, 200, 200, 200, 200, 200], 21);
    expect({ gapMs: host.gapMs, learnedGapMs: host.learnedGapMs }).toEqual({ gapMs: 0, learnedGapMs: 0 });
  });
  test("finds a rate limit from above, and comes to refuse less than once in two hundred requests", () => {
    const plan: HostPlan = { sigma: 0.4, rate: { perSecond: 5 } };
    const refusals = refusalsOf(plan, 6000, 8);
    expect(refusals.length).toBeGreaterThan(3);
    expect(refusals.length).toBeLessThan(30);
  });
  test("forgets by degrees: when a host has become generous, limit and gap are free again", () => {
    const plan: HostPlan = { places: 4, whenFull: "shed" };
    const strict = new SimulatedHost(plan, seededRandom(1));
    const generous = new SimulatedHost({ places: 64 }, seededRandom(1));
    const server = { serve: (nowMs: number) => (nowMs < 60_000 ? strict : generous).serve(nowMs) };
    const { host } = simulate({
      server,
      rules: { concurrency: { adaptive: 16 }, ...NO_GAP },
      requests: 20_000,
    });
    expect(host).toMatchObject({
      limit: 16,
      gapMs: 0,
      learnedGapMs: 0,
      waitRounds: 0,
      refusedLimit: Infinity,
    });
  });
  test("comes back from an outage to the pace that it had", () => {
    const plan: HostPlan = { places: 8, sigma: 0.2, outages: [{ fromMs: 60_000, toMs: 360_000, how: 503 }] };
    const server = new SimulatedHost(plan, seededRandom(1));
    const rules = { concurrency: { adaptive: 12 }, ...NO_GAP };
    const { served, host } = simulate({ server, rules, untilMs: 600_000 });
    const refused = served.filter(({ outcome }) => outcome === "throttled");
    expect(refused.length).toBeLessThan(25);
    // The gap was at most a minute, and then halves with each success.
    const last = served.filter(({ endedMs }) => endedMs >= 540_000);
    expect(last.length).toBeGreaterThan(0.8 * 60 * 8 * (1000 / 204));
    expect(host.gapMs).toBe(0);
  });
});
