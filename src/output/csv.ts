import { csvFormatRow } from "d3-dsv";
import { boolean, refuseUnknown } from "../option_rules.ts";
import type { CrawlResult } from "../result.ts";
import { checkFields, type RecordField, type ResultRecord, recordOf } from "./result_record.ts";

/** Options of {@link toCsv}. */
export interface CsvOptions {
  /**
   * The columns, in this order. Default: `type`, `url`, `status`, `reason`, `detail`, `depth`, `referrer`,
   * `contentType`, `title`, `bytes`, `startedAt`, `responseMs`, `tag`.
   */
  readonly fields?: readonly RecordField[];
  /** Whether the first row names the columns. Default `true`. */
  readonly header?: boolean;
  /**
   * Whether a text that a spreadsheet would take for a formula gets an apostrophe before it: one that begins with
   * `=`, `+`, `-`, `@`, their full-width forms, a tab or a line break. What a page says of itself, say its title, is a
   * stranger's text. Default `true`; `false` where a program reads the file that wants each text as it is.
   */
  readonly formulaGuard?: boolean;
}

const DEFAULT_COLUMNS: readonly RecordField[] = [
  "type",
  "url",
  "status",
  "reason",
  "detail",
  "depth",
  "referrer",
  "contentType",
  "title",
  "bytes",
  "startedAt",
  "responseMs",
  "tag",
];

/**
 * Makes CSV of a crawl's results, as RFC 4180 has it: one row a result, each ended by CR LF, with the fields of
 * {@link ResultRecord} as columns. A value that is not there is an empty cell, a list of texts is joined by spaces,
 * any other list or object is JSON.
 *
 * A slow reader of the rows slows the crawl (in workerd from the compatibility date 2024-12-16 on). The crawl is one
 * result ahead of it: the last row that it was given counts as read already. Where a crawl is to be resumed,
 * `toCsvFile` of `dragline/files` loses none.
 *
 * @throws {TypeError} at once, where an option or a field is none, naming it
 *
 * @example
 * ```ts
 * import { crawl, toCsv } from "dragline";
 *
 * const rows = crawl("https://example.com/").pipeThrough(toCsv({ fields: ["url", "status", "title"] }));
 * for await (const row of rows) console.log(row.trimEnd());
 * ```
 */
export function toCsv(options: CsvOptions = {}): TransformStream<CrawlResult, string> {
  const format = csvFormat(options);
  return new TransformStream({
    start(controller) {
      if (format.header !== undefined) controller.enqueue(csvRow(format.header));
    },
    transform: (result, controller) => controller.enqueue(csvRow(format.cells(result))),
  });
}

/** A table of results, row by row. */
export interface CsvFormat {
  readonly fields: readonly RecordField[];
  /** `undefined` where none is wanted. */
  readonly header: readonly string[] | undefined;
  /** The cells of a result, before any quoting. */
  cells(result: CrawlResult): string[];
}

/** @throws {TypeError} where an option or a field is none, naming it */
export function csvFormat(options: CsvOptions): CsvFormat {
  refuseUnknown("", options, { fields: true, header: true, formulaGuard: true });
  const { fields = DEFAULT_COLUMNS, header = true, formulaGuard = true } = options;
  checkFields(fields);
  boolean("header", header);
  boolean("formulaGuard", formulaGuard);
  return {
    fields,
    header: header ? fields : undefined,
    cells(result) {
      const record = recordOf(result, fields);
      return fields.map((field) => cell(record[field], formulaGuard));
    },
  };
}

/** One row, CR and LF included. */
export function csvRow(cells: readonly string[]): string {
  const row = csvFormatRow([...cells]);
  // A row that is one empty cell would be an empty line, which readers pass over.
  return `${row === "" ? '""' : row}\r\n`;
}

// https://owasp.org/www-community/attacks/CSV_Injection; the full-width forms count where input is normalised.
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function cell(value: ResultRecord[RecordField], formulaGuard: boolean): string {
  if (value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : listText(value);
  return formulaGuard && FORMULA.test(text) ? `'${text}` : text;
}

function listText(value: object | null): string {
  const isList = Array.isArray(value) && value.every((each) => typeof each === "string");
  return isList ? value.join(" ") : JSON.stringify(value);
}
