import { onDisk } from "../output/files_error.ts";
import { readLines } from "../output/files_lines.ts";
import { exists } from "../output/files_partial.ts";
import type { ResultSink } from "../output/result_sink.ts";
import type { ValidatorStore, Validators } from "../validators.ts";
import { writeWholeFile } from "./whole_file.ts";

/** A line of the file. */
interface KnownPage extends Validators {
  readonly key: string;
}

/**
 * Keeps by what pages can be asked whether they have changed, from one crawl to the next: JSON Lines, read before the
 * crawl and written in one step after it, however it ends. It is opened and closed as an output, and takes no results.
 */
export class KnownPages implements ValidatorStore, ResultSink {
  readonly #path: string;
  /** One entry a page that says by what it can be asked, in this crawl and those before. */
  readonly #pages = new Map<string, Validators>();

  constructor(path: string) {
    this.#path = path;
  }

  get(key: string): Validators | undefined {
    return this.#pages.get(key);
  }

  set(key: string, validators: Validators): void {
    this.#pages.set(key, validators);
  }

  /** @throws {Error} naming the line that is none of such a file */
  async start(): Promise<void> {
    const path = this.#path;
    if (!(await onDisk("look for", path, () => exists(path)))) return;
    let number = 0;
    for await (const { text } of readLines(path)) {
      number++;
      const { key, ...validators } = knownPage(text) ?? {};
      if (key === undefined) {
        throw new Error(`Cannot read '${path}' as line ${number} is not what --revalidate writes`);
      }
      this.#pages.set(key, validators as Validators);
    }
  }

  async write(): Promise<void> {}

  async close(): Promise<void> {
    let text = "";
    for (const [key, validators] of this.#pages) text += `${JSON.stringify({ key, ...validators })}\n`;
    await writeWholeFile(this.#path, text);
  }

  /** What was learnt is true whatever became of the crawl. */
  abort(): Promise<void> {
    return this.close();
  }
}

/** `undefined` for what is none. */
function knownPage(line: string): KnownPage | undefined {
  try {
    const value = JSON.parse(line) as Partial<KnownPage> | null;
    return typeof value?.key === "string" && Array.isArray(value.links) ? (value as KnownPage) : undefined;
  } catch {
    return undefined;
  }
}
