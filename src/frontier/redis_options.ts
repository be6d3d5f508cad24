import type { Clock } from "../clock.ts";
import type { BloomOptions } from "./bloom.ts";

/** What a crawl in Redis is called, and how it is kept. */
export interface RedisOptions {
  /** Names the crawl: workers that give the same one share it. One character or more, no braces. */
  readonly crawlId: string;
  /**
   * Milliseconds after which the hosts of a worker that died are free for the others, above 0. The worker renews its
   * leases three times as often, so it must never be stalled that long. Default: 30,000.
   */
  readonly leaseMs?: number;
  /** What the names of all keys begin with: one character or more, no braces. Default: `"dragline"`. */
  readonly prefix?: string;
  /**
   * How the crawl remembers what it has seen: exactly, at some 10 bytes a URL, or by a Bloom filter at 1.2 bytes for 1% of
   * new URLs lost. The same for all workers. Default: `"exact"`.
   */
  readonly seen?: "exact" | { readonly bloom: BloomOptions };
  /**
   * Most requests that wait for one host, 1 and up: what comes beyond is refused and counted, and may come again once
   * there is room. Seeds, retries and redirects always have room. Default: `Infinity`.
   */
  readonly maxQueuedPerHost?: number;
  /** For tests and simulations. Default: the system's. */
  readonly clock?: Clock;
}

/** Options that were found to be sound, with their defaults. */
export interface CheckedOptions {
  /** What the names of all keys begin with: the braces make one slot of a cluster of them. */
  readonly key: string;
  readonly crawlId: string;
  readonly leaseMs: number;
  readonly maxQueuedPerHost: number;
  /** Keys that the Bloom filter was made for; `Infinity` where all are kept exactly. */
  readonly capacity: number;
  /** How seen keys are kept, as text. */
  readonly seen: string;
  /** Of the Bloom filter; 0 where there is none. */
  readonly bits: number;
  readonly hashes: number;
}

/**
 * @throws {TypeError | RangeError} where an option is none that can be worked with
 */
export function checkOptions(options: RedisOptions): CheckedOptions {
  const {
    crawlId,
    leaseMs = 30_000,
    prefix = "dragline",
    seen = "exact",
    maxQueuedPerHost = Number.POSITIVE_INFINITY,
  } = options;
  checkName("crawlId", crawlId);
  checkName("prefix", prefix);
  if (!(leaseMs > 0 && leaseMs < Number.POSITIVE_INFINITY)) {
    throw new RangeError(unsuitable("leaseMs", "a number of milliseconds above 0", leaseMs));
  }
  if (!(maxQueuedPerHost >= 1)) {
    throw new RangeError(unsuitable("maxQueuedPerHost", "a number of at least 1", maxQueuedPerHost));
  }
  return {
    key: `${prefix}:{${crawlId}}`,
    crawlId,
    leaseMs,
    maxQueuedPerHost,
    ...(seen === "exact"
      ? { seen, capacity: Number.POSITIVE_INFINITY, bits: 0, hashes: 0 }
      : checkedBloom(seen.bloom)),
  };
}

function checkName(option: string, value: unknown): void {
  if (typeof value !== "string" || value === "" || /[{}]/.test(value)) {
    throw new TypeError(unsuitable(option, "a text of one character or more, without braces", value));
  }
}

/** As the filter in memory is laid out: {@link BloomOptions}. */
function checkedBloom(bloom: BloomOptions): Pick<CheckedOptions, "seen" | "capacity" | "bits" | "hashes"> {
  const { capacity, falsePositives } = bloom;
  if (!Number.isInteger(capacity) || capacity < 1) {
    throw new RangeError(unsuitable("seen.bloom.capacity", "a positive integer", capacity));
  }
  if (!(falsePositives > 0 && falsePositives < 1)) {
    throw new RangeError(unsuitable("seen.bloom.falsePositives", "above 0 and below 1", falsePositives));
  }
  const bits = Math.max(2, Math.ceil((-capacity * Math.log(falsePositives)) / Math.LN2 ** 2));
  const hashes = Math.max(1, Math.round((bits / capacity) * Math.LN2));
  return { seen: `bloom ${capacity} ${falsePositives}`, capacity, bits, hashes };
}

function unsuitable(option: string, rule: string, value: unknown): string {
  return `Cannot keep a crawl in Redis as '${option}' must be ${rule}: received ${String(value)}`;
}
