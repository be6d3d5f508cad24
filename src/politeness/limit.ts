/** How many requests of a host may be in flight, and what its answers have told so far. */
export interface Limit {
  /** As it stands now; at least 1. */
  limit: number;
  readonly ceiling: number;
  readonly adaptive: boolean;
  /** Response times of the answers to requests started since the last change, oldest first. */
  sampleMs: number[];
  /** The response time of the host without a queue of ours; unknown before its first answers. */
  bestMs: number | undefined;
}

const MOST_SAMPLES = 48;
const LEAST_SAMPLES_TO_CUT = 16;
const GROW_WITHIN = 1.5;
const CUT_ABOVE = 2;

/** Halves an adaptive limit, never below 1. */
export function cutLimit(host: Limit): void {
  host.limit = Math.max(1, Math.floor(host.limit / 2));
  host.sampleMs = [];
}

/** Adds an answer's time and says how the limit moved. */
export function judgeAnswer(host: Limit, responseMs: number, mayGrow: boolean): "fast" | "slow" | undefined {
  if (!host.adaptive) return undefined;
  host.sampleMs.push(responseMs);
  if (host.sampleMs.length > MOST_SAMPLES) host.sampleMs.shift();
  if (host.sampleMs.length < host.limit) return undefined;
  const medianMs = median(host.sampleMs);
  const bestMs = host.bestMs === undefined || host.limit === 1 ? medianMs : Math.min(host.bestMs, medianMs);
  host.bestMs = bestMs;
  if (medianMs > CUT_ABOVE * bestMs && host.sampleMs.length >= LEAST_SAMPLES_TO_CUT && host.limit > 1) {
    cutLimit(host);
    return "slow";
  }
  if (medianMs <= GROW_WITHIN * bestMs && mayGrow && host.limit < host.ceiling) {
    host.limit++;
    host.sampleMs = [];
    return "fast";
  }
  return undefined;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
