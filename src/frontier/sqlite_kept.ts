import type { SqliteFile, Statement } from "./sqlite_file.ts";

/** What is kept: the Bloom filter, the state of the crawl, and how many requests found a queue full. */
type KeptName = "bloom" | "state" | "overflowed";

/** Texts by name, as JSON. */
export class KeptTable {
  readonly #get: Statement<{ value: string }>;
  readonly #set: Statement;

  constructor(file: SqliteFile) {
    this.#get = file.prepare("SELECT value FROM kept WHERE name = ?");
    this.#set = file.prepare(
      "INSERT INTO kept VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
    );
  }

  get(name: KeptName): string | undefined {
    return this.#get.get(name)?.value;
  }

  set(name: KeptName, value: string): void {
    this.#set.run(name, value);
  }
}
