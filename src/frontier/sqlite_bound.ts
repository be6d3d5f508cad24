import type { CrawlRequest } from "../request.ts";
import type { SqliteFile, Statement } from "./sqlite_file.ts";
import type { KeptTable } from "./sqlite_kept.ts";

// Counts that are remembered; with more hosts than that, all are counted again as they are met.
const MAX_COUNTED = 20_000;

/** Keeps the queue of each host within a bound, where there is one. */
export class QueueBound {
  /** Requests that were new and found their host's queue full. */
  overflowed: number;
  readonly #most: number;
  readonly #kept: KeptTable;
  readonly #count: Statement<{ requests: number }>;
  // By host: its requests that have not ended.
  readonly #counts = new Map<number, number>();

  /** `most` is `Infinity` for no bound. */
  constructor(file: SqliteFile, kept: KeptTable, most: number) {
    this.#most = most;
    this.#kept = kept;
    this.overflowed = this.isBounded ? Number(kept.get("overflowed") ?? 0) : 0;
    // One reading of each partial index: none holds all of a host's requests.
    this.#count = file.prepare(
      `SELECT (SELECT count(*) FROM requests WHERE host = ?1 AND not_before_ms IS NULL) +
              (SELECT count(*) FROM requests WHERE host = ?1 AND not_before_ms IS NOT NULL) AS requests`,
    );
  }

  get isBounded(): boolean {
    return this.#most !== Number.POSITIVE_INFINITY;
  }

  /**
   * Whether there is no room for one more of a host, of which so many are in progress. Seeds, redirects' targets and
   * what comes back always find some.
   */
  isFull(hostId: number, { seed, revisit, redirects }: CrawlRequest, inProgress: number): boolean {
    if (seed || revisit || redirects !== undefined) return false;
    return this.#countOf(hostId) - inProgress >= this.#most;
  }

  /** To be called when so many requests of a host were queued, or fewer than 0 when some have ended. */
  note(hostId: number, change: number): void {
    const known = this.#counts.get(hostId);
    if (known !== undefined) this.#counts.set(hostId, known + change);
  }

  /** Writes down how many found no room, as part of the caller's step. */
  keep(): void {
    if (this.isBounded) this.#kept.set("overflowed", `${this.overflowed}`);
  }

  #countOf(hostId: number): number {
    const known = this.#counts.get(hostId);
    if (known !== undefined) return known;
    const { requests } = this.#count.get(hostId)!;
    if (this.#counts.size >= MAX_COUNTED) this.#counts.clear();
    this.#counts.set(hostId, requests);
    return requests;
  }
}
