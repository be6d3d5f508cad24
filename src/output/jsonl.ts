import { refuseUnknown } from "../option_rules.ts";
import type { CrawlResult } from "../result.ts";
import {
  checkFields,
  DEFAULT_FIELDS,
  type RecordField,
  type ResultRecord,
  recordOf,
} from "./result_record.ts";

/** Options of {@link toJsonLines}. */
export interface JsonLinesOptions {
  /** What each line tells, in this order. Default: all but `charset`, `links`, `headers`, `text` and `body`. */
  readonly fields?: readonly RecordField[];
}

/**
 * Makes JSON Lines of a crawl's results: one object a result and a line feed after each, with the fields of
 * {@link ResultRecord}. A value that is not there has no key.
 *
 * The line separators of Unicode (U+0085, U+2028, U+2029) are escaped, so that a line is one for every reader.
 *
 * A slow reader of the lines slows the crawl (in workerd from the compatibility date 2024-12-16 on). The crawl is one
 * result ahead of it: the last line that it was given counts as read already. Where a crawl is to be resumed,
 * `toJsonLinesFile` of `dragline/files` loses none.
 *
 * @throws {TypeError} at once, where an option or a field is none, naming it
 *
 * @example
 * ```ts
 * import { crawl, toJsonLines } from "dragline";
 *
 * const lines = crawl("https://example.com/", { results: "all" }).pipeThrough(
 *   toJsonLines({ fields: ["type", "url", "status", "links"] }),
 * );
 * for await (const line of lines) console.log(line.trimEnd());
 * ```
 */
export function toJsonLines(options: JsonLinesOptions = {}): TransformStream<CrawlResult, string> {
  refuseUnknown("", options, { fields: true });
  const { fields = DEFAULT_FIELDS } = options;
  checkFields(fields);
  return new TransformStream({
    transform: (result, controller) => controller.enqueue(jsonLine(recordOf(result, fields))),
  });
}

/** A record as one line, its line feed included. */
export function jsonLine(record: ResultRecord): string {
  // Python's splitlines(), JavaScript before 2019 and others end a line there; JSON itself allows them in a string.
  const json = JSON.stringify(record).replace(/[\x85\u2028\u2029]/g, (separator) => {
    return `\\u${separator.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `${json}\n`;
}
