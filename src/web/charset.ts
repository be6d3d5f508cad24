import { decode } from "./charset_decoders.ts";
import { charsetOfLabel } from "./charset_label.ts";
import { prescanMeta, prescanXmlDeclaration } from "./charset_prescan.ts";
import { mediaType } from "./content_type.ts";

/** What octets of unknown charset are read as when they are not UTF-8: what browsers take for most of the world. */
const FALLBACK = "windows-1252";

/** How many octets tell whether a text is UTF-16 without a byte order mark. */
const SAMPLE_OCTETS = 1_024;

/**
 * Finds the charset of a document's octets. In this order: a byte order mark; the `charset` of the Content-Type; what
 * the first 1,024 octets declare, `<meta>` in HTML or the XML declaration; UTF-16 by where the zeros of its ASCII
 * stand; UTF-8 if the octets are valid, a character cut at the end left aside; else `windows-1252`. A label
 * that stands for no charset is passed over.
 *
 * Without a Content-Type the octets count as HTML.
 *
 * Source: https://html.spec.whatwg.org/#determining-the-character-encoding, and the Encoding standard for labels.
 *
 * @param contentType the header's value.
 * @returns the charset's name in the Encoding standard, in lower case. Never throws.
 * @example
 * ```ts
 * detectCharset(new TextEncoder().encode("<meta charset=latin1>"), "text/html"); // "windows-1252"
 * ```
 */
export function detectCharset(bytes: Uint8Array, contentType: string | undefined): string {
  return knownCharset(bytes, contentType) ?? (decodeValidUtf8(bytes) === undefined ? FALLBACK : "utf-8");
}

/**
 * Decodes a document's octets by the charset that {@link detectCharset} finds. A byte order mark is left out, and
 * what is no character of the charset becomes U+FFFD. Never throws.
 *
 * @param contentType the header's value.
 * @example
 * ```ts
 * decodeText(Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x21)); // { text: "café!", charset: "windows-1252" }
 * ```
 */
export function decodeText(bytes: Uint8Array, contentType?: string): { text: string; charset: string } {
  const known = knownCharset(bytes, contentType);
  if (known !== undefined) return { text: decode(bytes, known), charset: known };
  const text = decodeValidUtf8(bytes);
  return text === undefined
    ? { text: decode(bytes, FALLBACK), charset: FALLBACK }
    : { text, charset: "utf-8" };
}

/** The charset that something says; `undefined` where it must be guessed from all octets. */
function knownCharset(bytes: Uint8Array, contentType = ""): string | undefined {
  return (
    charsetOfByteOrderMark(bytes) ??
    charsetOfHeader(contentType) ??
    declaredCharset(bytes, contentType) ??
    unmarkedUtf16(bytes)
  );
}

// https://encoding.spec.whatwg.org/#bom-sniff
function charsetOfByteOrderMark(bytes: Uint8Array): string | undefined {
  const first = bytes[0];
  const second = bytes[1];
  const third = bytes[2];
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return undefined;
}

function charsetOfHeader(contentType: string): string | undefined {
  // Servers also write single quotes, and a space around the equals sign.
  const label = /(?:^|[;,\s])charset\s*=\s*["']?\s*([^\s"';,]+)/i.exec(contentType)?.[1];
  return label === undefined ? undefined : charsetOfLabel(label);
}

function declaredCharset(bytes: Uint8Array, contentType: string): string | undefined {
  const type = mediaType(contentType);
  if (type === undefined || type === "text/html") return prescanMeta(bytes) ?? prescanXmlDeclaration(bytes);
  if (type === "application/xhtml+xml") return prescanXmlDeclaration(bytes) ?? prescanMeta(bytes);
  return /[/+]xml$/.test(type) ? prescanXmlDeclaration(bytes) : undefined;
}

/** UTF-16 without a mark: white space and markup are ASCII, so that every second octet is often zero. */
function unmarkedUtf16(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, SAMPLE_OCTETS);
  if (!sample.includes(0)) return undefined;
  const zeros = [0, 0];
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at & 1]!++;
  const [even = 0, odd = 0] = zeros;
  const enough = sample.length / 8;
  if (odd >= enough && odd > even * 8) return "utf-16le";
  if (even >= enough && even > odd * 8) return "utf-16be";
  return undefined;
}

function decodeValidUtf8(bytes: Uint8Array): string | undefined {
  const text = decode(bytes, "utf-8");
  // A decoder that replaces is several times faster than one that refuses, and most documents have nothing to replace.
  return !text.includes("\uFFFD") || isValidUtf8(bytes) ? text : undefined;
}

/** Whether the octets are UTF-8, or its beginning: a transfer may have been cut within a character. */
function isValidUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
