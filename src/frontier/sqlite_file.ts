import process from "node:process";
import { asSqliteError, SqliteError } from "./sqlite_error.ts";
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION, UPGRADE } from "./sqlite_schema.ts";

/** What a column may hold, as far as the store goes. */
export type SqlValue = null | number | bigint | string;

/** A prepared statement of `node:sqlite`; `Row` is what it gives. */
export interface Statement<Row = unknown> {
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint };
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): Row[];
}

/** The part of `node:sqlite` that the store uses: its types are not among those of the oldest Node.js. */
interface Database {
  prepare(sql: string): Statement;
  close(): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string) => Database;
}

// Pages of the file that are kept in memory, in KiB: the default of 2 MB is a queue of some 5,000.
const CACHE_KIB = 65_536;

// The unit in which the file is read and written, and its log too: a step changes mostly one of them. The default of
// 4 KiB makes the log twice as long, and the waits for the disk with it.
const PAGE_BYTES = 2_048;

// The log is written into the file when it has come to so many octets. The default of a thousand pages writes the same
// pages of a busy crawl again many times as often.
const LOG_BYTES = 16_000_000;

/** One file that this process alone has open. After the first fault nothing more is done with it. */
export class SqliteFile {
  readonly path: string;
  readonly #database: Database;
  readonly #begin: Statement;
  readonly #commit: Statement;
  #end: unknown;

  /**
   * Opens the file, or makes it.
   *
   * @throws {SqliteError} with the code that says why not
   */
  constructor(path: string, maxBytes: number) {
    const { DatabaseSync } = sqliteModule(path);
    let database: Database | undefined;
    try {
      database = new DatabaseSync(path);
      prepareFile(database, path, maxBytes);
      this.#begin = database.prepare("BEGIN IMMEDIATE");
      this.#commit = database.prepare("COMMIT");
    } catch (error) {
      database?.close();
      throw asSqliteError(error, "open", path);
    }
    this.path = path;
    this.#database = database;
  }

  /** Whether the file was closed, by its owner or for a fault. */
  get isClosed(): boolean {
    return this.#end !== undefined;
  }

  prepare<Row = unknown>(sql: string): Statement<Row> {
    return this.#guard("read", () => this.#database.prepare(sql) as Statement<Row>);
  }

  /** Does something that only reads. */
  read<T>(work: () => T): T {
    return this.#guard("read", work);
  }

  /**
   * Does something as one step: it survives the end of the process whole, or leaves no trace. An error ends the use of
   * the file, as the caller's memory may then differ from it.
   */
  write<T>(work: () => T): T {
    return this.#guard("write to", () => {
      this.#begin.run();
      const result = work();
      this.#commit.run();
      return result;
    });
  }

  /**
   * Reads JSON that is in the file; `what` is its name in the error.
   *
   * @throws {SqliteError} where it is damaged
   */
  parse<T>(text: string, what: string): T {
    return this.#guard("read", () => {
      try {
        return JSON.parse(text) as T;
      } catch (error) {
        throw new SqliteError("read", this.path, "damaged", `${what} cannot be read`, error);
      }
    });
  }

  close(): void {
    if (this.isClosed) return;
    this.#end = new Error(`Cannot use '${this.path}' as it was closed`);
    this.#database.close();
  }

  #guard<T>(action: string, work: () => T): T {
    if (this.isClosed) throw this.#end;
    try {
      return work();
    } catch (error) {
      this.#end = asSqliteError(error, action, this.path);
      // What was begun is rolled back with it.
      this.#database.close();
      throw this.#end;
    }
  }
}

function sqliteModule(path: string): SqliteModule {
  // Not imported: that would fail already where only the name of the module is met. Node.js before 20.16 has no
  // getBuiltinModule.
  const { getBuiltinModule } = process as { getBuiltinModule?(id: string): object | undefined };
  const module = getBuiltinModule?.call(process, "node:sqlite");
  if (module !== undefined) return module as SqliteModule;
  throw new SqliteError(
    "open",
    path,
    "unsupported",
    "this runtime has no node:sqlite: Node.js has it from 22.13 on (from 22.5 on with --experimental-sqlite), " +
      `Deno from 2.2 on, Bun from 1.4 on; this is ${process.version}`,
  );
}

function prepareFile(database: Database, path: string, maxBytes: number): void {
  // Held from the first reading to the end, and let go by the operating system where the process is killed.
  run(database, "PRAGMA busy_timeout = 0", "PRAGMA locking_mode = EXCLUSIVE");
  const version = checkedVersion(database, path);
  // Of a file that is there already it says nothing.
  run(database, `PRAGMA page_size = ${PAGE_BYTES}`);
  run(
    database,
    "PRAGMA journal_mode = WAL",
    // In a write-ahead log this loses nothing when the process dies; when the machine does, perhaps the last steps.
    "PRAGMA synchronous = NORMAL",
    `PRAGMA wal_autocheckpoint = ${Math.floor(LOG_BYTES / pragma(database, "page_size"))}`,
    `PRAGMA cache_size = -${CACHE_KIB}`,
  );
  if (maxBytes !== Number.POSITIVE_INFINITY) {
    const pages = Math.max(1, Math.floor(maxBytes / pragma(database, "page_size")));
    run(database, `PRAGMA max_page_count = ${pages}`);
  }
  // Also where there is nothing to do: a file that may not be written to is found out now.
  run(database, "BEGIN IMMEDIATE", ...changesSince(version), "COMMIT");
}

/** One by one, and not by the method `exec`: Deno's tells of a fault without its result code. */
function run(database: Database, ...statements: readonly string[]): void {
  for (const statement of statements) database.prepare(statement).get();
}

/** What makes a file of a version, or one in which there is nothing yet, one of this version. */
function changesSince(version: number | undefined): readonly string[] {
  if (version === SCHEMA_VERSION) return [];
  const marks = [`PRAGMA application_id = ${APPLICATION_ID}`, `PRAGMA user_version = ${SCHEMA_VERSION}`];
  return [...(version === undefined ? SCHEMA : UPGRADE), ...marks];
}

/** The version of what is in the file; `undefined` where there is nothing yet. */
function checkedVersion(database: Database, path: string): number | undefined {
  const applicationId = pragma(database, "application_id");
  const version = pragma(database, "user_version");
  if (applicationId === 0 && version === 0 && pragma(database, "schema_version") === 0) return undefined;
  if (applicationId !== APPLICATION_ID) {
    throw new SqliteError("open", path, "foreign", "it is a database of another program");
  }
  if (version > SCHEMA_VERSION) {
    const why = `a newer version of Dragline wrote it: its form is ${version}, and this one knows up to ${SCHEMA_VERSION}`;
    throw new SqliteError("open", path, "newer", why);
  }
  return version;
}

function pragma(database: Database, name: string): number {
  const row = database.prepare(`PRAGMA ${name}`).get() as Readonly<Record<string, number>>;
  return row[name]!;
}
