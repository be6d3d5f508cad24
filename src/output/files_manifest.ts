import { type FileHandle, open, truncate } from "node:fs/promises";
import { onDisk } from "./files_error.ts";
import { readLines } from "./files_lines.ts";
import { exists, writeAll } from "./files_partial.ts";

/** One line of the manifest: a page, and where it was saved. */
export interface ManifestEntry {
  /** The page's final URL. */
  readonly url: string;
  /** Its file, as a path below the folder with `/` between the names; none where the page was not saved. */
  readonly file?: string;
  readonly status: number;
  /** The media type, when it is known. */
  readonly type?: string;
  /** The length of the file as it was first written. */
  readonly bytes?: number;
  /** When the page was asked for: ISO 8601, in UTC. */
  readonly startedAt: string;
  /** URLs that redirected to the page, oldest first. */
  readonly redirects?: readonly string[];
  /** Whether its links were made to be read offline. */
  readonly offline?: true;
}

/** The list of a folder's pages: JSON Lines, to which each page adds one. */
export class Manifest {
  readonly #path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /**
   * Opens a manifest to add to it, and hands each entry that it has to `visit`, in order. A last line that a kill tore
   * is cut off.
   *
   * @throws {Error} naming the path, and the line where one is no entry
   */
  static async open(path: string, visit: (entry: ManifestEntry) => void): Promise<Manifest> {
    if (await onDisk("look for", path, () => exists(path))) {
      const bytes = await readEntries(path, visit);
      await onDisk("cut the torn end off", path, () => truncate(path, bytes));
    }
    return new Manifest(path, await onDisk("open", path, () => open(path, "a")));
  }

  /** @throws {Error} naming the path; the manifest is closed then */
  async add(entry: ManifestEntry): Promise<void> {
    const line = new TextEncoder().encode(`${JSON.stringify(entry)}\n`);
    await onDisk("write", this.#path, () => writeAll(this.#handle, line));
  }

  close(): Promise<void> {
    return onDisk("write", this.#path, () => this.#handle.close());
  }
}

/** The octets up to the end of the last whole line. */
async function readEntries(path: string, visit: (entry: ManifestEntry) => void): Promise<number> {
  let bytes = 0;
  let number = 0;
  for await (const { text, end, isEnded } of readLines(path)) {
    if (!isEnded) break;
    visit(entryOf(text, path, ++number));
    bytes = end;
  }
  return bytes;
}

function entryOf(line: string, path: string, number: number): ManifestEntry {
  let entry: Partial<ManifestEntry> | null = null;
  try {
    entry = JSON.parse(line);
  } catch {
    // Told below, as anything else that is no entry.
  }
  const isEntry =
    typeof entry?.url === "string" &&
    URL.canParse(entry.url) &&
    (entry.file === undefined || isInside(entry.file));
  if (isEntry) return entry as ManifestEntry;
  throw new Error(
    `Cannot go on with '${path}' as line ${number} is no page that was saved: '${line.slice(0, 200)}'`,
  );
}

/** Whether a path stays below the folder: a manifest may come from a stranger. */
function isInside(file: unknown): boolean {
  if (typeof file !== "string" || /[\\:\0]/.test(file)) return false;
  return file.split("/").every((name) => name !== "" && name !== "." && name !== "..");
}
