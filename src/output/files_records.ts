import { csvParseRows } from "d3-dsv";
import { refuseUnknown } from "../option_rules.ts";
import type { CrawlResult } from "../result.ts";
import { type CsvOptions, csvFormat, csvRow } from "./csv.ts";
import { type FileLine, readLines } from "./files_lines.ts";
import { checkPath, type Existing, type Kept, PartialFile } from "./files_partial.ts";
import { type JsonLinesOptions, jsonLine } from "./jsonl.ts";
import { checkFields, DEFAULT_FIELDS, type RecordField, recordOf } from "./result_record.ts";
import type { ResultSink } from "./result_sink.ts";

/** Options of {@link toJsonLinesFile}. */
export interface JsonLinesFileOptions extends JsonLinesOptions {
  /**
   * `"continue"` goes on with a file that is there: results whose `type` and `url` it has already are not written
   * again. `"replace"` writes a new one. Default `"continue"`.
   */
  readonly existing?: Existing;
}

/** Options of {@link toCsvFile}. */
export interface CsvFileOptions extends CsvOptions {
  /**
   * `"continue"` goes on with a file that is there: results whose `type` and `url` it has already are not written
   * again, and its first row must be the one that would be written. `"replace"` writes a new one. Default
   * `"continue"`.
   */
  readonly existing?: Existing;
}

/**
 * Writes a crawl's results to a file as `toJsonLines` makes them.
 *
 * The file is `<path>.partial` until the crawl has ended, and `path` from then on. When the crawl is aborted or the
 * process killed, it stays where it is, and the next run goes on behind its last whole line. What one run has from
 * others is told by `type` and `url`, where `fields` has them; within one run every result is written. A result
 * counts as read when its line is written, so that a resumed crawl loses none; a slow disk slows the crawl.
 *
 * @throws {TypeError} at once, where an option or a field is none, naming it
 * @throws {Error} (the stream errors) naming the step and the path, where the disk is full or refuses; what was
 * written before stays whole
 *
 * @example
 * ```ts
 * import { crawl } from "dragline";
 * import { toJsonLinesFile } from "dragline/files";
 *
 * await crawl("https://example.com/", { results: "all" }).pipeTo(toJsonLinesFile("crawl.jsonl"));
 * ```
 */
export function toJsonLinesFile(
  path: string,
  options: JsonLinesFileOptions = {},
): WritableStream<CrawlResult> {
  return new WritableStream(jsonLinesFileSink(path, options));
}

/** @throws {TypeError} where an option or a field is none, naming it */
export function jsonLinesFileSink(path: string, options: JsonLinesFileOptions): ResultSink {
  refuseUnknown("", options, { fields: true, existing: true });
  const { fields = DEFAULT_FIELDS, existing = "continue" } = options;
  checkFields(fields);
  return recordFileSink({
    path,
    existing,
    format: {
      encode(result) {
        const record = recordOf(result, fields);
        return { record: jsonLine(record), key: jsonKey(record, fields) };
      },
      keyOf: (text) => jsonKey(parsed(text), fields),
    },
  });
}

/**
 * Writes a crawl's results to a file as `toCsv` makes them; all else is as with {@link toJsonLinesFile}.
 *
 * @throws {TypeError} at once, where an option or a field is none, naming it
 * @throws {Error} (the stream errors) naming the step and the path, where the disk is full or refuses, or the file that
 * is there has other columns
 *
 * @example
 * ```ts
 * import { crawl } from "dragline";
 * import { toCsvFile } from "dragline/files";
 *
 * await crawl("https://example.com/").pipeTo(toCsvFile("pages.csv", { fields: ["url", "status", "title"] }));
 * ```
 */
export function toCsvFile(path: string, options: CsvFileOptions = {}): WritableStream<CrawlResult> {
  return new WritableStream(csvFileSink(path, options));
}

/** @throws {TypeError} where an option or a field is none, naming it */
export function csvFileSink(path: string, options: CsvFileOptions): ResultSink {
  const { existing = "continue", ...csvOptions } = options;
  const { fields, header, cells } = csvFormat(csvOptions);
  return recordFileSink({
    path,
    existing,
    format: {
      ...(header !== undefined && { header: csvRow(header) }),
      quotes: true,
      encode(result) {
        const row = cells(result);
        return { record: csvRow(row), key: keyOfValues(row, fields) };
      },
      keyOf: (text) => keyOfValues(csvParseRows(text)[0] ?? [], fields),
    },
  });
}

/** How results stand in a file, one a line. */
interface FileFormat {
  /** The first line. */
  readonly header?: string;
  /** Whether a line may hold line feeds within quotes. */
  readonly quotes?: boolean;
  /** A result as a line, and by what it is known again; `undefined` for what is always written. */
  encode(result: CrawlResult): { readonly record: string; readonly key: string | undefined };
  /** By what a line that is there is known. */
  keyOf(text: string): string | undefined;
}

interface RecordFile {
  readonly path: string;
  readonly existing: Existing;
  readonly format: FileFormat;
}

function recordFileSink({ path, existing, format }: RecordFile): ResultSink {
  checkPath(path, existing);
  // What the file had when it was opened. One entry a line; it goes with the stream.
  const known = new Set<string>();
  let file: PartialFile;
  return {
    async start() {
      const inspect = (found: string, isFinished: boolean) => inspectLines(found, isFinished, format, known);
      file = await PartialFile.open({ path, existing, inspect });
      if (file.bytes === 0 && format.header !== undefined) await file.append(format.header);
    },
    async write(result) {
      const { record, key } = format.encode(result);
      if (key === undefined || !known.has(key)) await file.append(record);
    },
    close: () => file.finish(),
    abort: () => file.leave(),
  };
}

/** Reads the lines that are there, and says how far they are whole. */
async function inspectLines(
  path: string,
  isFinished: boolean,
  format: FileFormat,
  known: Set<string>,
): Promise<Kept> {
  let bytes = 0;
  let isFirst = true;
  for await (const line of readLines(path, { quotes: format.quotes === true })) {
    // Who finished the file meant its last line, line feed or none.
    if (!line.isEnded && !isFinished) return { bytes };
    if (isFirst && format.header !== undefined) checkHeader(path, line, format.header);
    else noteKey(known, format.keyOf(line.text));
    isFirst = false;
    bytes = line.end;
    if (!line.isEnded) return { bytes, missing: "\n" };
  }
  return { bytes };
}

function noteKey(known: Set<string>, key: string | undefined): void {
  if (key !== undefined) known.add(key);
}

function checkHeader(path: string, { text }: FileLine, header: string): void {
  const expected = header.trimEnd();
  if (text === expected) return;
  throw new Error(
    `Cannot continue '${path}' as its first row is '${text.slice(0, 200)}': expected '${expected}'`,
  );
}

/** What a line says; `undefined` where it is no JSON. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function jsonKey(record: unknown, fields: readonly RecordField[]): string | undefined {
  if (typeof record !== "object" || record === null) return undefined;
  const values = new Map<string, unknown>(Object.entries(record));
  return keyOfValues(
    fields.map((field) => values.get(field)),
    fields,
  );
}

function keyOfValues(values: readonly unknown[], fields: readonly RecordField[]): string | undefined {
  const url = fields.indexOf("url");
  if (url < 0 || typeof values[url] !== "string") return undefined;
  const type = fields.indexOf("type");
  return type < 0 ? values[url] : `${values[type]} ${values[url]}`;
}
