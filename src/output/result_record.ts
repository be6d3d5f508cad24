import { encodeBase64 } from "../base64.ts";
import { refuseUnknown, wrongType } from "../option_rules.ts";
import type { JsonValue, Redirect } from "../request.ts";
import type { CrawlResult, FailureReason, SkipReason } from "../result.ts";

/** A result as plain JSON: what JSON Lines and CSV write. What a result does not have is left out. */
export interface ResultRecord {
  readonly type?: CrawlResult["type"];
  /** A page's final URL; what was asked for by a failure or a skip. */
  readonly url?: string;
  /** The last one that came, when one came at all. */
  readonly status?: number;
  /** Of a failure or a skip. */
  readonly reason?: FailureReason | SkipReason;
  /** Of a failure, the fault and its causes as one text; of a skip, one sentence where there is one. */
  readonly detail?: string;
  /** Of a failure: how many times it was tried. */
  readonly attempts?: number;
  /** Hops from the nearest seed. */
  readonly depth?: number;
  /** The page on which the link was found; none for a seed. */
  readonly referrer?: string;
  /** The hops that led to a page, oldest first; left out where there are none. */
  readonly redirects?: readonly Redirect[];
  /** A page's media type. */
  readonly contentType?: string;
  readonly title?: string;
  readonly canonical?: string;
  /** The length of a page's body, its content-encoding undone. */
  readonly bytes?: number;
  /** When the page was asked for: ISO 8601, in UTC. */
  readonly startedAt?: string;
  /** Milliseconds from there to the last byte of the body. */
  readonly responseMs?: number;
  /** The seed's. */
  readonly tag?: string;
  /** The seed's. */
  readonly data?: JsonValue;
  /** The character encoding of a page's text. */
  readonly charset?: string;
  /** The absolute URLs of a page's links, in document order. */
  readonly links?: readonly string[];
  /** A page's headers by their names in lower case; those that came several times are joined by a comma. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
  /** A page's body as base64. */
  readonly body?: string;
}

/** The name of something that a record can tell of a result. */
export type RecordField = keyof ResultRecord;

type Readers = { readonly [F in RecordField]: (result: CrawlResult) => ResultRecord[F] | undefined };

const READERS: Readers = {
  type: ({ type }) => type,
  url: ({ url }) => url,
  status: ({ status }) => status,
  reason: (result) => (result.type === "page" ? undefined : result.reason),
  detail: detailOf,
  attempts: (result) => (result.type === "failure" ? result.attempts : undefined),
  depth: (result) => (result.type === "page" ? result.depth : result.request?.depth),
  referrer: (result) => (result.type === "failure" ? result.request.referrer : result.referrer),
  redirects: ({ request }) => (request?.redirects?.length ? request.redirects : undefined),
  contentType: (result) => (result.type === "page" ? result.contentType : undefined),
  title: (result) => (result.type === "page" ? result.title : undefined),
  canonical: (result) => (result.type === "page" ? result.canonical : undefined),
  bytes: (result) => (result.type === "page" ? result.body.length : undefined),
  startedAt: (result) =>
    result.type === "page" ? new Date(result.timings.startedAtMs).toISOString() : undefined,
  responseMs: (result) => (result.type === "page" ? result.timings.responseMs : undefined),
  tag: ({ request }) => request?.tag,
  data: ({ request }) => request?.data,
  charset: (result) => (result.type === "page" ? result.charset : undefined),
  links: (result) => (result.type === "page" ? result.links.map(({ url }) => url) : undefined),
  headers: (result) => (result.type === "page" ? headersOf(result.headers) : undefined),
  text: (result) => (result.type === "page" ? result.text : undefined),
  body: (result) => (result.type === "page" ? encodeBase64(result.body) : undefined),
};

/** What a record tells where nobody says otherwise: all that is small. */
export const DEFAULT_FIELDS: readonly RecordField[] = [
  "type",
  "url",
  "status",
  "reason",
  "detail",
  "attempts",
  "depth",
  "referrer",
  "redirects",
  "contentType",
  "title",
  "canonical",
  "bytes",
  "startedAt",
  "responseMs",
  "tag",
  "data",
];

/** What these fields tell of a result, in their order. */
export function recordOf(result: CrawlResult, fields: readonly RecordField[]): ResultRecord {
  const record: { [F in RecordField]?: ResultRecord[RecordField] } = {};
  for (const field of fields) {
    const value = READERS[field](result);
    if (value !== undefined) record[field] = value;
  }
  return record as ResultRecord;
}

/** @throws {TypeError} naming the rule and the value, where these are no fields of a record, or one comes twice */
export function checkFields(fields: readonly RecordField[]): void {
  if (!Array.isArray(fields) || fields.length === 0) {
    throw wrongType("fields", "a list of names, at least one", fields);
  }
  for (const [index, field] of fields.entries()) {
    if (typeof field !== "string") throw wrongType(`fields[${index}]`, "the name of a field", field);
    refuseUnknown("fields: ", { [field]: true }, FIELD_NAMES);
    if (fields.indexOf(field) !== index) throw wrongType("fields", "a list of different names", fields);
  }
}

const FIELD_NAMES = Object.fromEntries(Object.keys(READERS).map((name) => [name, true as const]));

// A runtime's error often says no more than "fetch failed", and its cause what happened.
const MAX_CAUSES = 5;

function detailOf(result: CrawlResult): string | undefined {
  if (result.type === "page") return undefined;
  return result.type === "skip" ? result.detail : messages(result.cause).join(": ");
}

function messages(error: unknown): string[] {
  const found: string[] = [];
  let cause = error;
  for (let i = 0; i < MAX_CAUSES && cause !== undefined && cause !== null; i++) {
    const message = cause instanceof Error ? cause.message || cause.name : String(cause);
    if (!found.includes(message)) found.push(message);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return found;
}

function headersOf(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers.keys()].map((name) => [name, headers.get(name) ?? ""]));
}
