import { access, constants, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, diskError, onDisk } from "../output/files_error.ts";
import { exists } from "../output/files_partial.ts";
import { OutputError } from "./usage_error.ts";
import type { Wishes } from "./wishes.ts";

type FileWish = "jsonl" | "csv" | "warc" | "links" | "emails" | "resume" | "revalidate";

const FILE_WISHES: readonly FileWish[] = ["jsonl", "csv", "warc", "links", "emails", "resume", "revalidate"];

/** What stands beside a file while it is written: behind its name, and in the store that SQLite keeps. */
const BESIDE = [".partial", ".journal", "-wal", "-shm"];

/** The files that a command writes, by their flags. */
function filesOf(wishes: Wishes): { readonly flag: string; readonly path: string }[] {
  return FILE_WISHES.flatMap((name) => {
    const path = wishes[name];
    return path === undefined || path === "-" ? [] : [{ flag: `--${name}`, path }];
  });
}

/**
 * Looks whether each file can be made or written, before anything is: its folder is there, and it is no folder itself.
 *
 * @throws {OutputError} naming the flag and the path
 */
export async function checkOutputPaths(wishes: Wishes): Promise<void> {
  for (const { flag, path } of filesOf(wishes)) {
    try {
      await checkFile(path);
    } catch (error) {
      throw new OutputError(`${flag}: ${(error as Error).message}`);
    }
  }
}

async function checkFile(path: string): Promise<void> {
  const folder = dirname(path);
  const there = await statIfThere(folder);
  if (there === undefined) throw new Error(`Cannot write '${path}': there is no folder '${folder}'`);
  if (!there.isDirectory()) throw new Error(`Cannot write '${path}': '${folder}' is a file and no folder`);
  await onDisk("write into", folder, () => access(folder, constants.W_OK));
  const found = await statIfThere(path);
  if (found === undefined) return;
  if (found.isDirectory()) throw new Error(`Cannot write '${path}': it is a folder`);
  await onDisk("write", path, () => access(path, constants.W_OK));
}

async function statIfThere(path: string): Promise<Awaited<ReturnType<typeof stat>> | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw diskError("look for", path, error);
  }
}

/**
 * Remembers which files are there. What it gives takes away those that have come since, and gives those their names
 * back that were taken up: for a command that cannot begin.
 */
export async function rememberFiles(wishes: Wishes): Promise<() => Promise<void>> {
  const paths = filesOf(wishes).map(({ path }) => path);
  const before = new Set<string>();
  const all = paths.flatMap((path) => [path, ...BESIDE.map((ending) => path + ending)]);
  for (const path of all) if (await exists(path)) before.add(path);
  return async () => {
    for (const path of paths) {
      if (before.has(path) && !(await exists(path))) await rename(`${path}.partial`, path);
    }
    for (const path of all) if (!before.has(path)) await rm(path, { force: true });
  };
}
