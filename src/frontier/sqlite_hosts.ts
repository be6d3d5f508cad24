import type { HostPace } from "../politeness/host.ts";
import type { SqliteFile, Statement } from "./sqlite_file.ts";

/** A host that may be leased. */
export interface DueHost {
  readonly id: number;
  readonly name: string;
  readonly pace: string | null;
}

/** The hosts ever met, and when each may be leased. */
export class HostTable {
  readonly #insert: Statement;
  readonly #find: Statement<{ id: number }>;
  readonly #due: Statement<DueHost>;
  readonly #nextDue: Statement<{ ms: number | null }>;
  readonly #lease: Statement;
  readonly #release: Statement;
  readonly #advance: Statement;
  readonly #arrange: Statement;
  readonly #leftLeased: Statement<{ id: number }>;
  // The links of a page have mostly one host.
  #last: { name: string; id: number } | undefined;

  constructor(file: SqliteFile) {
    this.#insert = file.prepare(
      "INSERT INTO hosts (name, due_ms, placed, leased) VALUES (?, ?, 0, 0) ON CONFLICT DO NOTHING",
    );
    this.#find = file.prepare("SELECT id FROM hosts WHERE name = ?");
    this.#due = file.prepare(
      "SELECT id, name, pace FROM hosts WHERE next_ms <= ? ORDER BY next_ms, placed LIMIT ?",
    );
    this.#nextDue = file.prepare("SELECT min(next_ms) AS ms FROM hosts WHERE next_ms IS NOT NULL");
    this.#lease = file.prepare("UPDATE hosts SET leased = 1, next_ms = NULL WHERE id = ?");
    this.#release = file.prepare(
      "UPDATE hosts SET leased = 0, pace = ?2, due_ms = ?3, next_ms = max(?3, ?4), placed = ?5 WHERE id = ?1",
    );
    this.#advance = file.prepare(
      `UPDATE hosts SET next_ms = max(due_ms, ?2), placed = ?3
       WHERE id = ?1 AND leased = 0 AND (next_ms IS NULL OR next_ms > max(due_ms, ?2))`,
    );
    this.#arrange = file.prepare(
      `UPDATE hosts SET leased = 0, next_ms = max(due_ms, ?2), placed = ?3
       WHERE id = ?1 AND (leased = 1 OR next_ms IS NOT max(due_ms, ?2))`,
    );
    this.#leftLeased = file.prepare("SELECT id FROM hosts WHERE leased = 1");
  }

  /** The host's number; a host that is new gets one. */
  idOf(name: string): number {
    if (this.#last?.name === name) return this.#last.id;
    let row = this.#find.get(name);
    if (row === undefined) {
      this.#insert.run(name, Number.NEGATIVE_INFINITY);
      row = this.#find.get(name)!;
    }
    this.#last = { name, id: row.id };
    return row.id;
  }

  /** Up to `n` hosts that are due, those that have been so the longest first. */
  due(nowMs: number, n: number): DueHost[] {
    return this.#due.all(nowMs, n);
  }

  /** When the first host is due that nobody holds; `Infinity` when none is. */
  get nextDueMs(): number {
    return this.#nextDue.get()?.ms ?? Number.POSITIVE_INFINITY;
  }

  lease(id: number): void {
    this.#lease.run(id);
  }

  /** Gives a host back; `workMs`: when its first request is due. */
  release(id: number, pace: HostPace, dueMs: number, workMs: number | undefined, place: number): void {
    this.#release.run(id, JSON.stringify(pace), dueMs, workMs ?? null, place);
  }

  /** To be called when something more is due at `workMs`: it may give the host another place. */
  advance(id: number, workMs: number, place: number): void {
    this.#advance.run(id, workMs, place);
  }

  /** Gives a host that nobody holds its place anew. */
  arrange(id: number, workMs: number | undefined, place: number): void {
    this.#arrange.run(id, workMs ?? null, place);
  }

  /** Those that a process held when it died. */
  leftLeased(): number[] {
    return this.#leftLeased.all().map(({ id }) => id);
  }
}
