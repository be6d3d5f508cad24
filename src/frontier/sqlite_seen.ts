import { BloomFilter, type BloomOptions } from "./bloom.ts";
import { fingerprint } from "./fingerprint.ts";
import type { SavedSeen } from "./seen.ts";
import { SqliteError } from "./sqlite_error.ts";
import type { SqliteFile, Statement } from "./sqlite_file.ts";
import type { KeptTable } from "./sqlite_kept.ts";
import type { Totals } from "./sqlite_totals.ts";

/** How a store remembers which keys it has accepted. */
export type SeenAs = "exact" | { readonly bloom: BloomOptions };

/** The keys that a store ever accepted. */
export interface StoredSeen {
  /** Number of keys that were new. */
  readonly size: number;
  /** How many of them are written down. */
  readonly written: number;
  /** Whether it holds more than it was made for. */
  readonly isOverfull: boolean;
  has(key: string): boolean;
  /** Whether the key is new; it is seen from now on, by this process. */
  add(key: string, precious: boolean): boolean;
  /** Writes down what was new, as part of the caller's step; with `isLast` also what can be put off till the end of all. */
  keep(isLast: boolean): void;
}

// Prints of a busy crawl's last links: 512 KiB. Nearly all links of a page have stood on another page just before.
const CACHED_PRINTS = 1 << 16;

/** Fingerprints of 64 bits, all of them in the file. */
export class PrintTable implements StoredSeen {
  readonly #file: SqliteFile;
  readonly #salt: number;
  readonly #find: Statement;
  readonly #insert: Statement;
  // Of prints that were seen, slot i holds one at 2i and 2i + 1; a low half of 0 means none.
  readonly #cache: Uint32Array = new Uint32Array(2 * CACHED_PRINTS);
  readonly #print: Uint32Array = new Uint32Array(2);
  // The same octets as a number that SQLite takes.
  readonly #wholePrint: BigInt64Array = new BigInt64Array(this.#print.buffer);
  // Those that are not in the file yet.
  readonly #fresh = new Set<bigint>();
  #size: number;

  constructor(file: SqliteFile, { salt, seenAtFirst }: Totals) {
    this.#file = file;
    this.#salt = salt;
    this.#size = seenAtFirst;
    this.#find = file.prepare("SELECT 1 FROM seen WHERE print = ?");
    this.#insert = file.prepare("INSERT INTO seen VALUES (?)");
  }

  /** A table grows. */
  get isOverfull(): boolean {
    return false;
  }

  get size(): number {
    return this.#size;
  }

  get written(): number {
    return this.#size - this.#fresh.size;
  }

  has(key: string): boolean {
    const slot = this.#slotOf(key);
    return this.#isCached(slot) || this.#isKnown(slot);
  }

  add(key: string): boolean {
    const slot = this.#slotOf(key);
    if (this.#isCached(slot) || this.#isKnown(slot)) return false;
    this.#fresh.add(this.#wholePrint[0]!);
    this.#cache.set(this.#print, slot);
    this.#size++;
    return true;
  }

  keep(): void {
    for (const print of this.#fresh) this.#insert.run(print);
    this.#fresh.clear();
  }

  /** Whether the print is one of those that the cache has lost. */
  #isKnown(slot: number): boolean {
    const print = this.#wholePrint[0]!;
    const isKnown = this.#fresh.has(print) || this.#file.read(() => this.#find.get(print)) !== undefined;
    if (isKnown) this.#cache.set(this.#print, slot);
    return isKnown;
  }

  /** Reads the key's print into `#print`, and says where in the cache it belongs. */
  #slotOf(key: string): number {
    const { high, low } = fingerprint(key, this.#salt);
    this.#print[0] = low;
    this.#print[1] = high;
    return 2 * (high % CACHED_PRINTS);
  }

  #isCached(slot: number): boolean {
    return this.#cache[slot] === this.#print[0] && this.#cache[slot + 1] === this.#print[1];
  }
}

// The filter is written whole: so rarely that over its life it is written some 32 times.
const LOG_SHARE = 1 / 32;
const SHORTEST_LOG = 4_096;

/** A Bloom filter in memory; the file has an older state of it, and a log of what it took in since. */
export class LoggedBloom implements StoredSeen {
  readonly #filter: BloomFilter;
  readonly #kept: KeptTable;
  readonly #append: Statement;
  readonly #empty: Statement;
  readonly #longestLog: number;
  // What is neither in the log nor in the older state.
  #fresh: { readonly key: string; readonly precious: boolean }[] = [];
  #logged = 0;

  constructor(file: SqliteFile, kept: KeptTable, options: BloomOptions, salt: number) {
    this.#kept = kept;
    this.#append = file.prepare("INSERT INTO bloom_log (key, precious) VALUES (?, ?)");
    this.#empty = file.prepare("DELETE FROM bloom_log");
    this.#longestLog = Math.max(SHORTEST_LOG, Math.floor(options.capacity * LOG_SHARE));
    this.#filter = restoredFilter(file.path, kept.get("bloom")) ?? new BloomFilter(options, salt);
    const log = file.prepare<{ key: string; precious: number }>("SELECT key, precious FROM bloom_log");
    for (const { key, precious } of file.read(() => log.all())) {
      this.#filter.add(key, precious === 1);
      this.#logged++;
    }
  }

  get size(): number {
    return this.#filter.size;
  }

  get written(): number {
    return this.#filter.size - this.#fresh.length;
  }

  get isOverfull(): boolean {
    return this.#filter.isOverfull;
  }

  has(key: string): boolean {
    return this.#filter.has(key);
  }

  add(key: string, precious: boolean): boolean {
    const isNew = this.#filter.add(key, precious);
    if (isNew) this.#fresh.push({ key, precious });
    return isNew;
  }

  keep(isLast: boolean): void {
    for (const { key, precious } of this.#fresh) this.#append.run(key, precious ? 1 : 0);
    this.#logged += this.#fresh.length;
    this.#fresh = [];
    if (this.#logged === 0 || (this.#logged < this.#longestLog && !isLast)) return;
    this.#kept.set("bloom", JSON.stringify(this.#filter.save()));
    this.#empty.run();
    this.#logged = 0;
  }
}

function restoredFilter(path: string, saved: string | undefined): BloomFilter | undefined {
  if (saved === undefined) return undefined;
  try {
    return BloomFilter.restore(JSON.parse(saved) as Extract<SavedSeen, { type: "bloom" }>);
  } catch (error) {
    throw new SqliteError("open", path, "damaged", "its Bloom filter cannot be read", error);
  }
}
