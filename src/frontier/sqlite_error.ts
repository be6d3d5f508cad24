/** What may be wrong with a store in a file. */
export type SqliteErrorCode =
  /** The runtime has no SQLite. */
  | "unsupported"
  /** Another process, or another crawl of this one, has the file open. */
  | "in-use"
  /** There is no such folder, or nothing may be opened there. */
  | "cannot-open"
  /** The file may not be written to. */
  | "read-only"
  /** The disk is full, or the file has come to its `maxBytes`. */
  | "full"
  /** The file is no database of SQLite. */
  | "not-a-database"
  /** The file is a database of another program. */
  | "foreign"
  /** The file was written by a newer version of Dragline. */
  | "newer"
  /** The file is a store, and what is in it makes no sense. */
  | "damaged"
  /** The disk, or what stands between it and the file, reports a fault of its own. */
  | "io";

/** A store in a file that cannot be opened, or can be used no further. What was acknowledged before is in the file. */
export class SqliteError extends Error {
  override readonly name = "SqliteError";
  readonly code: SqliteErrorCode;
  readonly path: string;

  /** `action`: what could not be done, as in "open" or "write to". */
  constructor(action: string, path: string, code: SqliteErrorCode, why: string, cause?: unknown) {
    super(`Cannot ${action} '${path}' as ${why}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.path = path;
  }
}

// https://www.sqlite.org/rescode.html: the primary result codes, and such of the extended ones as mean something else.
const FAULTS: Readonly<Record<number, readonly [code: SqliteErrorCode, why: string]>> = {
  // The file is ours by its header, and yet has not the tables that its version has.
  1: ["damaged", "it lacks a part of what a store has"],
  3: ["cannot-open", "it may not be opened"],
  5: ["in-use", "another process or crawl has it open"],
  6: ["in-use", "another process or crawl has it open"],
  8: ["read-only", "it may not be written to"],
  10: ["io", "the disk reports a fault"],
  11: ["damaged", "it is damaged"],
  13: ["full", "the disk is full, or the file has come to its most bytes"],
  14: ["cannot-open", "its folder is not there or may not be written to, or it is no file"],
  26: ["not-a-database", "it is not a database"],
  // SQLITE_IOERR_LOCK: a lock for writing needs a file that may be written to.
  3850: ["read-only", "it may not be written to, or its disk knows no locks"],
};

/** What SQLite said, as an error that names the file; what others threw, as it is. */
export function asSqliteError(error: unknown, action: string, path: string): unknown {
  if (!isFaultOfSqlite(error)) return error;
  // Deno tells of a file that it could not open without a result code.
  const { errcode = 14 } = error;
  const [code, why] = FAULTS[errcode] ?? FAULTS[errcode & 0xff] ?? ["io", "SQLite reports a fault"];
  return new SqliteError(action, path, code, `${why}: ${error.message}`, error);
}

function isFaultOfSqlite(error: unknown): error is Error & { errcode?: number } {
  return error instanceof Error && (error as { code?: unknown }).code === "ERR_SQLITE_ERROR";
}
