const TICK_MS = 20;

/** How late this process was: on a busy machine it is put aside, and sees and does everything that much later. */
export class Lateness {
  #dueMs = performance.now() + TICK_MS;
  #mostMs = 0;
  readonly #timer: ReturnType<typeof setInterval> = setInterval(() => this.#tick(), TICK_MS);

  /** The most, in milliseconds, since this was last asked. */
  take(): number {
    this.#tick();
    const mostMs = this.#mostMs;
    this.#mostMs = 0;
    return mostMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const nowMs = performance.now();
    this.#mostMs = Math.max(this.#mostMs, nowMs - this.#dueMs);
    this.#dueMs = nowMs + TICK_MS;
  }
}
