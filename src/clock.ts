/** What a wait needs from time, so that tests can hand in a clock that jumps. */
export interface Clock {
  /** Milliseconds since the Unix epoch. Never goes back within one crawl. */
  now(): number;
  /**
   * Runs `wake` once at `atMs` or as soon after as possible, never before. An instant that has passed means
   * "as soon as possible". Returns a function that calls it off.
   */
  at(atMs: number, wake: () => void): () => void;
}

/** A source of chance: a number of at least 0 and below 1, as `Math.random` gives. */
export type Random = () => number;

// setTimeout fires at once when it is handed more: https://html.spec.whatwg.org/#timers (a signed 32-bit integer)
const MAX_TIMER_MS = 2 ** 31 - 1;

// The wall clock may be set back while a crawl runs; a monotonic one, pinned to it once, may not. Pinned at the
// first reading and not at import: outside of a request a worker's clocks stand at zero.
let originMs: number | undefined;

/** The runtime's own clock. */
export const systemClock: Clock = {
  now() {
    originMs ??= Date.now() - performance.now();
    return originMs + performance.now();
  },
  at(atMs, wake) {
    let timer: ReturnType<typeof setTimeout>;
    const arm = (): void => {
      const leftMs = atMs - systemClock.now();
      // A timer may fire a fraction of a millisecond early: it is armed again until the instant has come.
      timer = leftMs > 0 ? setTimeout(check, Math.min(Math.ceil(leftMs), MAX_TIMER_MS)) : setTimeout(wake, 0);
    };
    const check = (): void => {
      if (systemClock.now() >= atMs) wake();
      else arm();
    };
    arm();
    return () => clearTimeout(timer);
  },
};

/** The runtime's own source of chance. */
export const systemRandom: Random = Math.random;

/**
 * Waits until `atMs` on the given clock.
 *
 * @throws the signal's reason when it is aborted before.
 */
export function sleepUntil(clock: Clock, atMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.at(atMs, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
