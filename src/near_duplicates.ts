/** Digests that are found again by any other that differs in few bits. */
export interface NearDuplicateOptions {
  /** In how many of 64 bits two digests may differ: 0 to 8. */
  readonly distance: number;
}

interface Entry {
  readonly high: number;
  readonly low: number;
  readonly url: string;
}

const NONE = -1;
const INITIAL_BUCKETS = 1 << 12;

/**
 * Pages by the digest of their text, so that a near-duplicate is found in a time that does not grow with their number.
 *
 * A digest is cut into `distance + 2` blocks. Two that differ in `distance` bits agree on two whole blocks at the
 * least, so each page stands in one bucket for every pair of blocks.
 *
 * Source: Manku, Jain and Das Sarma, "Detecting Near-Duplicates for Web Crawling" (2007), §3.
 */
export class NearDuplicates {
  readonly #distance: number;
  readonly #pairs: readonly (readonly [number, number])[];
  readonly #blocks: readonly (readonly [from: number, bits: number])[];
  readonly #entries: Entry[] = [];
  /** The newest entry of each bucket; from there on each place names the next one. */
  #buckets: Int32Array = new Int32Array(INITIAL_BUCKETS).fill(NONE);
  #next: Int32Array = new Int32Array(INITIAL_BUCKETS);

  constructor({ distance }: NearDuplicateOptions) {
    this.#distance = distance;
    const count = distance + 2;
    this.#blocks = Array.from({ length: count }, (_, i) => {
      const from = Math.floor((64 * i) / count);
      return [from, Math.floor((64 * (i + 1)) / count) - from] as const;
    });
    this.#pairs = this.#blocks.flatMap((_, i) =>
      this.#blocks.slice(i + 1).map((_, j) => [i, i + 1 + j] as const),
    );
  }

  /** Number of pages. */
  get size(): number {
    return this.#entries.length;
  }

  /** The URL of the earliest page whose digest differs in `distance` bits at the most. */
  find(digest: bigint): string | undefined {
    const { high, low } = halves(digest);
    let earliest = Number.POSITIVE_INFINITY;
    for (let pair = 0; pair < this.#pairs.length; pair++) {
      let place = this.#buckets[this.#bucketOf(pair, high, low)]!;
      while (place !== NONE) {
        const index = Math.floor(place / this.#pairs.length);
        const entry = this.#entries[index]!;
        if (index < earliest && bits(entry.high ^ high) + bits(entry.low ^ low) <= this.#distance)
          earliest = index;
        place = this.#next[place]!;
      }
    }
    return this.#entries[earliest]?.url;
  }

  add(digest: bigint, url: string): void {
    const { high, low } = halves(digest);
    this.#entries.push({ high, low, url });
    const places = this.#entries.length * this.#pairs.length;
    if (places > this.#next.length) {
      const next = new Int32Array(this.#next.length * 2);
      next.set(this.#next);
      this.#next = next;
    }
    if (places > this.#buckets.length) this.#rehash(this.#buckets.length * 4);
    else this.#link(this.#entries.length - 1);
  }

  /** Everything, as JSON. */
  save(): (readonly [digest: string, url: string])[] {
    return this.#entries.map(({ high, low, url }) => [
      ((BigInt(high) << 32n) | BigInt(low)).toString(16),
      url,
    ]);
  }

  /** Takes in what {@link save} gave. */
  restore(saved: readonly (readonly [digest: string, url: string])[]): void {
    for (const [digest, url] of saved) this.add(BigInt(`0x${digest}`), url);
  }

  #rehash(size: number): void {
    this.#buckets = new Int32Array(size).fill(NONE);
    for (let index = 0; index < this.#entries.length; index++) this.#link(index);
  }

  #link(index: number): void {
    const { high, low } = this.#entries[index]!;
    for (let pair = 0; pair < this.#pairs.length; pair++) {
      const place = index * this.#pairs.length + pair;
      const bucket = this.#bucketOf(pair, high, low);
      this.#next[place] = this.#buckets[bucket]!;
      this.#buckets[bucket] = place;
    }
  }

  #bucketOf(pair: number, high: number, low: number): number {
    const [first, second] = this.#pairs[pair]!;
    const a = block(high, low, this.#blocks[first]!);
    const b = block(high, low, this.#blocks[second]!);
    let hash = Math.imul(a ^ Math.imul(pair + 1, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35);
    hash ^= hash >>> 15;
    return (hash >>> 0) & (this.#buckets.length - 1);
  }
}

function halves(digest: bigint): { high: number; low: number } {
  return { high: Number(digest >> 32n) >>> 0, low: Number(digest & 0xffffffffn) >>> 0 };
}

/** Bits of a digest, counted from its lowest one: at most 32 of them. */
function block(high: number, low: number, [from, length]: readonly [number, number]): number {
  const mask = length === 32 ? 0xffffffff : (1 << length) - 1;
  if (from >= 32) return (high >>> (from - 32)) & mask;
  if (from + length <= 32) return (low >>> from) & mask;
  return ((low >>> from) | (high << (32 - from))) & mask;
}

/** How many bits are set. */
function bits(value: number): number {
  let count = value - ((value >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
