import { Heap } from "./heap.ts";

interface Place<T> {
  readonly item: T;
  readonly dueMs: number;
  /** Of two that are due at the same time, the one that was placed first comes first. */
  readonly order: number;
}

/** Items in the order in which they are due, each at most once. */
export class DueOrder<T> {
  readonly #places = new Map<T, Place<T>>();
  // Holds outdated places too; only the one in the map counts.
  #heap = newHeap<T>();
  #placed = 0;

  /** Number of items in the order. */
  get size(): number {
    return this.#places.size;
  }

  /** Puts an item where it is due, wherever it was before. `Infinity` takes it out. */
  place(item: T, dueMs: number): void {
    if (dueMs === Number.POSITIVE_INFINITY) {
      this.#places.delete(item);
      return;
    }
    if (this.#places.get(item)?.dueMs === dueMs) return;
    const place = { item, dueMs, order: ++this.#placed };
    this.#places.set(item, place);
    this.#heap.push(place);
    if (this.#heap.size > 2 * this.#places.size + 64) this.#clean();
  }

  /** When the first item is due; `Infinity` when there is none. */
  get nextDueMs(): number {
    return this.#first()?.dueMs ?? Number.POSITIVE_INFINITY;
  }

  /** The first item, if it is due by then. It keeps its place. */
  due(nowMs: number): T | undefined {
    const place = this.#first();
    return place !== undefined && place.dueMs <= nowMs ? place.item : undefined;
  }

  #first(): Place<T> | undefined {
    while (true) {
      const place = this.#heap.peek();
      if (place === undefined || this.#places.get(place.item) === place) return place;
      this.#heap.pop();
    }
  }

  #clean(): void {
    this.#heap = newHeap<T>();
    for (const place of this.#places.values()) this.#heap.push(place);
  }
}

function newHeap<T>(): Heap<Place<T>> {
  return new Heap((a, b) => a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order));
}
