import type { CrawlRequest } from "../request.ts";
import { SqliteError } from "./sqlite_error.ts";
import type { SqliteFile, Statement } from "./sqlite_file.ts";

/** A request as it lies in the file, beside the columns. */
export type RequestText = string;

/** A request as it is read; `name` is its host's. */
export interface RequestRow {
  readonly id: number;
  readonly name: string;
  readonly rank: number;
  readonly rest: RequestText;
}

/** A place in the order of a host's requests, the first of which have the lowest rank, and then the lowest order. */
export interface Place {
  /** Minus the priority. */
  readonly rank: number;
  readonly order: number;
}

/** The requests that have not ended, by their order. */
export class RequestTable {
  readonly #path: string;
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;
  readonly #count: Statement<{ requests: number }>;
  readonly #ready: Statement<Omit<RequestRow, "name">>;
  readonly #ripen: Statement;
  readonly #isReady: Statement;
  readonly #firstDeferred: Statement<{ ms: number | null }>;
  readonly #ofHost: Statement<RequestRow>;
  readonly #ofTag: Statement<RequestRow>;

  constructor(file: SqliteFile) {
    this.#path = file.path;
    this.#insert = file.prepare("INSERT INTO requests VALUES (?, ?, ?, ?, ?, ?)");
    this.#update = file.prepare(
      "UPDATE requests SET rank = ?2, not_before_ms = ?3, tag = ?4, rest = ?5 WHERE id = ?1",
    );
    this.#delete = file.prepare("DELETE FROM requests WHERE id = ?");
    this.#count = file.prepare("SELECT count(*) AS requests FROM requests");
    this.#ready = file.prepare(
      `SELECT id, rank, rest FROM requests
       WHERE host = ? AND not_before_ms IS NULL AND (rank, id) > (?, ?) ORDER BY rank, id LIMIT ?`,
    );
    this.#ripen = file.prepare(
      "UPDATE requests SET not_before_ms = NULL WHERE host = ? AND not_before_ms <= ?",
    );
    this.#isReady = file.prepare("SELECT 1 FROM requests WHERE host = ? AND not_before_ms IS NULL LIMIT 1");
    this.#firstDeferred = file.prepare(
      "SELECT min(not_before_ms) AS ms FROM requests WHERE host = ? AND not_before_ms IS NOT NULL",
    );
    const full = "SELECT requests.id, name, rank, rest FROM requests JOIN hosts ON hosts.id = host";
    this.#ofHost = file.prepare(`${full} WHERE name = ? ORDER BY requests.id`);
    this.#ofTag = file.prepare(`${full} WHERE tag = ? ORDER BY requests.id`);
  }

  /** Queues a request. */
  insert(order: number, hostId: number, request: CrawlRequest, text: RequestText): void {
    const { notBeforeMs, tag } = request;
    this.#insert.run(order, hostId, placeOf(request).rank, notBeforeMs ?? null, tag ?? null, text);
  }

  /** Puts a request back in its place, as it is now. */
  defer(request: CrawlRequest, text: RequestText, notBeforeMs: number): void {
    this.#update.run(request.order, placeOf(request).rank, notBeforeMs, request.tag ?? null, text);
  }

  delete(order: number): void {
    this.#delete.run(order);
  }

  /** The number of all of them. It reads them all. */
  count(): number {
    return this.#count.get()!.requests;
  }

  /** Up to `n` of the host's requests after a place that wait for nothing, in the order in which they are to be taken. */
  ready(hostId: number, host: string, after: Place, n: number): CrawlRequest[] {
    return this.#ready.all(hostId, after.rank, after.order, n).map((row) => this.#read(row, host));
  }

  /** When the first of the host's requests that were deferred is due; `Infinity` where there is none. */
  firstDeferredMs(hostId: number): number {
    return this.#firstDeferred.get(hostId)?.ms ?? Number.POSITIVE_INFINITY;
  }

  /** Lets what was deferred be taken again. */
  ripen(hostId: number, nowMs: number): void {
    this.#ripen.run(hostId, nowMs);
  }

  /** When the host's first request is due: `-Infinity` where one waits for nothing, `undefined` where there is none. */
  workMs(hostId: number): number | undefined {
    if (this.#isReady.get(hostId) !== undefined) return Number.NEGATIVE_INFINITY;
    const ms = this.firstDeferredMs(hostId);
    return ms === Number.POSITIVE_INFINITY ? undefined : ms;
  }

  /** All of a host, in order. */
  ofHost(host: string): CrawlRequest[] {
    return this.#ofHost.all(host).map((row) => this.read(row));
  }

  /** All that bear a tag, in order. */
  ofTag(tag: string): CrawlRequest[] {
    return this.#ofTag.all(tag).map((row) => this.read(row));
  }

  /**
   * @throws {SqliteError} where it is damaged
   */
  read(row: RequestRow): CrawlRequest {
    return this.#read(row, row.name);
  }

  #read({ id, rank, rest }: Omit<RequestRow, "name">, host: string): CrawlRequest {
    try {
      // The key is left out where it is the URL.
      const { key, ...more } = JSON.parse(rest) as CrawlRequest;
      return { ...more, key: key ?? more.url, host, priority: 0 - rank, order: id };
    } catch (error) {
      throw new SqliteError("read", this.#path, "damaged", `its request ${id} cannot be read`, error);
    }
  }
}

/** Where a request stands among those of its host. */
export function placeOf({ priority, order }: CrawlRequest): Place {
  // By subtraction, as the negative of 0 is another number in JavaScript and the same in SQLite.
  return { rank: 0 - priority, order };
}

/** What has a column of its own is left out; a number that JSON has not, an infinite priority, has one. */
export function requestText(request: CrawlRequest): RequestText {
  const { order, host, priority, key, ...rest } = request;
  return JSON.stringify(key === rest.url ? rest : { key, ...rest });
}
