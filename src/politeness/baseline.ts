/** The response time of a host without a queue of ours, as far as its answers have told. */
export interface Baseline {
  /** The median of `timesMs`; `undefined` before the first answer. */
  bestMs: number | undefined;
  /** Response times of answers that had no queue of ours in them, oldest first. */
  timesMs: number[];
}

// 64 times keep the median of a log-normal scatter of 0.8 within 12%.
const MOST_TIMES = 64;

// With one request in flight there is no queue of ours at all: so many of the newest answers that speak of another
// host than the older ones are the truth.
const NEWEST_TIMES = 16;

// A trial whose median lies further away than that, by more than chance, speaks of another host than before.
const SAME_HOST_WITHIN = 1.4;
const SURE = 2.5;

/** Adds the time of an answer that came while nothing else was in flight. */
export function addTimeAlone(baseline: Baseline, responseMs: number): void {
  const timesMs = [...baseline.timesMs, responseMs].slice(-MOST_TIMES);
  const newestMs = timesMs.slice(-NEWEST_TIMES);
  const isChanged = baseline.bestMs !== undefined && !isSameHost(baseline.bestMs, newestMs);
  baseline.timesMs = isChanged ? newestMs : timesMs;
  baseline.bestMs = median(baseline.timesMs);
}

/**
 * Takes the times of a trial at half the limit into account, and says whether they agree with what was known.
 * Where they do not, they take its place: the host has changed.
 */
export function calibrate(baseline: Baseline, timesMs: readonly number[]): boolean {
  const agrees = baseline.bestMs === undefined || isSameHost(baseline.bestMs, timesMs);
  baseline.timesMs = agrees
    ? [...baseline.timesMs, ...timesMs].slice(-MOST_TIMES)
    : timesMs.slice(-MOST_TIMES);
  baseline.bestMs = median(baseline.timesMs);
  return agrees;
}

function isSameHost(bestMs: number, timesMs: readonly number[]): boolean {
  const ratio = median(timesMs) / bestMs;
  if (ratio >= 1 / SAME_HOST_WITHIN && ratio <= SAME_HOST_WITHIN) return true;
  const slower = timesMs.filter((timeMs) => timeMs > bestMs).length;
  const most = Math.max(slower, timesMs.length - slower);
  return most <= muchMoreThanHalf(timesMs.length, SURE);
}

/** How many of `count` fall on one side of their median by chance alone, up to `deviations` standard deviations. */
export function muchMoreThanHalf(count: number, deviations: number): number {
  return count / 2 + (deviations * Math.sqrt(count)) / 2;
}

/** The middle one, or the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
