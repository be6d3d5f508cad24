import { Heap } from "../../src/heap.ts";

/** How a simulated host behaves. Times are milliseconds since its start, except where they are durations. */
export interface HostPlan {
  /** Requests served side by side, at all times or by the time; default without end. */
  readonly places?: number | ((nowMs: number) => number);
  /** What happens to a request that finds no place: it waits for one (default), or is answered with 503. */
  readonly whenFull?: "queue" | "shed";
  /** The median of the log-normal service times; default 200. */
  readonly medianMs?: number;
  /** The standard deviation of the logarithm of the service time; default 0. */
  readonly sigma?: number;
  /** Factor upon the service time of a request that starts at this time, say a slow start or a bad hour. */
  readonly slowness?: (nowMs: number) => number;
  /** Factor upon the service time of a request that shares the host with so many others. */
  readonly load?: (inService: number) => number;
  /** More than that is answered with 429. */
  readonly rate?: RatePlan;
  readonly outages?: readonly Outage[];
  /** How long a refusal takes; default 5. */
  readonly refusalMs?: number;
  /** The Retry-After of a 503 for want of a place; default none. */
  readonly retryAfterMs?: number;
}

/** A rate limit: a bucket that fills steadily, or a count that starts anew with each window. */
export interface RatePlan {
  readonly perSecond: number;
  /** Requests that may come at once; default one second's worth. In a window, `perSecond` times its length. */
  readonly burst?: number;
  readonly windowMs?: number;
  /** Whether a 429 says when to come back: in whole seconds, as the header does. */
  readonly retryAfter?: boolean;
}

/** A span in which the host refuses connections, takes them and never answers, or answers 503. */
export interface Outage {
  readonly fromMs: number;
  readonly toMs: number;
  readonly how: "refused" | "hanging" | 503;
}

/** What becomes of a request. */
export interface SimulatedAnswer {
  /** `Infinity` for one that never ends. */
  readonly finishesAtMs: number;
  /** `undefined` where the connection was refused. */
  readonly status: number | undefined;
  readonly retryAfterMs?: number;
}

/** A host that decides at a request's arrival when it ends and how; who asks it, and by which clock, is open. */
export class SimulatedHost {
  readonly plan: HostPlan;
  readonly #random: () => number;
  readonly #originMs: number;
  /** When each request in service or waiting leaves, soonest first. */
  readonly #leaving = new Heap<number>((a, b) => a < b);
  /** When each place that has been used is free again. */
  readonly #places = new Heap<number>((a, b) => a < b);
  #tokens: number;
  #filledMs = 0;

  constructor(plan: HostPlan, random: () => number, originMs = 0) {
    this.plan = plan;
    this.#random = random;
    this.#originMs = originMs;
    this.#tokens = burstOf(plan.rate);
  }

  /** Takes a request that arrives now; arrivals come in the order of time. */
  serve(arrivesMs: number): SimulatedAnswer {
    const nowMs = arrivesMs - this.#originMs;
    const answer = this.#answer(nowMs);
    return { ...answer, finishesAtMs: answer.finishesAtMs + this.#originMs };
  }

  #answer(nowMs: number): SimulatedAnswer {
    const { whenFull = "queue", refusalMs = 5, retryAfterMs } = this.plan;
    const places = this.#placesAt(nowMs);
    while (this.#leaving.size > 0 && this.#leaving.peek()! <= nowMs) this.#leaving.pop();
    const outage = this.plan.outages?.find(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs);
    if (outage !== undefined) return answerOfOutage(outage, nowMs + refusalMs);
    if (this.plan.rate !== undefined) {
      const waitMs = this.#takeToken(this.plan.rate, nowMs);
      if (waitMs > 0) {
        const retryAfter = this.plan.rate.retryAfter && { retryAfterMs: Math.ceil(waitMs / 1000) * 1000 };
        return { finishesAtMs: nowMs + refusalMs, status: 429, ...retryAfter };
      }
    }
    if (whenFull === "shed" && this.#leaving.size >= places) {
      return {
        finishesAtMs: nowMs + refusalMs,
        status: 503,
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      };
    }
    // Where places were taken away, the next one is free once all but the last are: those leave last.
    while (this.#places.size > places) this.#places.pop();
    const beginsMs = this.#places.size < places ? nowMs : Math.max(nowMs, this.#places.pop()!);
    const finishesAtMs = beginsMs + this.#serviceMs(beginsMs);
    if (places !== Number.POSITIVE_INFINITY) this.#places.push(finishesAtMs);
    this.#leaving.push(finishesAtMs);
    return { finishesAtMs, status: 200 };
  }

  #placesAt(nowMs: number): number {
    const { places = Number.POSITIVE_INFINITY } = this.plan;
    return typeof places === "number" ? places : places(nowMs);
  }

  #serviceMs(beginsMs: number): number {
    const { medianMs = 200, sigma = 0, slowness, load } = this.plan;
    const inService = Math.min(this.#leaving.size + 1, this.#placesAt(beginsMs));
    return (
      medianMs *
      Math.exp(sigma * normal(this.#random)) *
      (slowness?.(beginsMs) ?? 1) *
      (load?.(inService) ?? 1)
    );
  }

  /** Milliseconds until a token is there; 0 where one was taken. */
  #takeToken(rate: RatePlan, nowMs: number): number {
    const burst = burstOf(rate);
    if (rate.windowMs !== undefined) {
      const windowFromMs = Math.floor(nowMs / rate.windowMs) * rate.windowMs;
      if (this.#filledMs < windowFromMs) this.#tokens = burst;
      this.#filledMs = Math.max(this.#filledMs, windowFromMs);
      if (this.#tokens < 1) return windowFromMs + rate.windowMs - nowMs;
    } else {
      this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#filledMs) * rate.perSecond) / 1000);
      this.#filledMs = nowMs;
      // One that fell due at this very instant must not be lost to rounding.
      if (this.#tokens < 1 - 1e-9) return ((1 - this.#tokens) * 1000) / rate.perSecond;
    }
    this.#tokens -= 1;
    return 0;
  }
}

function burstOf(rate: RatePlan | undefined): number {
  if (rate === undefined) return 0;
  if (rate.windowMs !== undefined) return Math.max(1, (rate.perSecond * rate.windowMs) / 1000);
  return Math.max(1, rate.burst ?? rate.perSecond);
}

function answerOfOutage(outage: Outage, refusedAtMs: number): SimulatedAnswer {
  if (outage.how === "hanging") return { finishesAtMs: Number.POSITIVE_INFINITY, status: undefined };
  return { finishesAtMs: refusedAtMs, status: outage.how === 503 ? 503 : undefined };
}

/** A number from the standard normal distribution, by Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A source of chance that gives the same numbers for the same seed: mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
