import { addTimeAlone, type Baseline, calibrate, median, muchMoreThanHalf } from "./baseline.ts";

/** How many requests of a host may be in flight, and what its answers have told so far. */
export interface Limit extends Baseline {
  /** As it stands now; at least 1. */
  limit: number;
  readonly ceiling: number;
  readonly adaptive: boolean;
  /** Whether the limit, as it stands, was ever reached: an answer tells nothing about places that nobody took. */
  reached: boolean;
  /** Counts the jumps of the limit: what was started before one tells nothing about the limit after it. */
  era: number;
  /** Answers still to be passed over after a jump: the first ones to come are the fast ones. */
  settling: number;
  /** Response times since the last change, oldest first. */
  sampleMs: number[];
  /** Answers since the last change; `sampleMs` keeps the newest of them. */
  answers: number;
  /** A stay at half the limit, while it lasts. */
  trial: Trial | undefined;
  /** Rounds that a limit between fast and slow is held before a trial. */
  trialAfter: number;
  /** The limit of the last trial, 0 before the first: near it growth wants more than one small round. */
  doubtedAt: number;
}

/** A stay at half the limit, to learn whether it makes the host faster. */
export interface Trial {
  /** The limit before. */
  readonly from: number;
  /** The median before. */
  readonly medianMs: number;
  /** Why it was begun: "slow" is a cut that may be taken back, "calibrating" a stay that mostly is. */
  readonly why: "slow" | "calibrating";
}

/** What a request that starts takes along, to be judged by when it comes back. */
export interface LimitTicket {
  readonly era: number;
  /** The limit when it started; 0 while that had not been reached yet. */
  readonly limit: number;
}

/** How the limit moved: up, down, or to the half and back for a trial. */
export type LimitMove = "fast" | "slow" | "calibrating";

// Every figure below was chosen on the simulator; docs/politeness.md has the table that they give.

/** A limit grows while half of the answers or more come within that many times the best... */
const GROW_WITHIN = 1.5;
/** ...and is cut when more than half of them, and by more than chance, take longer than that. */
const CUT_ABOVE = 2;
/** When more than half of them are faster than that, the best is out of date. */
const STALE_BELOW = 0.8;
/** A limit waits for certainty before it grows when half of its answers seem faster than that. */
const SUSPECT_BELOW = 0.5;
/** "More than half" means by so many standard deviations: once in forty judgements by chance. */
const SURE = 2;
/** A judgement that leads to a jump needs so many answers. */
const LEAST_SAMPLES = 16;
/** The best needs so many before the limit leaves 1. */
const FIRST_SAMPLES = 10;
/** What a trial measures: so many answers, or at the smallest limits so many rounds. */
const TRIAL_SAMPLES = 24;
const TRIAL_ROUNDS = 12;

/** The newest answers that are judged: two rounds, within these bounds. */
const FEWEST_KEPT = 48;
const MOST_KEPT = 128;
/** At half the limit, still more than that part of the time: the slowness is not of our making. */
const YIELDED_BELOW = 0.75;
/** A limit that is held is tried after so many rounds, then after twice as many, and so on. */
const FIRST_TRIAL_AFTER = 8;
const LAST_TRIAL_AFTER = 64;
/** A request of a limit that was smaller by a fifth still tells about this one; below 5 none but its own do. */
const STILL_THE_SAME_LIMIT = 0.8;

/** A limit that was told nothing yet. */
export function newLimit(limit: number, ceiling: number, adaptive: boolean): Limit {
  return {
    limit,
    ceiling,
    adaptive,
    bestMs: undefined,
    timesMs: [],
    reached: false,
    era: 0,
    settling: 0,
    sampleMs: [],
    answers: 0,
    trial: undefined,
    trialAfter: FIRST_TRIAL_AFTER,
    doubtedAt: 0,
  };
}

/** Halves an adaptive limit, never below 1. */
export function cutLimit(host: Limit): void {
  host.trial = undefined;
  jumpTo(host, half(host.limit));
}

/** Takes one from an adaptive limit, never below 1. */
export function lowerLimit(host: Limit): void {
  host.trial = undefined;
  jumpTo(host, Math.max(1, host.limit - 1));
}

/** Takes the time of a success into account, and says how the limit moved. Errors' times are never handed in. */
export function judgeAnswer(
  host: Limit,
  ticket: LimitTicket,
  responseMs: number,
  mayGrow: boolean,
): LimitMove | undefined {
  if (!host.adaptive || ticket.era !== host.era) return undefined;
  if (ticket.limit < host.limit * (host.limit > 4 ? STILL_THE_SAME_LIMIT : 1)) return undefined;
  if (host.settling > 0) {
    host.settling--;
    return undefined;
  }
  host.answers++;
  host.sampleMs.push(responseMs);
  if (host.sampleMs.length > Math.max(FEWEST_KEPT, Math.min(2 * host.limit, MOST_KEPT)))
    host.sampleMs.shift();
  if (host.limit === 1 && host.trial === undefined) addTimeAlone(host, responseMs);
  if (host.trial !== undefined) return judgeTrial(host, host.trial);
  if (host.answers < host.limit || host.bestMs === undefined) return undefined;
  return judgeRound(host, host.bestMs, mayGrow);
}

function judgeRound(host: Limit, bestMs: number, mayGrow: boolean): LimitMove | undefined {
  const { sampleMs, limit, answers } = host;
  const isEnough = sampleMs.length >= LEAST_SAMPLES;
  if (limit > 1 && isEnough) {
    const sure = muchMoreThanHalf(sampleMs.length, SURE);
    if (countAbove(sampleMs, CUT_ABOVE * bestMs) > sure) return beginTrial(host, "slow");
    if (countBelow(sampleMs, STALE_BELOW * bestMs) > sure) return beginTrial(host, "calibrating");
  }
  if (limit > 1 && !isNearBest(host, bestMs)) {
    return isEnough && answers >= host.trialAfter * limit ? beginTrial(host, "calibrating") : undefined;
  }
  if (!mayGrow || limit >= host.ceiling || !isEnoughToGrow(host)) return undefined;
  host.limit++;
  startCount(host);
  return "fast";
}

/** Half of the answers or more are neither slow nor suspiciously fast. */
function isNearBest(host: Limit, bestMs: number): boolean {
  const half = host.sampleMs.length / 2;
  const suspectMs = bestMs * (isInDoubt(host) ? STALE_BELOW : SUSPECT_BELOW);
  return (
    countAbove(host.sampleMs, GROW_WITHIN * bestMs) <= half && countBelow(host.sampleMs, suspectMs) <= half
  );
}

/** A single round is enough, but for where there was doubt, and before the best is known. */
function isEnoughToGrow(host: Limit): boolean {
  if (host.limit === 1 && host.timesMs.length < FIRST_SAMPLES) return false;
  return !isInDoubt(host) || host.sampleMs.length >= LEAST_SAMPLES;
}

function isInDoubt({ limit, doubtedAt }: Limit): boolean {
  return limit < 2 * doubtedAt;
}

function beginTrial(host: Limit, why: Trial["why"]): LimitMove {
  host.trial = { from: host.limit, medianMs: median(host.sampleMs), why };
  host.doubtedAt = host.limit;
  jumpTo(host, half(host.limit));
  return why;
}

function judgeTrial(host: Limit, trial: Trial): LimitMove | undefined {
  if (host.sampleMs.length < Math.min(TRIAL_SAMPLES, TRIAL_ROUNDS * host.limit)) return undefined;
  host.trial = undefined;
  const yielded = median(host.sampleMs) <= YIELDED_BELOW * trial.medianMs;
  const agrees = calibrate(host, host.sampleMs);
  host.trialAfter = agrees ? Math.min(2 * host.trialAfter, LAST_TRIAL_AFTER) : FIRST_TRIAL_AFTER;
  // The host itself has become slower: what it takes now is its best, and the limit grows back by ones.
  if (trial.why === "slow" && !yielded) return undefined;
  if (trial.medianMs > CUT_ABOVE * host.bestMs!) return undefined;
  jumpTo(host, trial.from);
  return "calibrating";
}

function jumpTo(host: Limit, limit: number): void {
  host.limit = limit;
  host.era++;
  host.settling = limit;
  startCount(host);
}

function startCount(host: Limit): void {
  host.reached = false;
  host.sampleMs = [];
  host.answers = 0;
}

function half(limit: number): number {
  return Math.max(1, Math.floor(limit / 2));
}

function countAbove(values: readonly number[], bound: number): number {
  let count = 0;
  for (const value of values) if (value > bound) count++;
  return count;
}

function countBelow(values: readonly number[], bound: number): number {
  let count = 0;
  for (const value of values) if (value < bound) count++;
  return count;
}
