/** Told by {@link Slots} what becomes of the work. */
export interface SlotsObserver {
  /** Work has ended, so that other may begin. */
  onFree(): void;
  onError(error: unknown): void;
}

/** The work under way, of which each piece may still end in a result. */
export class Slots {
  readonly #observer: SlotsObserver;
  #taken = 0;
  readonly #quiet: (() => void)[] = [];

  constructor(observer: SlotsObserver) {
    this.#observer = observer;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Runs work, which holds a slot until its end. */
  occupy(work: () => Promise<void>): void {
    this.#taken++;
    work()
      .catch((error) => this.#observer.onError(error))
      .finally(() => {
        this.#taken--;
        if (this.#taken === 0) for (const resolve of this.#quiet.splice(0)) resolve();
        this.#observer.onFree();
      });
  }

  /** Resolves when no work is under way. */
  async untilQuiet(): Promise<void> {
    if (this.#taken > 0) await new Promise<void>((resolve) => this.#quiet.push(resolve));
  }
}
