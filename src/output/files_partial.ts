import { type FileHandle, open, rename, stat, truncate } from "node:fs/promises";
import { oneOf, wrongType } from "../option_rules.ts";
import { codeOf, onDisk } from "./files_error.ts";

/** What becomes of a file that is there already, or was left unfinished: see {@link PartialFile}. */
export type Existing = "continue" | "replace";

/** How much of a file that is there is kept: the octets of its whole records, and what is still missing behind them. */
export interface Kept {
  readonly bytes: number;
  readonly missing?: string;
}

/** What a partial file is made of. */
export interface PartialFileOptions {
  readonly path: string;
  readonly existing: Existing;
  /** Reads what is to be continued. `isFinished`: whether it bears its final name, and so was not cut by a kill. */
  readonly inspect: (path: string, isFinished: boolean) => Promise<Kept>;
}

/**
 * A file that grows record by record under the name `<path>.partial`, and gets its own when it is finished. So `path`
 * is always a whole file; and what a process left behind, however it ended, is found under the other name.
 *
 * `continue` goes on with either of the two, from its last whole record; `replace` begins anew, and a file at `path`
 * stays as it is until the new one is finished.
 */
export class PartialFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  #bytes: number;

  private constructor(path: string, handle: FileHandle, bytes: number) {
    this.#path = path;
    this.#handle = handle;
    this.#bytes = bytes;
  }

  /** @throws {Error} naming the step and the path */
  static async open({ path, existing, inspect }: PartialFileOptions): Promise<PartialFile> {
    const partial = partialPath(path);
    const found = existing === "continue" ? await findExisting(path) : undefined;
    const kept = found === undefined ? { bytes: 0 } : await inspect(found, found === path);
    if (found === path) await onDisk("take up again", path, () => rename(path, partial));
    if (found !== undefined)
      await onDisk("cut the torn end off", partial, () => truncate(partial, kept.bytes));
    const flags = found === undefined ? "w" : "a";
    const handle = await onDisk("open", partial, () => open(partial, flags));
    const file = new PartialFile(path, handle, kept.bytes);
    if (kept.missing !== undefined) await file.append(kept.missing);
    return file;
  }

  /** Octets so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a record. Where that fails, what was written of it is cut off again and the file is closed. */
  async append(record: string | Uint8Array): Promise<void> {
    const octets = typeof record === "string" ? new TextEncoder().encode(record) : record;
    const partial = partialPath(this.#path);
    try {
      await onDisk("write", partial, () => writeAll(this.#handle, octets));
    } catch (error) {
      // Best effort: the next run cuts a torn end off too.
      await this.#handle.truncate(this.#bytes).catch(ignore);
      await this.#handle.close().catch(ignore);
      throw error;
    }
    this.#bytes += octets.length;
  }

  /** Gives the file its own name, when all of it is on the disk. */
  async finish(): Promise<void> {
    const partial = partialPath(this.#path);
    await onDisk("write", partial, async () => {
      await this.#handle.sync();
      await this.#handle.close();
    });
    await onDisk("finish", this.#path, () => rename(partial, this.#path));
  }

  /** Leaves the file unfinished, to be continued. */
  async leave(): Promise<void> {
    await onDisk("write", partialPath(this.#path), () => this.#handle.close());
  }
}

/** @throws {TypeError} naming the option that is none */
export function checkPath(path: string, existing: Existing): void {
  if (typeof path !== "string" || path === "") throw wrongType("path", "the path of a file", path);
  oneOf("existing", existing, ["continue", "replace"]);
}

/** Writes all of it, in as many steps as the system likes. */
export async function writeAll(handle: FileHandle, octets: Uint8Array): Promise<void> {
  for (let at = 0; at < octets.length; ) {
    at += (await handle.write(octets, at, octets.length - at)).bytesWritten;
  }
}

/** Whether there is something at a path. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

function partialPath(path: string): string {
  return `${path}.partial`;
}

async function findExisting(path: string): Promise<string | undefined> {
  const partial = partialPath(path);
  const isFinished = await onDisk("look for", path, () => exists(path));
  const isPartial = await onDisk("look for", partial, () => exists(partial));
  if (isFinished && isPartial) {
    throw new Error(
      `Cannot continue '${path}' as '${partial}' is there too: remove the one that is not wanted, or ask for 'existing: "replace"'`,
    );
  }
  return isFinished ? path : isPartial ? partial : undefined;
}

function ignore(): void {}
