import { systemRandom } from "../clock.ts";
import type { SqliteFile, Statement } from "./sqlite_file.ts";
import type { SeenAs } from "./sqlite_seen.ts";

interface StoreRow {
  readonly requests: number;
  readonly seen: number;
  readonly sequence: number;
  readonly salt: number;
  readonly seen_as: string;
  readonly applied: number;
}

/** What is counted rather than looked up: the one row of the table `store`. */
export class Totals {
  /** Of the file, for good: see `fingerprint`. */
  readonly salt: number;
  /** How the file remembers what it has seen, as JSON. */
  readonly seenAs: string;
  /** Keys that were seen when the file was opened, where they are counted here. */
  readonly seenAtFirst: number;
  /** The entry of the log up to which the tables had it all when the file was opened. */
  readonly appliedAtFirst: number;
  /** Requests that have not ended. */
  requests: number;
  readonly #set: Statement;
  #sequence: number;

  /** `seenAs` is for a new file. */
  constructor(file: SqliteFile, seenAs: SeenAs) {
    const select = file.prepare<StoreRow>(
      "SELECT requests, seen, sequence, salt, seen_as, applied FROM store",
    );
    const row = file.read(() => select.get()) ?? insertRow(file, seenAs);
    this.salt = row.salt;
    this.seenAs = row.seen_as;
    this.seenAtFirst = row.seen;
    this.appliedAtFirst = row.applied;
    this.requests = row.requests;
    this.#sequence = row.sequence;
    this.#set = file.prepare("UPDATE store SET requests = ?, seen = ?, sequence = ?, applied = ?");
  }

  /** The next number in the order of requests, and of hosts that got another place. */
  next(): number {
    return ++this.#sequence;
  }

  /** To be called with a number that was given before, by a process that died. */
  skipTo(number: number): void {
    this.#sequence = Math.max(this.#sequence, number);
  }

  /** Writes the totals as they are now, as part of the caller's step. */
  keep(seen: number, applied: number): void {
    this.#set.run(this.requests, seen, this.#sequence, applied);
  }
}

function insertRow(file: SqliteFile, seenAs: SeenAs): StoreRow {
  // Drawn for each file, so that no site can make up a URL that hides another's.
  const salt = Math.floor(systemRandom() * 2 ** 32);
  const row = { requests: 0, seen: 0, sequence: 0, salt, seen_as: JSON.stringify(seenAs), applied: 0 };
  const insert = file.prepare("INSERT INTO store VALUES (0, 0, 0, ?, ?, 0)");
  file.write(() => insert.run(row.salt, row.seen_as));
  return row;
}
