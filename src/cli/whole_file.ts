import { open, readFile, rename } from "node:fs/promises";
import { codeOf, diskError, onDisk } from "../output/files_error.ts";
import { writeAll } from "../output/files_partial.ts";

/** Puts a file in place in one step: whoever reads it meanwhile sees the one before. */
export async function writeWholeFile(path: string, text: string): Promise<void> {
  const partial = `${path}.partial`;
  const handle = await onDisk("open", partial, () => open(partial, "w"));
  await onDisk("write", partial, async () => {
    try {
      await writeAll(handle, new TextEncoder().encode(text));
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
  await onDisk("finish", path, () => rename(partial, path));
}

/** The text of a file; `undefined` where there is none. */
export async function readWholeFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw diskError("read", path, error);
  }
}
