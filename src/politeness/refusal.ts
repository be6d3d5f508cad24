import { type Gap, gapFloorMs, widerGapMs } from "./gap.ts";
import { type Limit, lowerLimit } from "./limit.ts";

/** What a host refused, and how long that is remembered: rule 10 of docs/politeness.md. */
export interface Memory {
  /** The limit at which it last refused. `Infinity` where nothing is remembered. */
  refusedLimit: number;
  /** Rounds without a refusal before the mark gives way by a step. 0 where nothing is remembered. */
  waitRounds: number;
  /** Successes since the last refusal, or since the mark last gave way. */
  calm: number;
  /** How often the mark has given way since the last refusal. */
  eased: number;
  /** By how much the limit may grow beyond the mark since it has given way. */
  beyond: number;
  /** Successes since the last mark: before one has come, a refusal tells that the host is down, not about the pace. */
  served: number;
  /** Whether refusals at the marked limit came however far apart the starts were. */
  spacingIsInnocent: boolean;
  /** When the newest requests started, oldest first, without a pause among them. */
  startsMs: number[];
}

/** A 429 or a 503, the first of its round. */
export interface Refusal {
  readonly askedToWait: boolean;
  /** Whether the request that was refused took the last place of the limit. */
  readonly wasFull: boolean;
  readonly nowMs: number;
}

const FIRST_WAIT_ROUNDS = 32;
const LAST_WAIT_ROUNDS = 256;
// Wider by 2^(1/4): four refusals halve the pace, and a pace in force is at most a fifth below what the host allows.
const WIDEN_BY = 2 ** (1 / 4);
// Narrower by a twentieth, so that it takes some four waits in peace to come to the same refusal again.
const NARROW_BY = 1.05;
// Where refusals come one upon the other, the pace is far off.
const WIDEN_FAR_BY = 2 ** (1 / 2);
const FEW_SERVED = 4;
const MOST_STARTS = 16;

/** Nothing is remembered. */
export function newMemory(): Memory {
  return {
    refusedLimit: Infinity,
    waitRounds: 0,
    calm: 0,
    eased: 0,
    beyond: 0,
    served: 0,
    spacingIsInnocent: false,
    startsMs: [],
  };
}

/** Keeps a start in mind, to know the pace when a refusal comes. */
export function rememberStart(memory: Memory, nowMs: number): void {
  memory.startsMs.push(nowMs);
  if (memory.startsMs.length > MOST_STARTS) memory.startsMs.shift();
}

/** What came before a pause or a slowing tells nothing about the pace after it. */
export function forgetStarts(memory: Memory): void {
  memory.startsMs = [];
}

/** Whether what the host refused leaves room for a limit larger by one. */
export function leavesRoom(host: Memory & Limit): boolean {
  return host.limit + 1 < host.refusedLimit + host.beyond;
}

/**
 * Remembers a refusal, the first of its round. The first one only marks the limit; when it comes again before it was
 * forgotten, limit or gap gives way further than rules 3 and 4 want.
 */
export function markRefusal(host: Memory & Limit & Gap, refusal: Refusal): void {
  if (host.served === 0) return;
  if (host.waitRounds === 0) {
    host.waitRounds = FIRST_WAIT_ROUNDS;
    markLimit(host);
  } else {
    host.waitRounds = Math.min(2 * host.waitRounds, LAST_WAIT_ROUNDS);
    giveWay(host, refusal);
  }
  host.calm = 0;
  host.eased = 0;
  host.served = 0;
}

function giveWay(host: Memory & Limit & Gap, { askedToWait, wasFull, nowMs }: Refusal): void {
  const { limit, refusedLimit } = host;
  const hasLowerLimit = host.adaptive && limit > 1;
  const isGapInForce = isGapAsSlowAs(host, limit) && !isGapAsSlowAs(host, limit - 1);
  // With fewer in flight than the limit allows, or with a gap that is slower than the limit, the pace is to blame.
  if (!hasLowerLimit || !wasFull || isGapInForce) {
    widenPace(host, nowMs);
  } else if (limit < refusedLimit) {
    widenPace(host, nowMs);
    markLimit(host);
  } else {
    markLimit(host);
    trySpacing(host);
    // A host that asked for a pause was not slowed otherwise.
    if (askedToWait) lowerLimit(host);
  }
}

function markLimit(host: Memory & Limit): void {
  host.refusedLimit = host.limit;
  host.beyond = 0;
}

/** Whether the learned gap alone keeps the pace below that of this limit. */
function isGapAsSlowAs({ learnedGapMs, bestMs }: Limit & Gap, limit: number): boolean {
  return bestMs !== undefined && learnedGapMs * limit >= bestMs;
}

/** Counts a success in peace; after a wait in peace the mark gives way by a step, each time by a longer one. */
export function countPeace(host: Memory & Limit & Gap): void {
  if (host.waitRounds === 0) return;
  host.calm++;
  if (host.calm < host.waitRounds * host.limit) return;
  host.calm = 0;
  host.eased++;
  // The first step goes back to where it was refused. Only the next one shows that it holds there.
  if (host.eased > 1) host.waitRounds = Math.max(host.waitRounds / 2, FIRST_WAIT_ROUNDS);
  const steps = 2 ** Math.min(Math.max(0, host.eased - 4), 2);
  host.beyond += steps;
  host.learnedGapMs /= NARROW_BY ** steps;
  if (host.learnedGapMs <= Math.max(host.minGapMs, host.crawlDelayMs, 1)) host.learnedGapMs = 0;
  const isLimitFree = !host.adaptive || host.refusedLimit + host.beyond > host.ceiling;
  if (isLimitFree && host.learnedGapMs === 0) forgetRefusals(host);
}

function forgetRefusals(memory: Memory): void {
  memory.refusedLimit = Infinity;
  memory.beyond = 0;
  memory.waitRounds = 0;
  memory.spacingIsInnocent = false;
}

function widenPace(host: Memory & Gap, nowMs: number): void {
  const intervalMs = (nowMs - (host.startsMs[0] ?? nowMs)) / Math.max(1, host.startsMs.length);
  const widenBy = host.served < FEW_SERVED ? WIDEN_FAR_BY : WIDEN_BY;
  host.spacingIsInnocent = false;
  // A reader that took its time is not the host's pace: no refusal widens the gap further than doubling would.
  learnGap(host, Math.min(widenBy * Math.max(intervalMs, host.gapMs), widerGapMs(host)));
}

/**
 * For a host that counts requests a second rather than requests in flight, between one limit and the next. It tries
 * gaps from the pace of the marked limit to that of the one below, where there is nothing left to win.
 */
function trySpacing(host: Memory & Limit & Gap): void {
  if (host.spacingIsInnocent || host.bestMs === undefined) return;
  const spacingMs = (WIDEN_BY * host.bestMs) / host.limit;
  host.spacingIsInnocent = host.learnedGapMs >= spacingMs || spacingMs >= host.bestMs / (host.limit - 1);
  learnGap(host, host.spacingIsInnocent ? 0 : spacingMs);
}

function learnGap(host: Gap, gapMs: number): void {
  host.learnedGapMs = gapMs;
  host.gapMs = Math.max(host.gapMs, gapFloorMs(host));
}
