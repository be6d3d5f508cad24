import { digest, withMark } from "./file_name.ts";

/**
 * Which file belongs to which URL, so that none has two. Paths that some file system takes for the same count as
 * the same: those that differ only in case or in the form of Unicode.
 */
export class FileNames {
  // By folded path: the key of the URL whose file it is. One entry a file; they stay, as the files do.
  readonly #owners = new Map<string, string>();
  // Folded paths that are folders.
  readonly #folders = new Set<string>();

  /** Gives a path to a key: the first of `path` and its variants that is nobody else's. */
  claim(key: string, path: string): string {
    const free = this.#besideFiles(path);
    for (let n = 0; ; n++) {
      const candidate = n === 0 ? free : withMark(free, n === 1 ? digest(key) : `${digest(key)}-${n}`);
      if (this.#isFree(key, candidate)) return this.hold(key, candidate);
    }
  }

  /** Notes that a path is this key's, whatever was noted before. */
  hold(key: string, path: string): string {
    this.#owners.set(folded(path), key);
    for (const folder of foldersOf(path)) this.#folders.add(folded(folder));
    return path;
  }

  #isFree(key: string, path: string): boolean {
    const fold = folded(path);
    return !this.#folders.has(fold) && (this.#owners.get(fold) ?? key) === key;
  }

  /** The same path in folders of which none is a file: `/a` and `/a/b` may both be saved. */
  #besideFiles(path: string): string {
    const names = path.split("/");
    for (let depth = 1; depth < names.length; depth++) {
      while (this.#owners.has(folded(names.slice(0, depth).join("/")))) names[depth - 1] += "~";
    }
    return names.join("/");
  }
}

/** Case by the longest way round, so that `ß` and `SS`, `ſ` and `S` count as the same. */
function folded(path: string): string {
  return path.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

function foldersOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, i) => names.slice(0, i + 1).join("/"));
}
