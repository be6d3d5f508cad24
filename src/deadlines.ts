import type { Clock } from "./clock.ts";

/**
 * Items that each have a deadline, no earlier than that of the item before, with one timer for all of them: not every
 * runtime's are cheap. No timer is set while there is no item.
 */
export class Deadlines<T extends { readonly deadlineMs: number }> {
  readonly #clock: Clock;
  readonly #onOverdue: (item: T) => void;
  // In the order of their deadlines. An item leaves by `delete`. No Set: V8's outgrown hash tables point to their
  // successors, so that all that passed through would outlive the collections of what is young.
  readonly #items: T[] = [];
  #cancelTimer: (() => void) | undefined;

  /** @param onOverdue is told each item once its deadline has come, and takes it out */
  constructor(clock: Clock, onOverdue: (item: T) => void) {
    this.#clock = clock;
    this.#onOverdue = onOverdue;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Those of now: they may leave meanwhile. */
  [Symbol.iterator](): Iterator<T> {
    return [...this.#items].values();
  }

  add(item: T): void {
    this.#items.push(item);
    if (this.#cancelTimer === undefined) this.#await(item);
  }

  delete(item: T): void {
    const at = this.#items.indexOf(item);
    if (at !== -1) this.#items.splice(at, 1);
    if (this.#items.length > 0) return;
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
    for (const item of this) {
      if (item.deadlineMs > nowMs) {
        this.#await(item);
        break;
      }
      this.#onOverdue(item);
    }
  }
}
