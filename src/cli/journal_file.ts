import { type FileHandle, open, rm, truncate } from "node:fs/promises";
import { onDisk } from "../output/files_error.ts";
import { readLines } from "../output/files_lines.ts";
import { exists, writeAll } from "../output/files_partial.ts";
import type { JsonValue } from "../request.ts";

/**
 * What a crawl notes as it goes, one JSON value a line, for a file that can only be made of all of it. It survives the
 * process however that ends: what was appended is there, and a torn last line is cut off.
 */
export class JournalFile {
  readonly #path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /**
   * @param existing `"replace"` forgets what is there
   * @throws {Error} naming the step and the path
   */
  static async open(path: string, existing: "continue" | "replace"): Promise<JournalFile> {
    const isThere = existing === "continue" && (await onDisk("look for", path, () => exists(path)));
    if (isThere) await cutTornEnd(path);
    const handle = await onDisk("open", path, () => open(path, isThere ? "a" : "w"));
    return new JournalFile(path, handle);
  }

  async append(value: JsonValue): Promise<void> {
    const line = new TextEncoder().encode(`${JSON.stringify(value)}\n`);
    await onDisk("write", this.#path, () => writeAll(this.#handle, line));
  }

  /** All that was appended, in this run and before. */
  async *values(): AsyncGenerator<JsonValue> {
    for await (const { text } of readLines(this.#path)) yield JSON.parse(text) as JsonValue;
  }

  /** Keeps the file, for the next run. */
  close(): Promise<void> {
    return onDisk("write", this.#path, () => this.#handle.close());
  }

  /** Takes the file away, when what was made of it is in place. */
  async remove(): Promise<void> {
    await this.close();
    await onDisk("remove", this.#path, () => rm(this.#path, { force: true }));
  }
}

async function cutTornEnd(path: string): Promise<void> {
  let whole = 0;
  for await (const { end, isEnded } of readLines(path)) if (isEnded) whole = end;
  await onDisk("cut the torn end off", path, () => truncate(path, whole));
}
