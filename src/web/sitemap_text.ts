import { charsetOfLabel } from "./charset_label.ts";
import { prescanXmlDeclaration } from "./charset_prescan.ts";
import { decodeSingleByte, isSingleByteToMend } from "./charset_single_byte.ts";
import { readOpening, rejoin } from "./sitemap_bytes.ts";

// An XML declaration is never longer in practice; a file without its end is not waited for.
const MAX_DECLARATION_BYTES = 1024;

/**
 * The octets as text, by the order of RFC 7303 §3: byte order mark (or what shows that it is UTF-16 without one),
 * charset of the Content-Type, XML declaration; else UTF-8. A label that nobody knows counts as none, and what cannot
 * be decoded becomes U+FFFD.
 */
export async function* decodeBytes(
  chunks: AsyncIterable<Uint8Array>,
  contentType: string | undefined,
): AsyncGenerator<string, void, void> {
  const opening = await readOpening(chunks, isDeclarationComplete);
  const decoder = createDecoder(detectCharset(opening.start, contentType));
  for await (const chunk of rejoin(opening)) yield decoder.decode(chunk);
  yield decoder.end();
}

/** Whether so much shows what the file is: an entry is not held up for longer than that. */
function isDeclarationComplete(start: Uint8Array): boolean {
  if (start.length >= MAX_DECLARATION_BYTES) return true;
  const text = String.fromCharCode(...start.filter((byte) => byte !== 0)).trimStart();
  return start.length >= 4 && (text.startsWith("<?xml") ? text.includes("?>") : !"<?xml".startsWith(text));
}

function detectCharset(start: Uint8Array, contentType = ""): string {
  const label = /;\s*charset\s*=\s*["']?\s*([^\s"',;]+)/i.exec(contentType)?.[1];
  return (
    charsetOfMark(start) ??
    charsetOfShape(start) ??
    (label === undefined ? undefined : inAscii(charsetOfLabel(label))) ??
    prescanXmlDeclaration(start) ??
    "utf-8"
  );
}

// https://encoding.spec.whatwg.org/#bom-sniff
function charsetOfMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return undefined;
}

/** XML 1.0 appendix F.1, widened to plain text: every other of the first octets is zero. */
function charsetOfShape(start: Uint8Array): string | undefined {
  const [first, second, third, fourth] = start;
  if (start.length < 4) return undefined;
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return "utf-16be";
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return "utf-16le";
  return undefined;
}

/** What has not the shape of UTF-16 is none, whatever the header says. */
function inAscii(charset: string | undefined): string | undefined {
  return charset?.startsWith("utf-16") ? undefined : charset;
}

interface StreamDecoder {
  decode(chunk: Uint8Array): string;
  end(): string;
}

function createDecoder(charset: string): StreamDecoder {
  if (isSingleByteToMend(charset))
    return { decode: (chunk) => decodeSingleByte(chunk, charset), end: () => "" };
  // The Encoding standard has no decoder for "replacement" that shows anything: its labels count as none.
  const decoder = new TextDecoder(charset === "replacement" ? "utf-8" : charset);
  return { decode: (chunk) => decoder.decode(chunk, { stream: true }), end: () => decoder.decode() };
}
