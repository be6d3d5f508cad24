import { type ResultRecord, recordOf } from "../output/result_record.ts";
import type { CrawlResult } from "../result.ts";

// What a page says may be of any length, and stands in memory for everybody who watches.
const MAX_TEXT_LENGTH = 300;
const MAX_URL_LENGTH = 2000;

/** A result as those who watch are told: what its record says, its long texts cut. */
export function toldResult(result: CrawlResult): ResultRecord {
  const record = recordOf(result, FIELDS[result.type]);
  return {
    ...record,
    url: cut(record.url ?? "", MAX_URL_LENGTH),
    ...(record.title !== undefined && { title: cut(record.title, MAX_TEXT_LENGTH) }),
    ...(record.detail !== undefined && { detail: cut(record.detail, MAX_TEXT_LENGTH) }),
    ...(record.referrer !== undefined && { referrer: cut(record.referrer, MAX_URL_LENGTH) }),
  };
}

const FIELDS = {
  page: ["url", "status", "title", "contentType", "bytes", "depth", "referrer", "responseMs", "tag"],
  failure: ["url", "reason", "detail", "attempts", "status", "depth", "referrer", "tag"],
  skip: ["url", "reason", "detail", "status", "depth", "referrer", "tag"],
} as const;

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
