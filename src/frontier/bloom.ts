import { decodeBase64, encodeBase64 } from "../base64.ts";
import { fingerprint } from "./fingerprint.ts";
import { type SavedSeen, type Seen, SeenTable } from "./seen.ts";

/** What a Bloom filter is made for. */
export interface BloomOptions {
  /** Keys that it is to hold, 1 and up. With more of them, false positives grow beyond the promise. */
  readonly capacity: number;
  /** The share of new keys that are taken for seen when it is full: above 0 and below 1, say 0.01. */
  readonly falsePositives: number;
}

/**
 * Keys in a Bloom filter: 9.6 bits a key for one false positive in a hundred, whatever the length of a key. A false
 * positive loses a URL, so precious keys, those of seeds, are kept exactly beside it.
 *
 * Source: Bloom (1970); Kirsch and Mitzenmacher, "Less Hashing, Same Performance" (2006).
 */
export class BloomFilter implements Seen {
  readonly #options: BloomOptions;
  readonly #salt: number;
  readonly #bits: Uint8Array;
  readonly #hashes: number;
  #precious: SeenTable;
  #size = 0;

  /** `salt`: see {@link fingerprint}. */
  constructor(options: BloomOptions, salt = 0) {
    const { capacity, falsePositives } = options;
    const bits = Math.ceil((-capacity * Math.log(falsePositives)) / Math.LN2 ** 2);
    this.#options = options;
    this.#salt = salt >>> 0;
    this.#bits = new Uint8Array(Math.ceil(bits / 8));
    this.#hashes = Math.max(1, Math.round((bits / capacity) * Math.LN2));
    this.#precious = new SeenTable(salt);
  }

  /** The filter that {@link save} gave. */
  static restore(saved: Extract<SavedSeen, { type: "bloom" }>): BloomFilter {
    const { capacity, falsePositives, salt, size, bits, precious } = saved;
    const filter = new BloomFilter({ capacity, falsePositives }, salt);
    filter.#bits.set(decodeBase64(bits).subarray(0, filter.#bits.length));
    filter.#size = size;
    filter.#precious = SeenTable.restore({ type: "exact", salt, prints: precious });
    return filter;
  }

  /** Number of keys that were new. */
  get size(): number {
    return this.#size;
  }

  /** Whether it holds more than it was made for, so that its promise no longer stands. */
  get isOverfull(): boolean {
    return this.#size > this.#options.capacity;
  }

  has(key: string): boolean {
    const { high, low } = fingerprint(key, this.#salt);
    for (let i = 0; i < this.#hashes; i++) {
      const bit = this.#bitOf(high, low, i);
      if ((this.#bits[bit >>> 3]! & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }

  add(key: string, precious = false): boolean {
    const { high, low } = fingerprint(key, this.#salt);
    let isNew = false;
    for (let i = 0; i < this.#hashes; i++) {
      const bit = this.#bitOf(high, low, i);
      const mask = 1 << (bit & 7);
      if ((this.#bits[bit >>> 3]! & mask) === 0) isNew = true;
      this.#bits[bit >>> 3]! |= mask;
    }
    if (isNew) this.#size++;
    return precious ? this.#precious.add(key) : isNew;
  }

  save(): Extract<SavedSeen, { type: "bloom" }> {
    const precious = this.#precious.savePrints();
    const bits = encodeBase64(this.#bits);
    return { type: "bloom", ...this.#options, salt: this.#salt, size: this.#size, bits, precious };
  }

  /** The i-th of a key's bits: two hashes make all of them. */
  #bitOf(high: number, low: number, i: number): number {
    return (high + i * low) % (this.#bits.length * 8);
  }
}
