/** White space by the MIME Sniffing standard: tab, line feed, form feed, carriage return, space. */
const HTML_START =
  /^[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >]/i;
const XML_START = /^[\t\n\f\r ]*<\?xml/;
// Octets that no text holds: MIME Sniffing standard §3, "binary data byte".
const BINARY = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;
const SNIFFED_BYTES = 1_445;
// What nearly every header says: one type in lower case. It is asked for several times a page.
const PLAIN = /^([a-z]+\/[a-z0-9.+-]+)(?:;[^,]*)?$/;

/**
 * The media type of a Content-Type header in lower case, its parameters off.
 *
 * Source: MIME Sniffing standard §4.4. `undefined` where the header is missing or names none: then the body decides.
 *
 * @example
 * ```ts
 * mediaType("Text/HTML; charset=utf-8"); // "text/html"
 * ```
 */
export function mediaType(contentType: string | null | undefined): string | undefined {
  const plain = PLAIN.exec(contentType ?? "");
  if (plain !== null) return plain[1];
  // Repeated headers come joined by a comma; the last one counts (Fetch standard, "extract a MIME type").
  const last = contentType?.split(",").findLast((value) => /^\s*[^\s/;]+\/[^\s/;]+\s*(?:;|$)/.test(value));
  return last?.replace(/;.*/s, "").trim().toLowerCase();
}

/**
 * Tells a media type by the first octets of a body, as browsers do where no Content-Type says it.
 *
 * Source: MIME Sniffing standard §7.1, of which the types that a crawler reads: HTML, XML, plain text, PDF; anything
 * else with octets that no text holds is `application/octet-stream`.
 */
export function sniffMediaType(body: Uint8Array): string {
  const head = String.fromCharCode(...body.subarray(0, SNIFFED_BYTES));
  const text = head.replace(/^\xef\xbb\xbf/, "");
  if (HTML_START.test(text)) return "text/html";
  if (XML_START.test(text)) return "text/xml";
  if (head.startsWith("%PDF-")) return "application/pdf";
  if (/^(?:\xfe\xff|\xff\xfe)/.test(head)) return "text/plain";
  return BINARY.test(text) ? "application/octet-stream" : "text/plain";
}

/** Whether a media type is one of a list, in which a star stands for all subtypes, or for all types. */
export function isOneOf(type: string, list: readonly string[]): boolean {
  return list.some((entry) => {
    if (entry === "*/*") return true;
    return entry.endsWith("/*") ? type.startsWith(entry.slice(0, -1)) : entry === type;
  });
}
