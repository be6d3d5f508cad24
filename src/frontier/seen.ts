const INITIAL_SLOTS = 1 << 10;
// Linear probing stays short up to three slots in four.
const MAX_LOAD = 0.75;

/**
 * Every key that the frontier ever accepted, as 64-bit fingerprints in an open-addressed table: 8 bytes a slot,
 * 11 to 22 bytes a key. Two keys of a million share a fingerprint with a probability of 3 in 100 million.
 */
export class SeenTable {
  // Slot i holds the fingerprint's two halves at 2i and 2i + 1; both 0 means free.
  #slots = new Uint32Array(2 * INITIAL_SLOTS);
  #size = 0;
  readonly #salt: number;

  /** `salt`: a crawl's own number, so that no site can make up a URL that hides another's. */
  constructor(salt = 0) {
    this.#salt = salt >>> 0;
  }

  /** Number of keys. */
  get size(): number {
    return this.#size;
  }

  has(key: string): boolean {
    const print = fingerprint(key, this.#salt);
    return this.#slots[2 * find(this.#slots, print) + 1] !== 0;
  }

  /** Whether the key is new; it is seen from now on. */
  add(key: string): boolean {
    const print = fingerprint(key, this.#salt);
    const slot = find(this.#slots, print);
    if (this.#slots[2 * slot + 1] !== 0) return false;
    this.#slots[2 * slot] = print.high;
    this.#slots[2 * slot + 1] = print.low;
    this.#size++;
    if (this.#size > (this.#slots.length / 2) * MAX_LOAD) this.#grow();
    return true;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    for (let i = 0; i < old.length; i += 2) {
      const low = old[i + 1]!;
      if (low === 0) continue;
      const print = { high: old[i]!, low };
      const slot = find(this.#slots, print);
      this.#slots[2 * slot] = print.high;
      this.#slots[2 * slot + 1] = print.low;
    }
  }
}

interface Fingerprint {
  readonly high: number;
  /** Never 0, which marks a free slot. */
  readonly low: number;
}

/** The slot that holds the fingerprint, or the free one where it belongs. */
function find(slots: Uint32Array, print: Fingerprint): number {
  const mask = slots.length / 2 - 1;
  let slot = print.high & mask;
  while (true) {
    const low = slots[2 * slot + 1]!;
    if (low === 0 || (low === print.low && slots[2 * slot] === print.high)) return slot;
    slot = (slot + 1) & mask;
  }
}

// Two multiplicative hashes side by side, each mixed into the other at the end (the finish of MurmurHash3).
function fingerprint(key: string, salt: number): Fingerprint {
  let high = 0xdeadbeef ^ salt;
  let low = 0x41c6ce57 ^ salt;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return { high: high >>> 0, low: low >>> 0 || 1 };
}
