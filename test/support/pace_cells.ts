import { type HostPlan, SimulatedHost, seededRandom } from "./simulated_host.ts";
import { type SimulationResult, simulate } from "./simulator.ts";

// What issue 2 asks to be measured: the same cells for the bench, the manual and the tests.

const PLACES = [1, 4, 12, 40] as const;
const SIGMAS = [0, 0.2, 0.4, 0.8] as const;
const MEDIAN_MS = 200;
const REQUESTS = 20_000;

/** A host with so many places and so much scatter. */
export interface Cell {
  readonly places: number;
  readonly sigma: number;
}

export const CELLS: readonly Cell[] = PLACES.flatMap((places) => SIGMAS.map((sigma) => ({ places, sigma })));

/** How an adaptive limit did, held against the best fixed one where both are named. */
export interface Efficiency {
  /** Of the best fixed limit's throughput. */
  readonly throughput: number;
  readonly averageLimit: number;
  readonly highestLimit: number;
  /** Of the best fixed limit's 95th percentile of the response time. */
  readonly p95: number;
}

/** A host that stays as it is. */
export function measureSteady(cell: Cell, seed: number): Efficiency {
  return compare({ ...cell, medianMs: MEDIAN_MS }, cell, seed);
}

/** A host that turns five times slower and back: a third of the requests before, within and after. */
export function measureTurning(cell: Cell, seed: number): Efficiency {
  const thirdMs = REQUESTS / 3 / capacityPerMs(cell);
  const slowness = (nowMs: number): number => (nowMs >= thirdMs && nowMs < 6 * thirdMs ? 5 : 1);
  return compare({ ...cell, medianMs: MEDIAN_MS, slowness }, cell, seed);
}

/** How a host that refuses was treated, once the first quarter of the requests is past. */
export interface Refusing {
  /** The part of the requests that it refused. */
  readonly refused: number;
  /** What it served, of what it would have served at most. */
  readonly served: number;
}

/** A host that answers 503 when all its places are taken. */
export function measureShedding(cell: Cell, seed: number): Refusing {
  const plan: HostPlan = { ...cell, medianMs: MEDIAN_MS, whenFull: "shed" };
  return treatmentOf(runAdaptive(plan, ceilingFor(cell), seed), capacityPerMs(cell));
}

/** A rate limit, with a burst of this many seconds' worth: a bucket of one allows no two requests close together. */
export interface RateCell {
  readonly perSecond: number;
  readonly burst: number;
  readonly retryAfter: boolean;
}

export const RATE_CELLS: readonly RateCell[] = [0.5, 1, 2, 5, 10, 20, 50].flatMap((perSecond) =>
  [1, Math.max(1, perSecond), Math.max(1, 10 * perSecond)].flatMap((burst, at, bursts) =>
    at > 0 && burst === bursts[at - 1]
      ? []
      : [false, true].map((retryAfter) => ({ perSecond, burst, retryAfter })),
  ),
);

/** A host that answers 429 to more than so many requests a second. */
export function measureRateLimited(rate: RateCell, seed: number): Refusing {
  const plan: HostPlan = { medianMs: MEDIAN_MS, sigma: 0.4, rate };
  return treatmentOf(runAdaptive(plan, 32, seed), rate.perSecond / 1000);
}

/** The mean of many figures, or the worst of them. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function compare(plan: HostPlan, cell: Cell, seed: number): Efficiency {
  const adaptive = runAdaptive(plan, ceilingFor(cell), seed);
  // The best fixed limit has just as many in flight as there are places: fewer leave some empty, more only wait.
  const fixed = run(plan, cell.places, seed);
  return {
    throughput: throughputOf(adaptive) / throughputOf(fixed),
    averageLimit: adaptive.averageLimit,
    highestLimit: adaptive.highestLimit,
    p95: p95Of(adaptive) / p95Of(fixed),
  };
}

function treatmentOf({ served, endedMs }: SimulationResult, possiblePerMs: number): Refusing {
  const steady = served.slice(served.length / 4);
  const successes = steady.filter(({ outcome }) => outcome === "success").length;
  return {
    refused: 1 - successes / steady.length,
    served: successes / (endedMs - steady[0]!.endedMs) / possiblePerMs,
  };
}

function runAdaptive(plan: HostPlan, ceiling: number, seed: number): SimulationResult {
  return run(plan, { adaptive: ceiling }, seed);
}

function run(plan: HostPlan, concurrency: number | { adaptive: number }, seed: number): SimulationResult {
  const server = new SimulatedHost(plan, seededRandom(seed));
  return simulate({ server, rules: { concurrency, minGapMs: 0, maxGapMs: 60_000 }, requests: REQUESTS });
}

function ceilingFor({ places }: Cell): number {
  return Math.max(16, 4 * places);
}

/** Requests a millisecond with every place taken: the mean of a log-normal time is above its median. */
function capacityPerMs({ places, sigma }: Cell): number {
  return places / (MEDIAN_MS * Math.exp(sigma ** 2 / 2));
}

function throughputOf({ served, endedMs }: SimulationResult): number {
  return served.filter(({ outcome }) => outcome === "success").length / endedMs;
}

function p95Of({ served }: SimulationResult): number {
  const timesMs = served.filter(({ outcome }) => outcome === "success").map((s) => s.endedMs - s.startedMs);
  return timesMs.sort((a, b) => a - b)[Math.floor(timesMs.length * 0.95)]!;
}
