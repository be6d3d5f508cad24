import type { Output } from "../../src/cli/output.ts";

/** An output that keeps what was written. */
export class RecordedOutput implements Output {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly #lineLimit: number;
  text = "";

  /** With `lineLimit` the reader goes away after so many lines, as `head` does. */
  constructor(kind: { isTerminal?: boolean; columns?: number; lineLimit?: number } = {}) {
    this.isTerminal = kind.isTerminal ?? false;
    this.columns = kind.columns ?? 80;
    this.#lineLimit = kind.lineLimit ?? Number.POSITIVE_INFINITY;
  }

  write(text: string): Promise<boolean> {
    if (this.lines.length >= this.#lineLimit) return Promise.resolve(false);
    this.text += text;
    return Promise.resolve(true);
  }

  get lines(): string[] {
    return this.text.split("\n").slice(0, -1);
  }

  /** What a terminal would show, where "erase the line" is the only sequence. */
  get screen(): string[] {
    return this.text.split("\n").map((line) => line.split("\r\x1b[2K").at(-1) ?? "");
  }
}
