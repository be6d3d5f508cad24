import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll } from "vitest";

function sqliteModule(): object | undefined {
  return (process as { getBuiltinModule?(id: string): object | undefined }).getBuiltinModule?.("node:sqlite");
}

/** Whether this runtime has SQLite; where not, a test says in its name what it would need. */
export const hasSqlite: boolean = sqliteModule() !== undefined;

/** Gives paths of files that are not there yet, in a folder that goes with the tests of the file. */
export function freshFiles(): () => string {
  const folder = mkdtempSync(join(tmpdir(), "dragline-sqlite-"));
  let files = 0;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => join(folder, `${++files}.db`);
}

/** Copies a store as it lies there now, as if its process had died; it is one that is open. */
export function copyAsLeft(path: string, copy: string): void {
  for (const end of ["", "-wal"]) writeFileSync(copy + end, readFileSync(path + end));
}

interface RawDatabase {
  exec(sql: string): void;
  close(): void;
}

/** The file as any other program would open it. */
export function rawDatabase(path: string): RawDatabase {
  const { DatabaseSync } = sqliteModule() as { DatabaseSync: new (path: string) => RawDatabase };
  return new DatabaseSync(path);
}
