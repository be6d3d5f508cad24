import { csvRow } from "../output/csv.ts";

// What a spreadsheet would take for a formula: as with the results, an apostrophe before it makes it a text.
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A table as CSV (RFC 4180), its header first. */
export function csvTable(header: readonly string[], rows: Iterable<readonly string[]>): string {
  let text = csvRow(header);
  for (const row of rows) text += csvRow(row.map((cell) => (FORMULA.test(cell) ? `'${cell}` : cell)));
  return text;
}

/** The rows of what {@link csvTable} wrote, header and all; `undefined` where a quote is never closed. */
export function readCsvTable(text: string): string[][] | undefined {
  const rows: string[][] = [];
  let row: string[] = [];
  // A cell and what ends it: a comma, a line end or the end of the text.
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) return undefined;
    const [, quoted, plain = "", end] = match;
    row.push((quoted?.replaceAll('""', '"') ?? plain).replace(/^'(?=[=+\-@])/, ""));
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
