/** A piece of a line in one colour. Its characters take one column each. */
export interface Span {
  readonly text: string;
  readonly colour?: "green" | "red" | "yellow" | "dim";
}

// ECMA-48 §8.3.117, Select Graphic Rendition.
const SGR: Readonly<Record<NonNullable<Span["colour"]>, number>> = { green: 32, red: 31, yellow: 33, dim: 2 };

/** A line of at most so many columns; the rest is cut off. */
export function lineText(spans: readonly Span[], columns: number, isColoured: boolean): string {
  let left = columns;
  let line = "";
  for (const { text, colour } of spans) {
    const shown = text.slice(0, Math.max(left, 0));
    left -= shown.length;
    line +=
      isColoured && colour !== undefined && shown !== "" ? `\x1b[${SGR[colour]}m${shown}\x1b[0m` : shown;
  }
  return line;
}

/** How many columns a line takes. */
export function lineColumns(spans: readonly Span[]): number {
  return spans.reduce((columns, { text }) => columns + text.length, 0);
}

/**
 * What takes drawn lines away, with the cursor at the end of the last one. Where the terminal has become narrower
 * since, a line may have become several.
 */
export function eraseText(widths: readonly number[], columns: number): string {
  const rows = widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / Math.max(columns, 1))), 0);
  return rows === 0 ? "" : `\r${rows > 1 ? `\x1b[${rows - 1}A` : ""}\x1b[J`;
}
