import type { Output } from "../../src/cli/output.ts";

/** An output that keeps what was written. */
export class RecordedOutput implements Output {
  readonly isTerminal: boolean;
  columns: number;
  readonly isColoured: boolean;
  readonly #lineLimit: number;
  text = "";

  /** With `lineLimit` the reader goes away after so many lines, as `head` does. */
  constructor(
    kind: { isTerminal?: boolean; columns?: number; isColoured?: boolean; lineLimit?: number } = {},
  ) {
    this.isTerminal = kind.isTerminal ?? false;
    this.columns = kind.columns ?? 80;
    this.isColoured = kind.isColoured ?? false;
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

  /** What a terminal would show that wraps no lines. */
  get screen(): string[] {
    let rows = [""];
    let row = 0;
    let column = 0;
    for (const [piece] of this.text.matchAll(/\x1b\[\d*[A-Za-z]|\r|\n|[^\x1b\r\n]+/g)) {
      const [, count = "", command] = /^\x1b\[(\d*)([A-Za-z])$/.exec(piece) ?? [];
      if (command === "A") row = Math.max(0, row - Number(count));
      else if (command === "J") rows = [...rows.slice(0, row), (rows[row] ?? "").slice(0, column)];
      else if (piece === "\r") column = 0;
      else if (piece === "\n") {
        row++;
        column = 0;
        rows[row] ??= "";
      } else if (command === undefined) {
        const line = (rows[row] ?? "").padEnd(column);
        rows[row] = line.slice(0, column) + piece + line.slice(column + piece.length);
        column += piece.length;
      }
    }
    return rows;
  }
}
