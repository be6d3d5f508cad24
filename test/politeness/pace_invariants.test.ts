import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Host } from "../../src/politeness/host.ts";
import { brokenRules, logOf } from "../support/pace_checks.ts";
import { paceSchedule, simulationOf } from "../support/pace_schedule.ts";
import { type Pace, truePace } from "../support/simulator.ts";

describe("a host's pace", () => {
  test("keeps gap, limit, pauses and rounds on any schedule, and waits no longer than they ask (I2)", () => {
    fc.assert(
      fc.property(paceSchedule, (schedule) => {
        expect(brokenRules(logOf(simulationOf(schedule)))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});

/** Starts although the pace forbids it: what a faulty engine would do. */
function startWith(host: Host, nowMs: number, pace: Partial<Host>): ReturnType<Pace["start"]> {
  const { gapMs, limit, pausedUntilMs } = host;
  Object.assign(host, pace);
  const ticket = truePace.start(host, nowMs);
  return Object.assign(host, { gapMs, limit, pausedUntilMs }) && ticket;
}

const mutants: Record<string, { readonly pace: Pace; readonly caughtBy: string }> = {
  "no gap": {
    caughtBy: "gap",
    pace: {
      ...truePace,
      readyAtMs: (host) => truePace.readyAtMs({ ...host, gapMs: 0 }),
      start: (host, nowMs) => startWith(host, nowMs, { gapMs: 0 }),
    },
  },
  "a gap from the end in place of the start": {
    caughtBy: "due",
    pace: {
      ...truePace,
      observe(host, ticket, outcome, nowMs) {
        host.lastStartMs = nowMs;
        return truePace.observe(host, ticket, outcome, nowMs);
      },
    },
  },
  "a limit that counts one too few": {
    caughtBy: "limit",
    pace: {
      ...truePace,
      readyAtMs: (host) => truePace.readyAtMs({ ...host, limit: host.limit + 1 }),
      start: (host, nowMs) => startWith(host, nowMs, { limit: host.limit + 1 }),
    },
  },
  "two cuts in a round": {
    caughtBy: "round",
    pace: {
      ...truePace,
      observe: (host, ticket, outcome, nowMs) =>
        truePace.observe(host, { ...ticket, round: host.round }, outcome, nowMs),
    },
  },
  "growth before the gap closed": {
    caughtBy: "growth",
    pace: {
      ...truePace,
      observe(host, ticket, outcome, nowMs) {
        const { learnedGapMs } = host;
        host.learnedGapMs = host.gapMs;
        const change = truePace.observe(host, ticket, outcome, nowMs);
        host.learnedGapMs = learnedGapMs;
        return change;
      },
    },
  },
  "a Retry-After cut short": {
    caughtBy: "pause",
    pace: {
      ...truePace,
      observe(host, ticket, outcome, nowMs) {
        if (outcome.type !== "throttled" || outcome.retryAfterMs === undefined) {
          return truePace.observe(host, ticket, outcome, nowMs);
        }
        const retryAfterMs = outcome.retryAfterMs - 1;
        return truePace.observe(host, ticket, { ...outcome, retryAfterMs }, nowMs);
      },
    },
  },
  "a shorter Retry-After that ends a longer one": {
    caughtBy: "pause",
    pace: {
      ...truePace,
      observe(host, ticket, outcome, nowMs) {
        if (outcome.type === "throttled" && (outcome.retryAfterMs ?? 0) > 0) host.pausedUntilMs = 0;
        return truePace.observe(host, ticket, outcome, nowMs);
      },
    },
  },
};

describe("the checks of a host's pace", () => {
  test.each(Object.entries(mutants))("catch %s", (_, { pace, caughtBy }) => {
    const isCaught = fc
      .sample(paceSchedule, { numRuns: 1000, seed: 7 })
      .some((schedule) =>
        brokenRules(logOf({ ...simulationOf(schedule), pace })).some((fault) =>
          fault.startsWith(`${caughtBy}:`),
        ),
      );
    expect(isCaught).toBe(true);
  });
});
