import { type Gap, gapFloorMs, isGapClosed, narrowerGapMs, widerGapMs } from "./gap.ts";
import { cutLimit, judgeAnswer, type Limit, type LimitTicket, newLimit } from "./limit.ts";
import {
  countPeace,
  forgetStarts,
  leavesRoom,
  type Memory,
  markRefusal,
  newMemory,
  rememberStart,
} from "./refusal.ts";

/** What the caller allows for each host. */
export interface PaceRules {
  /** Requests in flight: a number is fixed; `adaptive` is the ceiling of a limit that starts at 1. */
  readonly concurrency: number | { readonly adaptive: number };
  /** The least gap between two starts. */
  readonly minGapMs: number;
  /** Up to where refusals may widen the gap; not less than `minGapMs`, and equal to it for a fixed gap. */
  readonly maxGapMs: number;
}

/**
 * One host's pace: plain data that the functions of this file read and change. Nothing in here waits, and each
 * function is handed the time.
 */
export interface Host extends Limit, Gap, Memory {
  readonly name: string;
  /** Requests started and not yet observed. */
  inFlight: number;
  /** Nothing starts before; 0 while the host was never paused. */
  pausedUntilMs: number;
  /** When its last request started; `-Infinity` before the first. */
  lastStartMs: number;
  /** Counts the slowings: what was started before the last one is not held against the host again. */
  round: number;
  /** The first round after the last slowing. A pause ends a round too, but slows nothing. */
  slowedRound: number;
  /** Refusals, timeouts and faults since the last answer that was none of them. */
  failuresInRow: number;
}

/** What `start()` gives and `observe()` takes back. */
export interface StartTicket extends LimitTicket {
  readonly startedMs: number;
  /** Whether it took the last place of the limit. */
  readonly wasFull: boolean;
  readonly round: number;
}

/** How a request ended, as far as the pace is concerned. */
export type HostOutcome =
  /** 2xx or 3xx. `responseMs` is the time of the fetch alone. */
  | { readonly type: "success"; readonly responseMs: number; readonly retryAfterMs?: number | undefined }
  /** 429 or 503. */
  | { readonly type: "throttled"; readonly retryAfterMs?: number | undefined }
  /** No answer in time: slows the host like a refusal. */
  | { readonly type: "timeout" }
  /** No answer, or one of a broken server: the pace stays, but it counts as a failure of the host. */
  | { readonly type: "fault" }
  /** Any other error status, say 404: the pace stays, and the host is well. */
  | { readonly type: "other" };

/**
 * Why a pace changed.
 *
 * - `throttled`: a 429, a 503 or a timeout slowed it
 * - `retry-after`: the host asked for a pause
 * - `slow`: answers took more than twice the host's best
 * - `fast`: a round of answers was about as fast as the best, and the limit grew
 * - `calibrating`: to half the limit for a while and back, to learn what the host's best is
 * - `recovered`: a success brought the gap back towards its minimum
 * - `crawl-delay`: the site's own least gap became known
 * - `hold`: the caller held the host
 */
export type PaceReason =
  | "fast"
  | "slow"
  | "calibrating"
  | "throttled"
  | "retry-after"
  | "recovered"
  | "crawl-delay"
  | "hold";

/** What changed, and why. */
export interface PaceChange {
  readonly why: PaceReason;
  readonly limit: { readonly from: number; readonly to: number };
  readonly gapMs: { readonly from: number; readonly to: number };
  /** The end of the pause, when this change set or moved it. */
  readonly pausedUntilMs?: number;
}

/** A host's pace as JSON, for snapshots and stores. What is in flight is not part of it. */
export interface HostPace {
  readonly limit: number;
  readonly gapMs: number;
  readonly pausedUntilMs?: number;
  readonly lastStartMs?: number;
  readonly crawlDelayMs?: number;
  readonly failuresInRow?: number;
  /** The host's best response time, and the newest of the times that it was taken from. */
  readonly best?: { readonly ms: number; readonly timesMs: readonly number[] };
  /** What the host refused. */
  readonly mark?: { readonly limit?: number; readonly gapMs: number; readonly waitRounds: number };
}

const MOST_SAVED_TIMES = 16;

/** A host with nothing in flight; `saved` gives it the pace that it had. */
export function newHost(name: string, rules: PaceRules, saved?: HostPace): Host {
  const { concurrency, minGapMs, maxGapMs } = rules;
  const crawlDelayMs = saved?.crawlDelayMs ?? 0;
  const learnedGapMs = saved?.mark?.gapMs ?? 0;
  const gap = { gapMs: 0, minGapMs, maxGapMs, crawlDelayMs, learnedGapMs };
  return {
    name,
    ...restoredLimit(concurrency, saved),
    ...gap,
    gapMs: Math.max(gapFloorMs(gap), Math.min(saved?.gapMs ?? 0, maxGapMs)),
    ...newMemory(),
    ...(saved?.mark && { refusedLimit: saved.mark.limit ?? Infinity, waitRounds: saved.mark.waitRounds }),
    inFlight: 0,
    pausedUntilMs: saved?.pausedUntilMs ?? 0,
    lastStartMs: saved?.lastStartMs ?? -Infinity,
    round: 0,
    slowedRound: 0,
    failuresInRow: saved?.failuresInRow ?? 0,
  };
}

/** When the host may start its next request, in epoch milliseconds; `Infinity` while its limit is reached. */
export function readyAtMs(host: Host): number {
  if (host.inFlight >= host.limit) return Infinity;
  return Math.max(host.pausedUntilMs, host.lastStartMs + host.gapMs);
}

/**
 * Records a start. The ticket goes back to `observe()` with the outcome.
 *
 * @throws {RangeError} when the host is not ready: that is the caller's fault, and never the web's.
 */
export function start(host: Host, nowMs: number): StartTicket {
  const readyMs = readyAtMs(host);
  if (readyMs > nowMs) {
    throw new RangeError(
      `Cannot start a request to '${host.name}' as 'nowMs' must not be before ${readyMs}: received ${nowMs}`,
    );
  }
  host.inFlight++;
  host.lastStartMs = nowMs;
  const wasFull = host.inFlight >= host.limit;
  host.reached ||= wasFull;
  rememberStart(host, nowMs);
  return {
    startedMs: nowMs,
    wasFull,
    round: host.round,
    era: host.era,
    limit: host.reached ? host.limit : 0,
  };
}

/** Takes a request's outcome, adapts the pace, and says what changed; `undefined` where nothing did. */
export function observe(
  host: Host,
  ticket: StartTicket,
  outcome: HostOutcome,
  nowMs: number,
): PaceChange | undefined {
  host.inFlight--;
  switch (outcome.type) {
    case "success":
      host.failuresInRow = 0;
      return changing(host, () => {
        const why = takeSuccess(host, ticket, outcome.responseMs);
        return pauseFor(host, outcome.retryAfterMs, nowMs) ? "retry-after" : why;
      });
    case "throttled":
      host.failuresInRow++;
      return changing(host, () => takeRefusal(host, ticket, outcome.retryAfterMs, nowMs));
    case "timeout":
      host.failuresInRow++;
      return changing(host, () => slowDown(host, ticket));
    case "fault":
      host.failuresInRow++;
      return undefined;
    case "other":
      host.failuresInRow = 0;
      return undefined;
    default:
      return outcome satisfies never;
  }
}

/** Nothing of the host starts before `untilMs`; an earlier end never shortens a pause. */
export function pauseUntil(host: Host, untilMs: number, why: PaceReason): PaceChange | undefined {
  return changing(host, () => (extendPause(host, untilMs) ? why : undefined));
}

/** Sets the site's own least gap; `undefined` takes it away. */
export function setCrawlDelay(host: Host, delayMs: number | undefined): PaceChange | undefined {
  return changing(host, () => {
    const wasClosed = isGapClosed(host);
    host.crawlDelayMs = delayMs ?? 0;
    const floorMs = gapFloorMs(host);
    host.gapMs = wasClosed ? floorMs : Math.max(host.gapMs, floorMs);
    return "crawl-delay";
  });
}

/** The pace as JSON: `newHost(name, rules, savePace(host))` goes on where this host was. */
export function savePace(host: Host): HostPace {
  const { bestMs, timesMs, trial, waitRounds, refusedLimit } = host;
  return {
    limit: trial?.why === "calibrating" ? trial.from : host.limit,
    gapMs: host.gapMs,
    ...(host.pausedUntilMs > 0 && { pausedUntilMs: host.pausedUntilMs }),
    ...(host.lastStartMs > -Infinity && { lastStartMs: host.lastStartMs }),
    ...(host.crawlDelayMs > 0 && { crawlDelayMs: host.crawlDelayMs }),
    ...(host.failuresInRow > 0 && { failuresInRow: host.failuresInRow }),
    ...(bestMs !== undefined && { best: { ms: bestMs, timesMs: timesMs.slice(-MOST_SAVED_TIMES) } }),
    ...(waitRounds > 0 && {
      mark: { ...(refusedLimit < Infinity && { limit: refusedLimit }), gapMs: host.learnedGapMs, waitRounds },
    }),
  };
}

function restoredLimit(concurrency: PaceRules["concurrency"], saved: HostPace | undefined): Limit {
  if (typeof concurrency === "number") return newLimit(concurrency, concurrency, false);
  // Without a best there is nothing to hold answers against: it starts anew, as a limit that was fixed before must.
  if (saved?.best === undefined) return newLimit(1, concurrency.adaptive, true);
  const limit = newLimit(Math.min(saved.limit, concurrency.adaptive), concurrency.adaptive, true);
  return { ...limit, bestMs: saved.best.ms, timesMs: [...saved.best.timesMs] };
}

function takeSuccess(host: Host, ticket: StartTicket, responseMs: number): PaceReason | undefined {
  const wasClosed = isGapClosed(host);
  if (ticket.round >= host.slowedRound) host.served++;
  // An answer to what was asked before the host was slowed says nothing about the pace since.
  if (ticket.round === host.round) {
    countPeace(host);
    host.gapMs = narrowerGapMs(host);
  }
  const move = judgeAnswer(host, ticket, responseMs, wasClosed && leavesRoom(host));
  if (move === "slow") host.round++;
  return move ?? "recovered";
}

function takeRefusal(
  host: Host,
  ticket: StartTicket,
  retryAfterMs: number | undefined,
  nowMs: number,
): PaceReason | undefined {
  const askedToWait = retryAfterMs !== undefined && retryAfterMs > 0;
  const isFirstOfRound = ticket.round === host.round;
  if (isFirstOfRound) markRefusal(host, { askedToWait, wasFull: ticket.wasFull, nowMs });
  if (!askedToWait) return slowDown(host, ticket);
  // The host has said itself what it wants, so that nothing else is slowed; a pause ends a round all the same.
  if (isFirstOfRound) endRound(host);
  pauseFor(host, retryAfterMs, nowMs);
  return "retry-after";
}

function slowDown(host: Host, ticket: StartTicket): PaceReason | undefined {
  if (ticket.round !== host.round) return undefined;
  if (host.adaptive && host.limit > 1) cutLimit(host);
  else host.gapMs = widerGapMs(host);
  endRound(host);
  host.slowedRound = host.round;
  host.served = 0;
  return "throttled";
}

function endRound(host: Host): void {
  host.round++;
  forgetStarts(host);
}

function pauseFor(host: Host, retryAfterMs: number | undefined, nowMs: number): boolean {
  return retryAfterMs !== undefined && retryAfterMs > 0 && extendPause(host, nowMs + retryAfterMs);
}

function extendPause(host: Host, untilMs: number): boolean {
  if (untilMs <= host.pausedUntilMs) return false;
  host.pausedUntilMs = untilMs;
  return true;
}

function changing(host: Host, act: () => PaceReason | undefined): PaceChange | undefined {
  const { limit, gapMs, pausedUntilMs } = host;
  const why = act();
  const isPauseMoved = host.pausedUntilMs !== pausedUntilMs;
  if (why === undefined || (host.limit === limit && host.gapMs === gapMs && !isPauseMoved)) return undefined;
  return {
    why,
    limit: { from: limit, to: host.limit },
    gapMs: { from: gapMs, to: host.gapMs },
    ...(isPauseMoved && { pausedUntilMs: host.pausedUntilMs }),
  };
}
