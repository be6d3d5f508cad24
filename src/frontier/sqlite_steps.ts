import type { SqliteFile } from "./sqlite_file.ts";
import type { RequestLog } from "./sqlite_request_log.ts";
import type { RequestTable } from "./sqlite_requests.ts";
import type { StoredSeen } from "./sqlite_seen.ts";
import type { Totals } from "./sqlite_totals.ts";

/** What of a store a step writes to. */
export interface StepParts {
  readonly file: SqliteFile;
  readonly requests: RequestTable;
  readonly log: RequestLog;
  readonly seen: StoredSeen;
  readonly totals: Totals;
}

/**
 * The steps by which a store changes, each of which is in the file whole when it returns. What came by the log gets into
 * the table of requests when that is next read or written to, or the log is far ahead of it; and among the keys that
 * were seen when the log is full.
 */
export class Steps {
  readonly #parts: StepParts;

  /** Takes in what a process that died had written down in the log alone. */
  constructor(parts: StepParts) {
    this.#parts = parts;
    if (!parts.log.isEmpty) this.#recover();
  }

  /** A step that writes to the log, and not to the table of requests. */
  log<T>(work: () => T): T {
    const { log } = this.#parts;
    return this.#step(() => {
      const result = work();
      if (log.isFull) this.#emptyLog(false);
      else if (log.isFarAhead) this.#apply();
      return result;
    });
  }

  /** A step that may write to all but the log; it finds the table of requests up to date. */
  write<T>(work: () => T): T {
    return this.#step(() => {
      this.#parts.log.apply();
      const result = work();
      this.#apply();
      return result;
    });
  }

  /** To be called before requests are read out of their table. */
  settle(): void {
    if (!this.#parts.log.isApplied) this.#step(() => this.#apply());
  }

  /** The last step, which leaves nothing to be taken in when the file is opened again. */
  end(work: () => void): void {
    this.#step(() => {
      work();
      this.#emptyLog(true);
    });
  }

  /** One step, counted. Where it fails, the counts are those of before. */
  #step<T>(work: () => T): T {
    const { file, totals } = this.#parts;
    const { requests } = totals;
    try {
      return file.write(work);
    } catch (error) {
      totals.requests = requests;
      throw error;
    }
  }

  #apply(): void {
    const { log, seen, totals } = this.#parts;
    log.apply();
    totals.keep(seen.written, log.applied);
  }

  #emptyLog(isLast: boolean): void {
    const { log, seen } = this.#parts;
    log.apply();
    seen.keep(isLast);
    log.empty();
    this.#apply();
  }

  #recover(): void {
    const { log, seen, totals, requests } = this.#parts;
    this.#step(() => {
      for (const row of log.queued()) {
        const { order, key, seed } = requests.read(row);
        seen.add(key, seed === true);
        totals.skipTo(order);
      }
      if (!log.isApplied) {
        log.apply();
        totals.requests = requests.count();
      }
      this.#emptyLog(false);
    });
  }
}
