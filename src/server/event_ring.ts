/** How much of the past is kept. */
export interface RingBounds {
  readonly maxEntries: number;
  /** UTF-16 units of all entries together. The newest entry is kept whatever its length. */
  readonly maxChars: number;
}

/** A stretch of a ring, and the number of its last entry. */
export interface Stretch {
  readonly text: string;
  readonly lastId: number;
}

/**
 * The newest of a sequence of texts, numbered from 1. What is older is forgotten, so that neither a long sequence nor
 * a reader that lags behind costs more memory than the bounds.
 */
export class EventRing {
  readonly #bounds: RingBounds;
  /** The entry of number `id` stands at `id % maxEntries`. */
  readonly #entries: (string | undefined)[];
  #firstId = 1;
  #lastId = 0;
  #chars = 0;
  // Readers that keep up all ask for the same stretch.
  #lastAsked: { readonly id: number; readonly maxChars: number; readonly stretch: Stretch } | undefined;

  constructor(bounds: RingBounds) {
    this.#bounds = bounds;
    this.#entries = new Array(bounds.maxEntries).fill(undefined);
  }

  /** The number of the newest entry; 0 before the first. */
  get lastId(): number {
    return this.#lastId;
  }

  /** The number of the oldest entry that is left. */
  get firstId(): number {
    return this.#firstId;
  }

  /** Adds an entry, which is told its number. */
  push(entry: (id: number) => string): void {
    const id = this.#lastId + 1;
    const text = entry(id);
    if (this.#lastId - this.#firstId + 1 === this.#bounds.maxEntries) this.#forgetFirst();
    this.#entries[id % this.#bounds.maxEntries] = text;
    this.#chars += text.length;
    this.#lastId = id;
    this.#lastAsked = undefined;
    while (this.#chars > this.#bounds.maxChars && this.#firstId < id) this.#forgetFirst();
  }

  /** Whether every entry after that number is still there, and the number was given out. */
  reaches(id: number): boolean {
    return id >= this.#firstId - 1 && id <= this.#lastId;
  }

  /**
   * The entries after a number that {@link reaches} affirms, as one text: as many as fit into `maxChars`, and at
   * least one where there is one.
   */
  after(id: number, maxChars: number): Stretch {
    const asked = this.#lastAsked;
    if (asked !== undefined && asked.id === id && asked.maxChars === maxChars) return asked.stretch;
    let text = "";
    let lastId = id;
    while (lastId < this.#lastId) {
      const next = this.#entries[(lastId + 1) % this.#bounds.maxEntries] ?? "";
      if (text !== "" && text.length + next.length > maxChars) break;
      text += next;
      lastId++;
    }
    const stretch = { text, lastId };
    this.#lastAsked = { id, maxChars, stretch };
    return stretch;
  }

  #forgetFirst(): void {
    const at = this.#firstId % this.#bounds.maxEntries;
    this.#chars -= this.#entries[at]?.length ?? 0;
    this.#entries[at] = undefined;
    this.#firstId++;
  }
}
