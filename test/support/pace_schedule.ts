import fc from "fast-check";
import type { PaceRules } from "../../src/politeness/host.ts";
import { type SimulatedAnswer, seededRandom } from "./simulated_host.ts";
import type { Simulation } from "./simulator.ts";

/** A schedule in which anything may follow anything: every outcome at any time, for any rules. */
export interface PaceSchedule {
  readonly concurrency: PaceRules["concurrency"];
  readonly minGapMs: number;
  readonly widestMs: number;
  /** The part of the answers that are refusals. */
  readonly refusals: number;
  readonly slowestMs: number;
  readonly seed: number;
}

export const paceSchedule: fc.Arbitrary<PaceSchedule> = fc.record({
  concurrency: fc.oneof(
    fc.integer({ min: 1, max: 8 }),
    fc.record({ adaptive: fc.integer({ min: 1, max: 24 }) }),
  ),
  minGapMs: fc.constantFrom(0, 0, 10, 250),
  widestMs: fc.constantFrom(0, 1000, 60_000),
  refusals: fc.constantFrom(0.02, 0.1, 0.5),
  slowestMs: fc.constantFrom(50, 500, 3000),
  seed: fc.nat(),
});

/** The schedule as a simulation; each time the same one. */
export function simulationOf(schedule: PaceSchedule): Simulation {
  const { concurrency, minGapMs, widestMs, refusals, slowestMs, seed } = schedule;
  const rules: PaceRules = { concurrency, minGapMs, maxGapMs: Math.max(minGapMs, widestMs) };
  const server = new Whimsical(seededRandom(seed), refusals, slowestMs);
  return { server, rules, requests: 100, timeoutMs: 2000 };
}

/** A server that answers as it likes. */
class Whimsical {
  readonly #random: () => number;
  readonly #refusals: number;
  readonly #slowestMs: number;

  constructor(random: () => number, refusals: number, slowestMs: number) {
    this.#random = random;
    this.#refusals = refusals;
    this.#slowestMs = slowestMs;
  }

  serve(nowMs: number): SimulatedAnswer {
    const finishesAtMs = nowMs + this.#random() * this.#slowestMs;
    const retryAfterMs = this.#random() < 0.5 ? { retryAfterMs: Math.floor(this.#random() * 5) * 1000 } : {};
    if (this.#random() < this.#refusals) {
      return { finishesAtMs, status: this.#random() < 0.5 ? 429 : 503, ...retryAfterMs };
    }
    const whim = this.#random();
    if (whim < 0.02) return { finishesAtMs, status: 301, ...retryAfterMs };
    if (whim < 0.04) return { finishesAtMs, status: 404 };
    if (whim < 0.06) return { finishesAtMs, status: 500 };
    if (whim < 0.08) return { finishesAtMs, status: undefined };
    if (whim < 0.1) return { finishesAtMs: Infinity, status: undefined };
    return { finishesAtMs, status: 200 };
  }
}
