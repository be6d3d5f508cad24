import { gapFloorMs } from "../../src/politeness/gap.ts";
import type { Host } from "../../src/politeness/host.ts";
import type { PaceEvent, Simulation } from "./simulator.ts";
import { simulate } from "./simulator.ts";

/** An event of a simulation, with the pace as it stands after it. */
export type LoggedEvent = PaceEvent & {
  readonly limit: number;
  readonly gapMs: number;
  readonly floorMs: number;
};

/** Runs a simulation and keeps all that happened. The first entry's pace is that of the new host. */
export function logOf(simulation: Simulation): LoggedEvent[] {
  const log: LoggedEvent[] = [];
  const onEvent = (event: PaceEvent, host: Host): void => {
    log.push({ ...event, limit: host.limit, gapMs: host.gapMs, floorMs: gapFloorMs(host) });
  };
  simulate({ ...simulation, onEvent });
  return log;
}

/** What a log breaks, in words; nothing where it keeps every rule. None of the checks asks the host. */
export function brokenRules(log: readonly LoggedEvent[]): string[] {
  return CHECKS.flatMap((check) => {
    const fault = check(log);
    return fault === undefined ? [] : [fault];
  });
}

type Check = (log: readonly LoggedEvent[]) => string | undefined;

// Times are sums of fractions, taken in different orders.
const ROUNDING_MS = 1e-6;

const gapIsKept: Check = (log) => {
  let lastStartMs = -Infinity;
  for (const [at, event] of log.entries()) {
    if (event.type !== "start") continue;
    const gapMs = log[at - 1]?.gapMs ?? event.gapMs;
    if (event.atMs < lastStartMs + gapMs - ROUNDING_MS)
      return `gap: start at ${event.atMs} after ${lastStartMs}`;
    lastStartMs = event.atMs;
  }
  return undefined;
};

const limitIsKept: Check = (log) => {
  let inFlight = 0;
  for (const [at, event] of log.entries()) {
    inFlight += event.type === "start" ? 1 : -1;
    const limit = log[at - 1]?.limit ?? event.limit;
    if (event.type === "start" && inFlight > limit) return `limit: ${inFlight} in flight of ${limit}`;
  }
  return undefined;
};

const pausesAreKept: Check = (log) => {
  let pausedUntilMs = 0;
  for (const event of log) {
    if (event.type === "start") {
      if (event.atMs < pausedUntilMs - ROUNDING_MS)
        return `pause: start at ${event.atMs} before ${pausedUntilMs}`;
    } else {
      pausedUntilMs = Math.max(pausedUntilMs, event.atMs + retryAfterMsOf(event));
    }
  }
  return undefined;
};

/** Politeness that waits longer than it must is a fault too. */
const nothingWaitsInVain: Check = (log) => {
  let pausedUntilMs = 0;
  let lastStartMs = -Infinity;
  for (const [at, event] of log.entries()) {
    if (event.type === "end") {
      pausedUntilMs = Math.max(pausedUntilMs, event.atMs + retryAfterMsOf(event));
      continue;
    }
    const before = log[at - 1];
    const dueMs = Math.max(before?.atMs ?? 0, pausedUntilMs, lastStartMs + (before?.gapMs ?? 0));
    if (event.atMs > dueMs + ROUNDING_MS) return `due: start at ${event.atMs}, due at ${dueMs}`;
    lastStartMs = event.atMs;
  }
  return undefined;
};

const slowsOnceARound: Check = (log) => {
  const startedAt = new Map<number, number>();
  let slowedAt = -1;
  for (const [at, event] of log.entries()) {
    if (event.type === "start") {
      startedAt.set(event.request, at);
      continue;
    }
    const { change } = event;
    if (change === undefined || (change.why !== "throttled" && change.why !== "slow")) continue;
    const begun = startedAt.get(event.request)!;
    if (begun < slowedAt) return `round: slowed by a request of before the last slowing, at ${event.atMs}`;
    slowedAt = at;
  }
  return undefined;
};

const growsByOneWithTheGapClosed: Check = (log) => {
  for (const [at, event] of log.entries()) {
    if (event.type !== "end" || event.change?.why !== "fast") continue;
    const { limit, gapMs } = event.change;
    if (limit.to !== limit.from + 1) return `growth: from ${limit.from} to ${limit.to}`;
    const floorMs = log[at - 1]!.floorMs;
    if (gapMs.from > floorMs + ROUNDING_MS) return `growth: with a gap of ${gapMs.from} over ${floorMs}`;
  }
  return undefined;
};

const cutsByHalf: Check = (log) => {
  for (const event of log) {
    if (event.type !== "end" || event.change?.why !== "throttled") continue;
    const { limit } = event.change;
    const isHalved = limit.to === Math.max(1, Math.floor(limit.from / 2));
    if (limit.to !== limit.from && !isHalved) return `cut: from ${limit.from} to ${limit.to}`;
  }
  return undefined;
};

const CHECKS: readonly Check[] = [
  gapIsKept,
  limitIsKept,
  pausesAreKept,
  nothingWaitsInVain,
  slowsOnceARound,
  growsByOneWithTheGapClosed,
  cutsByHalf,
];

function retryAfterMsOf(event: LoggedEvent & { type: "end" }): number {
  const { outcome } = event;
  return outcome.type === "success" || outcome.type === "throttled" ? (outcome.retryAfterMs ?? 0) : 0;
}
