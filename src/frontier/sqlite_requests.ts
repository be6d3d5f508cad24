import type { CrawlRequest } from "../request.ts";
import { SqliteError } from "./sqlite_error.ts";
import type { SqliteFile, Statement } from "./sqlite_file.ts";

/** A request as it lies in the file, beside the columns. */
export type RequestText = string;

/** A row with the name of its host. */
interface FullRow {
  readonly id: number;
  readonly name: string;
  readonly priority: number;
  readonly rest: RequestText;
}

/** The requests that have not ended, by their order. */
export class RequestTable {
  readonly #path: string;
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;
  readonly #firstReady: Statement<{ id: number }>;
  readonly #get: Statement<{ priority: number; rest: RequestText }>;
  readonly #isDeferredDue: Statement;
  readonly #ripen: Statement;
  readonly #isReady: Statement;
  readonly #firstDeferred: Statement<{ ms: number | null }>;
  readonly #ofHost: Statement<FullRow>;
  readonly #ofTag: Statement<FullRow>;

  constructor(file: SqliteFile) {
    this.#path = file.path;
    this.#insert = file.prepare("INSERT INTO requests VALUES (?, ?, ?, ?, ?, ?)");
    this.#update = file.prepare(
      "UPDATE requests SET priority = ?2, not_before_ms = ?3, tag = ?4, rest = ?5 WHERE id = ?1",
    );
    this.#delete = file.prepare("DELETE FROM requests WHERE id = ?");
    this.#firstReady = file.prepare(
      "SELECT id FROM requests WHERE host = ? AND not_before_ms IS NULL ORDER BY priority DESC, id LIMIT ?",
    );
    this.#get = file.prepare("SELECT priority, rest FROM requests WHERE id = ?");
    this.#isDeferredDue = file.prepare(
      "SELECT 1 FROM requests WHERE host = ? AND not_before_ms <= ? LIMIT 1",
    );
    this.#ripen = file.prepare(
      "UPDATE requests SET not_before_ms = NULL WHERE host = ? AND not_before_ms <= ?",
    );
    this.#isReady = file.prepare("SELECT 1 FROM requests WHERE host = ? AND not_before_ms IS NULL LIMIT 1");
    this.#firstDeferred = file.prepare(
      "SELECT min(not_before_ms) AS ms FROM requests WHERE host = ? AND not_before_ms IS NOT NULL",
    );
    const full = "SELECT requests.id, name, priority, rest FROM requests JOIN hosts ON hosts.id = host";
    this.#ofHost = file.prepare(`${full} WHERE name = ? ORDER BY requests.id`);
    this.#ofTag = file.prepare(`${full} WHERE tag = ? ORDER BY requests.id`);
  }

  /** Queues a request. */
  insert(order: number, hostId: number, request: CrawlRequest, text: RequestText): void {
    const { priority, notBeforeMs, tag } = request;
    this.#insert.run(order, hostId, priority, notBeforeMs ?? null, tag ?? null, text);
  }

  /** Puts a request back in its place, as it is now. */
  defer(request: CrawlRequest, text: RequestText, notBeforeMs: number): void {
    this.#update.run(request.order, request.priority, notBeforeMs, request.tag ?? null, text);
  }

  delete(order: number): void {
    this.#delete.run(order);
  }

  /** The orders of the host's first requests that wait for nothing, the first to be taken first. */
  firstReady(hostId: number, n: number): number[] {
    return this.#firstReady.all(hostId, n).map(({ id }) => id);
  }

  get(order: number, host: string): CrawlRequest {
    const row = this.#get.get(order);
    if (row === undefined) throw this.#damage(order);
    return this.#read({ ...row, id: order, name: host });
  }

  /** Whether something of the host was deferred, and waits no longer. */
  isDeferredDue(hostId: number, nowMs: number): boolean {
    return this.#isDeferredDue.get(hostId, nowMs) !== undefined;
  }

  /** Lets what was deferred be taken again. */
  ripen(hostId: number, nowMs: number): void {
    this.#ripen.run(hostId, nowMs);
  }

  /** When the host's first request is due: `-Infinity` where one waits for nothing, `undefined` where there is none. */
  workMs(hostId: number): number | undefined {
    if (this.#isReady.get(hostId) !== undefined) return Number.NEGATIVE_INFINITY;
    return this.#firstDeferred.get(hostId)?.ms ?? undefined;
  }

  /** All of a host, in order. */
  ofHost(host: string): CrawlRequest[] {
    return this.#ofHost.all(host).map((row) => this.#read(row));
  }

  /** All that bear a tag, in order. */
  ofTag(tag: string): CrawlRequest[] {
    return this.#ofTag.all(tag).map((row) => this.#read(row));
  }

  #read({ id, name, priority, rest }: FullRow): CrawlRequest {
    try {
      return { ...(JSON.parse(rest) as CrawlRequest), host: name, priority, order: id };
    } catch (error) {
      throw this.#damage(id, error);
    }
  }

  #damage(order: number, cause?: unknown): SqliteError {
    return new SqliteError("read", this.#path, "damaged", `its request ${order} cannot be read`, cause);
  }
}

/** What has a column of its own is left out; a number that JSON has not, an infinite priority, has one. */
export function requestText(request: CrawlRequest): RequestText {
  const { order, host, priority, ...rest } = request;
  return JSON.stringify(rest);
}
