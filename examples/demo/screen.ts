import process from "node:process";

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** How a piece of text looks. */
export type Look = keyof typeof CODES;

// https://no-color.org: set and not empty means none.
const coloured = process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";

/** The text in its look, on a terminal that wants colour; the bare text everywhere else. */
export function paint(look: Look, text: string): string {
  return coloured ? `\x1b[${CODES[look]}m${text}\x1b[0m` : text;
}

/** A line of columns: each but the last one is padded to its width before it is painted. */
export function row(...cells: readonly (readonly [text: string, width: number, look?: Look])[]): string {
  return cells
    .map(([text, width, look]) => (look ? paint(look, text.padEnd(width)) : text.padEnd(width)))
    .join("  ")
    .trimEnd();
}

/** Seconds for reading: `0.25 s`, `12.40 s`. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
