import { addressBase, problem, quote, type SitemapItem } from "./sitemap_entries.ts";

const MAX_LINE_CHARS = 65_536;

/** Reads a sitemap in plain text, which arrives in pieces: one absolute address a line. */
export class LineReader {
  readonly isFinished: boolean = false;
  #base = addressBase("");
  #line: string[] = [];
  #lineChars = 0;
  #isEmpty = true;

  /** The items of the lines that are complete now. */
  write(text: string): SitemapItem[] {
    const [head = "", ...rest] = text.split(/[\r\n]/);
    this.#add(head);
    const items: SitemapItem[] = [];
    for (const line of rest) {
      items.push(...this.#takeLine());
      this.#add(line);
    }
    return items;
  }

  /** The last line, which may lack its end. */
  end(): SitemapItem[] {
    const items = this.#takeLine();
    return this.#isEmpty && items.length === 0 ? [problem("the file is empty")] : items;
  }

  #add(part: string): void {
    this.#lineChars += part.length;
    if (this.#lineChars <= MAX_LINE_CHARS) this.#line.push(part);
  }

  #takeLine(): SitemapItem[] {
    const line = this.#line.join("").trim();
    const isTooLong = this.#lineChars > MAX_LINE_CHARS;
    this.#line = [];
    this.#lineChars = 0;
    if (line === "" && !isTooLong) return [];
    const items = [
      isTooLong ? problem(`a line of more than ${MAX_LINE_CHARS} characters`) : this.#readLine(line),
    ];
    if (this.#isEmpty && items[0]?.type === "url") items.unshift({ type: "format", format: "text" });
    this.#isEmpty &&= items.at(-1)?.type !== "url";
    return items;
  }

  #readLine(line: string): SitemapItem {
    const url = /^https?:\/\//i.test(line) ? this.#base.resolve(line) : undefined;
    if (url === undefined) return problem(`not an address: ${quote(line)}`);
    return { type: "url", url, alternates: [], images: [] };
  }
}
