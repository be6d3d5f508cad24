import { type Gap, gapFloorMs, widerGapMs } from "./gap.ts";
import type { Limit } from "./limit.ts";

/** What a host refused, and how long that is remembered: rule 10 of docs/politeness.md. */
export interface Memory {
  /** The limit at which it last refused: growth stays below. `Infinity` where nothing is remembered. */
  markedLimit: number;
  /** Rounds without a refusal before the mark gives way by a step. 0 where nothing is remembered. */
  waitRounds: number;
  /** Successes since the last refusal, or since the mark last gave way. */
  calm: number;
  /** How often the mark has given way since the last refusal. */
  eased: number;
  /** Successes since the pace was last slowed: before one has come, a refusal tells nothing about the pace. */
  served: number;
  /** When the newest requests started, oldest first, without a pause among them. */
  startsMs: number[];
}

const FIRST_WAIT_ROUNDS = 32;
const LAST_WAIT_ROUNDS = 1024;
// Wider by 2^(1/4): four refusals halve the pace, and a pace in force is at most a fifth below what the host allows.
const WIDEN_BY = 2 ** (1 / 4);
// Narrower by a twentieth, so that it takes some four waits in peace to come to the same refusal again.
const NARROW_BY = 1.05;
const FEWEST_STARTS = 4;
const MOST_STARTS = 16;

/** Nothing is remembered. */
export function newMemory(): Memory {
  return { markedLimit: Infinity, waitRounds: 0, calm: 0, eased: 0, served: 0, startsMs: [] };
}

/** Keeps a start in mind, to know the pace when a refusal comes. */
export function rememberStart(memory: Memory, nowMs: number): void {
  memory.startsMs.push(nowMs);
  if (memory.startsMs.length > MOST_STARTS) memory.startsMs.shift();
}

/** What came before a pause or a slowing tells nothing about the pace after it. */
export function forgetStarts(memory: Memory): void {
  memory.startsMs = [];
  memory.served = 0;
}

/**
 * Marks the limit, and where that does not explain the refusal, the pace. The first refusal only marks. A second
 * one below the marked limit, or at a limit that cannot be lower, is about the pace: the gap's floor rises above it.
 */
export function markRefusal(host: Memory & Limit & Gap, askedToWait: boolean): void {
  if (host.served === 0) return;
  const isRemembered = host.waitRounds > 0;
  const hasLowerLimit = host.adaptive && host.limit > 1;
  if (isRemembered && (askedToWait || !hasLowerLimit || host.limit < host.markedLimit)) learnGap(host);
  host.markedLimit = host.limit;
  host.waitRounds = isRemembered ? Math.min(2 * host.waitRounds, LAST_WAIT_ROUNDS) : FIRST_WAIT_ROUNDS;
  host.calm = 0;
  host.eased = 0;
}

/** Counts a success; after a wait in peace the mark gives way by a step, each time by a longer one. */
export function rememberSuccess(host: Memory & Limit & Gap): void {
  host.served++;
  if (host.waitRounds === 0) return;
  host.calm++;
  if (host.calm < host.waitRounds * host.limit) return;
  host.calm = 0;
  host.eased++;
  // The first step goes back to where it was refused. Only the next one shows that it holds there.
  if (host.eased > 1) host.waitRounds = Math.max(host.waitRounds / 2, FIRST_WAIT_ROUNDS);
  const steps = 2 ** Math.max(0, host.eased - 4);
  host.markedLimit += steps;
  host.learnedGapMs /= NARROW_BY ** steps;
  const isGapFree = host.learnedGapMs <= Math.max(host.minGapMs, host.crawlDelayMs, 1);
  if (isGapFree) host.learnedGapMs = 0;
  if (isGapFree && (!host.adaptive || host.markedLimit > host.ceiling)) {
    host.markedLimit = Infinity;
    host.waitRounds = 0;
  }
}

function learnGap(host: Memory & Gap): void {
  const { startsMs } = host;
  if (startsMs.length < FEWEST_STARTS) return;
  const intervalMs = (startsMs.at(-1)! - startsMs[0]!) / (startsMs.length - 1);
  // A reader that took its time is not the host's pace: no refusal widens the gap further than doubling would.
  host.learnedGapMs = Math.min(WIDEN_BY * intervalMs, widerGapMs(host));
  host.gapMs = Math.max(host.gapMs, gapFloorMs(host));
}
