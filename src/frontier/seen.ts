import { decodeBase64, encodeBase64 } from "../base64.ts";
import { fingerprint } from "./fingerprint.ts";

/** The keys that a frontier ever accepted. */
export interface Seen {
  /** Number of keys that were new. */
  readonly size: number;
  /** Whether it holds more than it was made for. */
  readonly isOverfull: boolean;
  has(key: string): boolean;
  /** Whether the key is new; it is seen from now on. What is `precious` is never taken for seen by mistake. */
  add(key: string, precious?: boolean): boolean;
  /** Everything, as JSON. */
  save(): SavedSeen;
}

/** A {@link Seen} as JSON. */
export type SavedSeen =
  | { readonly type: "exact"; readonly salt: number; readonly prints: string }
  | {
      readonly type: "bloom";
      readonly salt: number;
      readonly capacity: number;
      readonly falsePositives: number;
      readonly size: number;
      readonly bits: string;
      readonly precious: string;
    };

const INITIAL_SLOTS = 1 << 10;
// Linear probing stays short up to three slots in four.
const MAX_LOAD = 0.75;

/**
 * Keys as 64-bit fingerprints in an open-addressed table: 8 bytes a slot, 11 to 22 bytes a key. Two keys of a million
 * share a fingerprint with a probability of 3 in 100 million.
 */
export class SeenTable implements Seen {
  // Slot i holds the fingerprint's two halves at 2i and 2i + 1; a low half of 0 means free.
  #slots: Uint32Array = new Uint32Array(2 * INITIAL_SLOTS);
  #size = 0;
  readonly #salt: number;

  /** `salt`: see {@link fingerprint}. */
  constructor(salt = 0) {
    this.#salt = salt >>> 0;
  }

  /** The table that {@link save} gave. */
  static restore(saved: Extract<SavedSeen, { type: "exact" }>): SeenTable {
    const table = new SeenTable(saved.salt);
    table.#insertAll(saved.prints);
    return table;
  }

  /** Number of keys. */
  get size(): number {
    return this.#size;
  }

  /** A table grows. */
  get isOverfull(): boolean {
    return false;
  }

  has(key: string): boolean {
    const { high, low } = fingerprint(key, this.#salt);
    return this.#slots[2 * find(this.#slots, high, low) + 1] !== 0;
  }

  add(key: string): boolean {
    const { high, low } = fingerprint(key, this.#salt);
    return this.#insert(high, low);
  }

  save(): Extract<SavedSeen, { type: "exact" }> {
    return { type: "exact", salt: this.#salt, prints: this.savePrints() };
  }

  /** The fingerprints alone: 8 octets each, as base64. */
  savePrints(): string {
    const prints = new DataView(new ArrayBuffer(8 * this.#size));
    let at = 0;
    for (let i = 0; i < this.#slots.length; i += 2) {
      if (this.#slots[i + 1] === 0) continue;
      prints.setUint32(at, this.#slots[i]!, true);
      prints.setUint32(at + 4, this.#slots[i + 1]!, true);
      at += 8;
    }
    return encodeBase64(new Uint8Array(prints.buffer));
  }

  #insertAll(saved: string): void {
    const { buffer } = decodeBase64(saved);
    const prints = new DataView(buffer);
    for (let at = 0; at + 8 <= prints.byteLength; at += 8) {
      const low = prints.getUint32(at + 4, true);
      if (low !== 0) this.#insert(prints.getUint32(at, true), low);
    }
  }

  #insert(high: number, low: number): boolean {
    const slot = find(this.#slots, high, low);
    if (this.#slots[2 * slot + 1] !== 0) return false;
    this.#slots[2 * slot] = high;
    this.#slots[2 * slot + 1] = low;
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
      const slot = find(this.#slots, old[i]!, low);
      this.#slots[2 * slot] = old[i]!;
      this.#slots[2 * slot + 1] = low;
    }
  }
}

/** The slot that holds the fingerprint, or the free one where it belongs. */
function find(slots: Uint32Array, high: number, low: number): number {
  const mask = slots.length / 2 - 1;
  let slot = high & mask;
  while (true) {
    const other = slots[2 * slot + 1]!;
    if (other === 0 || (other === low && slots[2 * slot] === high)) return slot;
    slot = (slot + 1) & mask;
  }
}
