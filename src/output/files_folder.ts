import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { boolean, refuseUnknown, wrongType } from "../option_rules.ts";
import type { Page } from "../page.ts";
import { canonicalKey } from "../web/url.ts";
import { fileNameOf } from "./file_name.ts";
import { FileNames } from "./file_names.ts";
import { codeOf, diskError, onDisk } from "./files_error.ts";
import { Manifest, type ManifestEntry } from "./files_manifest.ts";
import { writeAll } from "./files_partial.ts";
import { withAbsoluteLinks, withLocalLinks } from "./offline_links.ts";
import type { ResultSink } from "./result_sink.ts";

const MANIFEST = "index.jsonl";
const PARTIAL = ".partial";

interface SavedFile {
  readonly file: string;
  readonly offline: boolean;
}

/** Options of `toFiles`. */
export interface FilesOptions {
  /**
   * Whether HTML is saved to be read offline: as UTF-8, links between saved pages relative, all others absolute.
   * Default `false`: every file is the octets of its page.
   */
  readonly offline?: boolean;
}

/** @throws {TypeError} where an option is of the wrong kind, naming it */
export function folderSink(path: string, options: FilesOptions): ResultSink {
  refuseUnknown("", options, { offline: true });
  const { offline = false } = options;
  boolean("offline", offline);
  if (typeof path !== "string" || path === "") throw wrongType("folder", "the path of a folder", path);
  let folder: Folder;
  return {
    async start() {
      folder = await Folder.open(path, offline);
    },
    async write(result) {
      if (result.type === "page") await folder.add(result);
    },
    close: () => folder.finish(),
    abort: () => folder.leave(),
  };
}

/** Pages as files below a folder, with their manifest. */
class Folder {
  readonly #path: string;
  readonly #offline: boolean;
  readonly #names: FileNames = new FileNames();
  // By canonical key. One entry a page that was saved, here and in runs before; the same for what redirected to one.
  readonly #files = new Map<string, SavedFile>();
  readonly #redirects = new Map<string, SavedFile>();
  // The manifest is open as long as the folder is.
  #manifest!: Manifest;

  private constructor(path: string, offline: boolean) {
    this.#path = path;
    this.#offline = offline;
    this.#names.hold("", MANIFEST);
    this.#names.hold("", PARTIAL);
  }

  /** @throws {Error} naming the step and the path */
  static async open(path: string, offline: boolean): Promise<Folder> {
    const folder = new Folder(path, offline);
    await onDisk("make the folder", path, () => mkdir(path, { recursive: true }));
    folder.#manifest = await Manifest.open(join(path, MANIFEST), (entry) => {
      if (entry.file !== undefined) folder.#names.hold(canonicalKey(entry.url), entry.file);
      folder.#note(entry);
    });
    return folder;
  }

  /** Saves a page, where it is one to save, and lists it. The folder is closed where that fails. */
  async add(page: Page): Promise<void> {
    try {
      await this.#manifest.add(page.ok ? await this.#save(page) : entryOf(page));
    } catch (error) {
      // Nobody closes a stream that has errored.
      await this.leave().catch(ignore);
      throw error;
    }
  }

  /** Sees to the links, and closes the folder. */
  async finish(): Promise<void> {
    try {
      if (this.#offline) await this.#makeLinksLocal();
    } finally {
      await this.leave();
    }
  }

  /** Closes the folder as it is. */
  leave(): Promise<void> {
    return this.#manifest.close();
  }

  async #save(page: Page): Promise<ManifestEntry> {
    const key = canonicalKey(page.url);
    const file = this.#files.get(key)?.file ?? this.#names.claim(key, fileNameOf(page.url, page.contentType));
    const isRewritten = this.#offline && isMarkup(page.contentType);
    const octets = isRewritten ? new TextEncoder().encode(withAbsoluteLinks(page.text, page.url)) : page.body;
    await this.#write(file, octets);
    const entry: ManifestEntry = {
      ...entryOf(page),
      file,
      bytes: octets.length,
      ...(isRewritten && { offline: true }),
    };
    this.#note(entry);
    return entry;
  }

  /** Keeps what later pages and the links need of an entry. */
  #note({ url, file, redirects = [], offline }: ManifestEntry): void {
    if (file === undefined) return;
    const saved = { file, offline: offline === true };
    this.#files.set(canonicalKey(url), saved);
    for (const redirect of redirects) this.#redirects.set(canonicalKey(redirect), saved);
  }

  /** Puts a whole file in place, or leaves what was there. */
  async #write(file: string, octets: Uint8Array): Promise<void> {
    const path = join(this.#path, file);
    const partial = join(this.#path, PARTIAL);
    await onDisk("make the folder", dirname(path), () => mkdir(dirname(path), { recursive: true }));
    const handle = await onDisk("open", partial, () => open(partial, "w"));
    await onDisk("write", partial, () => writeAll(handle, octets).finally(() => handle.close()));
    await onDisk("put in place", path, () => rename(partial, path));
  }

  async #makeLinksLocal(): Promise<void> {
    const fileOf = (key: string): string | undefined =>
      (this.#files.get(key) ?? this.#redirects.get(key))?.file;
    for (const { file, offline } of this.#files.values()) {
      if (!offline) continue;
      const html = await readExisting(join(this.#path, file));
      const local = html && withLocalLinks(html, file, fileOf);
      if (local && local !== html) await this.#write(file, new TextEncoder().encode(local));
    }
  }
}

/** `undefined` where somebody took the file away. */
async function readExisting(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw diskError("read", path, error);
  }
}

function isMarkup(contentType: string | undefined): boolean {
  return contentType === "text/html" || contentType === "application/xhtml+xml";
}

function entryOf({ url, status, contentType, timings, redirects }: Page): ManifestEntry {
  return {
    url,
    status,
    ...(contentType !== undefined && { type: contentType }),
    startedAt: new Date(timings.startedAtMs).toISOString(),
    ...(redirects.length > 0 && { redirects: redirects.map((redirect) => redirect.url) }),
  };
}

function ignore(): void {}
