import type { CrawlRequest } from "../request.ts";
import type { SqliteFile, Statement } from "./sqlite_file.ts";
import { placeOf, type RequestRow, type RequestText } from "./sqlite_requests.ts";

// So many entries are kept. What was seen is written down when it is full: the more at once, the fewer pages of the file
// for each, as the prints of keys lie scattered.
const LONGEST = 4_096;

// So many entries are brought into the table of requests together.
const LONGEST_APART = 256;

/**
 * What steps have ended and queued. A step that is written down here changes mostly one page of the file, where it
 * changes five in the tables; and the pages that a step changes are what it costs. The tables follow, by many steps at
 * once.
 */
export class RequestLog {
  readonly #append: Statement;
  readonly #queue: Statement;
  readonly #end: Statement;
  readonly #empty: Statement;
  readonly #queued: Statement<RequestRow>;
  /** The entry up to which the table of requests has it all. */
  #applied: number;
  #last: number;

  /** Up to the entry `applied` the table of requests has it all. */
  constructor(file: SqliteFile, applied: number) {
    this.#append = file.prepare(
      "INSERT INTO request_log (id, request, host, rank, not_before_ms, tag, rest) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    // A redirect's target stands in the place of what it follows on.
    this.#queue = file.prepare(
      `INSERT OR REPLACE INTO requests SELECT request, host, rank, not_before_ms, tag, rest
       FROM request_log WHERE id > ? AND rest IS NOT NULL ORDER BY id`,
    );
    this.#end = file.prepare(
      "DELETE FROM requests WHERE id IN (SELECT request FROM request_log WHERE id > ? AND rest IS NULL)",
    );
    this.#empty = file.prepare("DELETE FROM request_log");
    this.#queued = file.prepare(
      `SELECT request AS id, name, rank, rest FROM request_log JOIN hosts ON hosts.id = host
       WHERE rest IS NOT NULL ORDER BY request_log.id`,
    );
    const last = file.prepare<{ id: number | null }>("SELECT max(id) AS id FROM request_log");
    this.#last = file.read(() => last.get()?.id ?? 0);
    this.#applied = applied;
  }

  get isEmpty(): boolean {
    return this.#last === 0;
  }

  get applied(): number {
    return this.#applied;
  }

  /** Whether the table of requests has it all. */
  get isApplied(): boolean {
    return this.#applied === this.#last;
  }

  /** Whether it is time to bring the table of requests up to date. */
  get isFarAhead(): boolean {
    return this.#last - this.#applied >= LONGEST_APART;
  }

  /** Whether it is time to write down what was seen, and to empty it. */
  get isFull(): boolean {
    return this.#last >= LONGEST;
  }

  /** Notes that a request was queued. */
  insert(order: number, hostId: number, request: CrawlRequest, text: RequestText): void {
    const { notBeforeMs, tag } = request;
    const { rank } = placeOf(request);
    this.#append.run(++this.#last, order, hostId, rank, notBeforeMs ?? null, tag ?? null, text);
  }

  /** Notes that a request has ended. Its order is nobody's from then on. */
  end(order: number): void {
    this.#append.run(++this.#last, order, null, null, null, null, null);
  }

  /** All that was queued, in order. */
  queued(): RequestRow[] {
    return this.#queued.all();
  }

  /** Brings it all into the table of requests. */
  apply(): void {
    if (this.isApplied) return;
    // In this order, as what was queued may have ended since.
    this.#queue.run(this.#applied);
    this.#end.run(this.#applied);
    this.#applied = this.#last;
  }

  /** To be called when it is applied, and what it has queued is written down as seen. */
  empty(): void {
    if (this.isEmpty) return;
    this.#empty.run();
    this.#last = 0;
    this.#applied = 0;
  }
}
