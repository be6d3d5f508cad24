import type { Clock } from "./clock.ts";

/**
 * Items that each have a deadline, no earlier than that of the item before, with one timer for all of them: not every
 * runtime's are cheap. No timer is set while there is no item.
 */
export class Deadlines<T extends { readonly deadlineMs: number }> {
  readonly #clock: Clock;
  readonly #onOverdue: (item: T) => void;
  // In the order of their deadlines. An item leaves by `delete`.
  readonly #items: Set<T> = new Set();
  #cancelTimer: (() => void) | undefined;

  /** @param onOverdue is told each item once its deadline has come, and takes it out */
  constructor(clock: Clock, onOverdue: (item: T) => void) {
    this.#clock = clock;
    this.#onOverdue = onOverdue;
  }

  get size(): number {
    return this.#items.size;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items.values();
  }

  add(item: T): void {
    this.#items.add(item);
    if (this.#cancelTimer === undefined) this.#await(item);
  }

  delete(item: T): void {
    this.#items.delete(item);
    if (this.#items.size > 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #await({ deadlineMs }: T): void {
    this.#cancelTimer = this.#clock.at(deadlineMs, () => this.#tell());
  }

  /** Tells what is overdue. The timer may have been that of an item that left in time. */
  #tell(): void {
    const nowMs = this.#clock.now();
    this.#cancelTimer = undefined;
    for (const item of this.#items) {
      if (item.deadlineMs > nowMs) {
        this.#await(item);
        break;
      }
      this.#onOverdue(item);
    }
  }
}
