import type { CrawlRequest } from "../request.ts";
import type { SqliteFile, Statement } from "./sqlite_file.ts";
import type { KeptTable } from "./sqlite_kept.ts";

// Counts that are remembered, about; with more hosts than that, all are counted again as they are met.
const MAX_COUNTED = 20_000;

/** Keeps the queue of each host within a bound, where there is one. */
export class QueueBound {
  /** Requests that were new and found their host's queue full. */
  overflowed: number;
  readonly #most: number;
  readonly #kept: KeptTable;
  readonly #count: Statement<{ requests: number }>;
  // By host: its requests that have not ended.
  readonly #counts = new Map<string, number>();

  /** `most` is `Infinity` for no bound. */
  constructor(file: SqliteFile, kept: KeptTable, most: number) {
    this.#most = most;
    this.#kept = kept;
    this.overflowed = this.isBounded ? Number(kept.get("overflowed") ?? 0) : 0;
    // One reading of each partial index: none holds all of a host's requests.
    this.#count = file.prepare(
      `WITH host AS (SELECT id FROM hosts WHERE name = ?)
       SELECT (SELECT count(*) FROM requests JOIN host ON host = host.id WHERE not_before_ms IS NULL) +
              (SELECT count(*) FROM requests JOIN host ON host = host.id WHERE not_before_ms IS NOT NULL) AS requests`,
    );
  }

  get isBounded(): boolean {
    return this.#most !== Number.POSITIVE_INFINITY;
  }

  /**
   * To be called before a step that ends requests of these hosts or queues some. `bringUpToDate` is called where the
   * requests of one must be counted, in their table.
   */
  meet(hosts: readonly string[], bringUpToDate: () => void): void {
    if (!this.isBounded || hosts.every((host) => this.#counts.has(host))) return;
    bringUpToDate();
    if (this.#counts.size >= MAX_COUNTED) this.#counts.clear();
    for (const host of hosts) {
      if (!this.#counts.has(host)) this.#counts.set(host, this.#count.get(host)!.requests);
    }
  }

  /**
   * Whether there is no room for a request, where so many of its host are in progress. Seeds, redirects' targets and
   * what comes back always find some.
   */
  isFull({ host, seed, revisit, redirects }: CrawlRequest, inProgress: number): boolean {
    if (seed || revisit || redirects !== undefined) return false;
    return this.#counts.get(host)! - inProgress >= this.#most;
  }

  /** To be called when so many requests of a host were queued, or fewer than 0 when some have ended. */
  note(host: string, change: number): void {
    const known = this.#counts.get(host);
    if (known !== undefined) this.#counts.set(host, known + change);
  }

  /** Writes down how many found no room, as part of the caller's step. */
  keep(): void {
    if (this.isBounded) this.#kept.set("overflowed", `${this.overflowed}`);
  }
}
