import type { SeenAs } from "./sqlite_seen.ts";

/** What a store in a file may be given. */
export interface SqliteOptions {
  /**
   * How the store remembers what it has seen: exactly, at some 12 octets a URL in the file, or by a Bloom filter in
   * memory, at 1.2 octets for 1% of new URLs lost. Default: as the file was made, `"exact"` for a new one.
   */
  seen?: SeenAs;
  /**
   * Most octets of the file, without its log, which takes some 16 MB more. A crawl that needs more ends with an error
   * and loses nothing. Default: `Infinity`.
   */
  maxBytes?: number;
  /**
   * Most requests of one host that wait, 1 and up. What is found beyond is left out and counted in
   * `stats.overflowed`; found again later, it may find room. Seeds, retries and redirects always have room. Each crawl
   * with the file may have another bound. Default: `Infinity`.
   */
  maxQueuedPerHost?: number;
}

const OPTION_NAMES: readonly string[] = [
  "seen",
  "maxBytes",
  "maxQueuedPerHost",
] satisfies (keyof SqliteOptions)[];

/**
 * @throws {TypeError | RangeError} naming the option that is wrong
 */
export function checkedSeen(options: SqliteOptions): SeenAs | undefined {
  const unknown = Object.keys(options).find((name) => !OPTION_NAMES.includes(name));
  if (unknown !== undefined) throw new TypeError(`Cannot open a store as there is no option '${unknown}'`);
  const { seen } = options;
  if (seen === undefined || seen === "exact") return seen;
  const { capacity, falsePositives } = seen?.bloom ?? {};
  if (typeof capacity !== "number" || typeof falsePositives !== "number") {
    throw new TypeError(
      `Cannot open a store as 'seen' must be "exact" or { bloom: { capacity, falsePositives } }: received ${JSON.stringify(seen)}`,
    );
  }
  if (!Number.isInteger(capacity) || capacity < 1) {
    throw new RangeError(
      `Cannot open a store as 'seen.bloom.capacity' must be a whole number of 1 or more: received ${capacity}`,
    );
  }
  if (!(falsePositives > 0 && falsePositives < 1)) {
    throw new RangeError(
      `Cannot open a store as 'seen.bloom.falsePositives' must be above 0 and below 1: received ${falsePositives}`,
    );
  }
  return { bloom: { capacity, falsePositives } };
}

/**
 * @throws {RangeError} where the option is no number above 0
 */
export function maxBytesOf({ maxBytes = Number.POSITIVE_INFINITY }: SqliteOptions): number {
  if (typeof maxBytes === "number" && maxBytes > 0) return maxBytes;
  throw new RangeError(
    `Cannot open a store as 'maxBytes' must be a number above 0: received ${String(maxBytes)}`,
  );
}

/**
 * @throws {RangeError} where the option is no number of at least 1
 */
export function maxQueuedPerHostOf({ maxQueuedPerHost = Number.POSITIVE_INFINITY }: SqliteOptions): number {
  if (typeof maxQueuedPerHost === "number" && maxQueuedPerHost >= 1) return maxQueuedPerHost;
  throw new RangeError(
    `Cannot open a store as 'maxQueuedPerHost' must be at least 1: received ${String(maxQueuedPerHost)}`,
  );
}

/**
 * How a file remembers: as it was made, whatever this crawl wants.
 *
 * @throws {TypeError} where this crawl wants something else
 */
export function seenBy(path: string, madeWith: string, wanted: SeenAs | undefined): SeenAs {
  if (wanted !== undefined && JSON.stringify(wanted) !== madeWith) {
    throw new TypeError(
      `Cannot open '${path}' as 'seen' must be what it was made with, ${madeWith}: received ${JSON.stringify(wanted)}`,
    );
  }
  return JSON.parse(madeWith) as SeenAs;
}
