import { type Gap, gapFloorMs, isGapClosed, narrowGap, widenGap } from "./gap.ts";
import { cutLimit, judgeAnswer, type Limit } from "./limit.ts";

/** What the caller allows for each host. */
export interface PaceRules {
  /** Requests in flight: a number is fixed; `adaptive` is the ceiling of a limit that starts at 1. */
  readonly concurrency: number | { readonly adaptive: number };
  /** The least gap between two starts. */
  readonly minGapMs: number;
  /** Up to where refusals may widen the gap. */
  readonly maxGapMs: number;
}

/** One host's pace: plain data that the functions of this file read and change. Nothing in here waits. */
export interface Host extends Limit, Gap {
  readonly name: string;
  /** Requests started and not yet observed. */
  inFlight: number;
  /** Nothing starts before; 0 while the host was never paused. */
  pausedUntilMs: number;
  /** When its last request started; `-Infinity` before the first. */
  lastStartMs: number;
  /** Counts the slowings: what was started before the last one is not held against the host again. */
  round: number;
  /** Counts the changes of the limit: an answer tells about the limit under which it was asked for. */
  epoch: number;
  /** Refusals and faults since the last answer that was neither. */
  failuresInRow: number;
}

/** What `start()` gives and `observe()` takes back. */
export interface StartTicket {
  readonly startedMs: number;
  readonly round: number;
  readonly epoch: number;
}

/** How a request ended, as far as the pace is concerned. */
export type HostOutcome =
  /** 2xx or 3xx. `responseMs` is the time of the fetch alone. */
  | { readonly type: "success"; readonly responseMs: number; readonly retryAfterMs?: number | undefined }
  /** 429, 503 or a timeout. */
  | { readonly type: "throttled"; readonly retryAfterMs?: number | undefined }
  /** No answer, or one of a broken server: the pace stays, but it counts as a failure of the host. */
  | { readonly type: "fault" }
  /** Any other error status, say 404: the pace stays, and the host is well. */
  | { readonly type: "other" };

/** Why a pace changed. */
export type PaceReason = "throttled" | "retry-after" | "slow" | "fast" | "recovered" | "crawl-delay" | "hold";

/** What changed, and why. */
export interface PaceChange {
  readonly why: PaceReason;
  readonly limit: { readonly from: number; readonly to: number };
  readonly gapMs: { readonly from: number; readonly to: number };
  /** The end of the pause, when this change set or moved it. */
  readonly pausedUntilMs?: number;
}

/** A host's pace as JSON, for snapshots and stores. */
export interface HostPace {
  readonly limit: number;
  readonly gapMs: number;
  readonly pausedUntilMs?: number;
  readonly lastStartMs?: number;
  readonly crawlDelayMs?: number;
  readonly bestMs?: number;
  readonly failuresInRow?: number;
}

/** A host with nothing in flight; `saved` gives it the pace that it had. */
export function newHost(name: string, rules: PaceRules, saved?: HostPace): Host {
  const { concurrency, minGapMs, maxGapMs } = rules;
  const adaptive = typeof concurrency !== "number";
  const ceiling = adaptive ? concurrency.adaptive : concurrency;
  const crawlDelayMs = saved?.crawlDelayMs ?? 0;
  const floorMs = Math.max(minGapMs, crawlDelayMs);
  return {
    name,
    limit: adaptive ? Math.min(saved?.limit ?? 1, ceiling) : ceiling,
    ceiling,
    adaptive,
    sampleMs: [],
    bestMs: saved?.bestMs,
    gapMs: Math.max(floorMs, Math.min(saved?.gapMs ?? 0, maxGapMs)),
    minGapMs,
    maxGapMs,
    crawlDelayMs,
    inFlight: 0,
    pausedUntilMs: saved?.pausedUntilMs ?? 0,
    lastStartMs: saved?.lastStartMs ?? Number.NEGATIVE_INFINITY,
    round: 0,
    epoch: 0,
    failuresInRow: saved?.failuresInRow ?? 0,
  };
}

/** When the host may start its next request, in epoch milliseconds; `Infinity` while its limit is reached. */
export function readyAtMs(host: Host): number {
  if (host.inFlight >= host.limit) return Number.POSITIVE_INFINITY;
  return Math.max(host.pausedUntilMs, host.lastStartMs + host.gapMs);
}

/**
 * Records a start.
 *
 * @throws {RangeError} where the host is not ready: the caller's fault, and never the web's.
 */
export function start(host: Host, nowMs: number): StartTicket {
  if (readyAtMs(host) > nowMs) {
    throw new RangeError(
      `Cannot start a request to '${host.name}' as it is not ready before ${readyAtMs(host)}: received ${nowMs}`,
    );
  }
  host.inFlight++;
  host.lastStartMs = nowMs;
  return { startedMs: nowMs, round: host.round, epoch: host.epoch };
}

/** Takes a request's outcome, adapts the pace, and says what changed. */
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
      return changing(host, () => {
        // Afterwards the pace is what it was: the host has said itself what it wants.
        if (asksToWait(outcome.retryAfterMs))
          return pauseFor(host, outcome.retryAfterMs, nowMs) ? "retry-after" : undefined;
        return slowDown(host, ticket) ? "throttled" : undefined;
      });
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
  return changing(host, () => {
    if (untilMs <= host.pausedUntilMs) return undefined;
    host.pausedUntilMs = untilMs;
    return why;
  });
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

/** The pace as JSON. What is in flight is not part of it. */
export function savePace(host: Host): HostPace {
  return {
    limit: host.limit,
    gapMs: host.gapMs,
    ...(host.pausedUntilMs > 0 && { pausedUntilMs: host.pausedUntilMs }),
    ...(Number.isFinite(host.lastStartMs) && { lastStartMs: host.lastStartMs }),
    ...(host.crawlDelayMs > 0 && { crawlDelayMs: host.crawlDelayMs }),
    ...(host.bestMs !== undefined && { bestMs: host.bestMs }),
    ...(host.failuresInRow > 0 && { failuresInRow: host.failuresInRow }),
  };
}

function takeSuccess(host: Host, ticket: StartTicket, responseMs: number): PaceReason | undefined {
  // An answer to what was asked before the host refused says nothing about the pace since.
  const hadGap = !isGapClosed(host);
  if (hadGap && ticket.round === host.round) narrowGap(host);
  const verdict = ticket.epoch === host.epoch ? judgeAnswer(host, responseMs, !hadGap) : undefined;
  if (verdict !== undefined) host.epoch++;
  if (verdict === "slow") host.round++;
  return verdict ?? (hadGap ? "recovered" : undefined);
}

function slowDown(host: Host, ticket: StartTicket): boolean {
  if (ticket.round !== host.round) return false;
  if (host.adaptive && host.limit > 1) cutLimit(host);
  else widenGap(host);
  host.round++;
  host.epoch++;
  return true;
}

function asksToWait(retryAfterMs: number | undefined): retryAfterMs is number {
  return retryAfterMs !== undefined && retryAfterMs > 0;
}

function pauseFor(host: Host, retryAfterMs: number | undefined, nowMs: number): boolean {
  if (!asksToWait(retryAfterMs) || nowMs + retryAfterMs <= host.pausedUntilMs) return false;
  host.pausedUntilMs = nowMs + retryAfterMs;
  return true;
}

function changing(host: Host, act: () => PaceReason | undefined): PaceChange | undefined {
  const { limit, gapMs, pausedUntilMs } = host;
  const why = act();
  const pauseMoved = host.pausedUntilMs !== pausedUntilMs;
  if (why === undefined || (host.limit === limit && host.gapMs === gapMs && !pauseMoved)) return undefined;
  return {
    why,
    limit: { from: limit, to: host.limit },
    gapMs: { from: gapMs, to: host.gapMs },
    ...(pauseMoved && { pausedUntilMs: host.pausedUntilMs }),
  };
}
