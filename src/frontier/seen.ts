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

// A table grows a segment at a time, so that no growth holds the crawl up: a power of two.
const SEGMENTS = 64;
const INITIAL_SLOTS = 16;
// Linear probing stays short up to three slots in four; grown by half, a segment is never less than half full.
const MAX_LOAD = 0.75;
const GROWTH = 1.5;

/**
 * Keys as 64-bit fingerprints in open-addressed segments: 8 bytes a slot, 11 to 16 bytes a key. Two keys of a million
 * share a fingerprint with a probability of 3 in 100 million.
 */
export class SeenTable implements Seen {
  readonly #segments: readonly Segment[] = Array.from({ length: SEGMENTS }, newSegment);
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
    const { slots } = this.#segmentOf(low);
    return slots[2 * find(slots, high, low) + 1] !== 0;
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
    for (const { slots } of this.#segments) {
      for (let i = 0; i < slots.length; i += 2) {
        if (slots[i + 1] === 0) continue;
        prints.setUint32(at, slots[i]!, true);
        prints.setUint32(at + 4, slots[i + 1]!, true);
        at += 8;
      }
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
    const segment = this.#segmentOf(low);
    const { slots } = segment;
    const slot = find(slots, high, low);
    if (slots[2 * slot + 1] !== 0) return false;
    slots[2 * slot] = high;
    slots[2 * slot + 1] = low;
    this.#size++;
    segment.size++;
    if (segment.size > (slots.length / 2) * MAX_LOAD) segment.slots = grown(slots);
    return true;
  }

  #segmentOf(low: number): Segment {
    return this.#segments[low & (SEGMENTS - 1)]!;
  }
}

/** The part of a table with the fingerprints whose low halves end alike. */
interface Segment {
  /** Slot i holds a fingerprint's two halves at 2i and 2i + 1; a low half of 0 means free. */
  slots: Uint32Array;
  size: number;
}

function newSegment(): Segment {
  return { slots: new Uint32Array(2 * INITIAL_SLOTS), size: 0 };
}

function grown(old: Uint32Array): Uint32Array {
  const slots = new Uint32Array(2 * Math.ceil((old.length / 2) * GROWTH));
  for (let i = 0; i < old.length; i += 2) {
    const low = old[i + 1]!;
    if (low === 0) continue;
    const slot = find(slots, old[i]!, low);
    slots[2 * slot] = old[i]!;
    slots[2 * slot + 1] = low;
  }
  return slots;
}

/** The slot that holds the fingerprint, or the free one where it belongs. */
function find(slots: Uint32Array, high: number, low: number): number {
  const count = slots.length >>> 1;
  // In the order of their high halves: what is copied as a segment grows is written in a row.
  let slot = (high * count * 2 ** -32) >>> 0;
  while (true) {
    const other = slots[2 * slot + 1]!;
    if (other === 0 || (other === low && slots[2 * slot] === high)) return slot;
    slot = slot + 1 === count ? 0 : slot + 1;
  }
}
