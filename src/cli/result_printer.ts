import { csvFormat, csvRow } from "../output/csv.ts";
import type { RecordField } from "../output/files.ts";
import { jsonLine } from "../output/jsonl.ts";
import { checkFields, DEFAULT_FIELDS, recordOf } from "../output/result_record.ts";
import type { CrawlResult } from "../result.ts";
import { pageLine } from "./result_line.ts";
import { isTold } from "./sinks.ts";
import type { Wishes } from "./wishes.ts";

/** What goes to standard output. */
export interface ResultPrinter {
  /** What stands above all lines. */
  readonly header?: string;
  /** A result's line; `undefined` where it has none. */
  line(result: CrawlResult): string | undefined;
}

/**
 * What the wishes leave for standard output: one of the formats, or a list of the pages where no output is asked for.
 *
 * @throws {TypeError} where a field is none
 */
export function resultPrinter(wishes: Wishes): ResultPrinter {
  const { jsonl, csv, fields, out, warc, links, emails } = wishes;
  if (jsonl === "-") return jsonPrinter(fields ?? DEFAULT_FIELDS);
  if (csv === "-") return csvPrinter(fields);
  const isListed = [jsonl, csv, out, warc, links, emails].every((output) => output === undefined);
  return { line: (result) => (isListed && result.type === "page" ? pageLine(result) : undefined) };
}

function jsonPrinter(fields: readonly RecordField[]): ResultPrinter {
  checkFields(fields);
  return { line: (result) => (isTold(result) ? jsonLine(recordOf(result, fields)) : undefined) };
}

function csvPrinter(fields: readonly RecordField[] | undefined): ResultPrinter {
  const { header, cells } = csvFormat(fields === undefined ? {} : { fields });
  return {
    ...(header !== undefined && { header: csvRow(header) }),
    line: (result) => (isTold(result) ? csvRow(cells(result)) : undefined),
  };
}
