import type { Clock } from "./clock.ts";

/** Lets one loop rest until something changes or an instant has come, with one timer at the most. */
export class Waker {
  readonly #clock: Clock;
  #isAwake = false;
  #resume: (() => void) | undefined;
  #alarm: { readonly atMs: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether something has changed since {@link rise}. */
  get isAwake(): boolean {
    return this.#isAwake;
  }

  /** To be called before the loop looks at what is to be done: a change from here on ends the next rest at once. */
  rise(): void {
    this.#isAwake = false;
  }

  /** Something has changed. */
  wake(): void {
    this.#isAwake = true;
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  /** Waits for a change, at the longest until then. */
  rest(untilMs: number): Promise<void> {
    if (this.#isAwake) return Promise.resolve();
    this.#set(untilMs);
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  /** Leaves no timer behind. */
  stop(): void {
    this.#set(Number.POSITIVE_INFINITY);
    this.wake();
  }

  #set(atMs: number): void {
    if (this.#alarm?.atMs === atMs) return;
    this.#alarm?.cancel();
    this.#alarm = undefined;
    if (atMs === Number.POSITIVE_INFINITY) return;
    const cancel = this.#clock.at(atMs, () => {
      this.#alarm = undefined;
      this.wake();
    });
    this.#alarm = { atMs, cancel };
  }
}
