import { readOpening, rejoin, type Tell } from "./sitemap_bytes.ts";

// An XML declaration is never longer in practice; a file without its end is not waited for.
const MAX_DECLARATION_BYTES = 1024;

/**
 * The octets as text, by the order of RFC 7303 §3: byte order mark (or what shows that it is UTF-16 without one),
 * charset of the Content-Type, XML declaration; else UTF-8. A label that nobody knows is told and counts as none.
 */
export async function* decodeBytes(
  chunks: AsyncIterable<Uint8Array>,
  contentType: string | undefined,
  tell: Tell,
): AsyncGenerator<string, void, void> {
  const opening = await readOpening(chunks, isDeclarationComplete);
  const decoder = createDecoder(detectLabel(opening.start, contentType), tell);
  for await (const chunk of rejoin(opening)) yield decoder.decode(chunk);
  yield decoder.end();
}

function isDeclarationComplete(start: Uint8Array): boolean {
  if (start.length >= MAX_DECLARATION_BYTES) return true;
  const text = asciiOf(start).trimStart();
  return start.length >= 4 && (text.startsWith("<?xml") ? text.includes("?>") : !"<?xml".startsWith(text));
}

/** Octets as characters of their own value; the zeros of UTF-16 left out. */
function asciiOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, MAX_DECLARATION_BYTES).filter((byte) => byte !== 0));
}

function detectLabel(start: Uint8Array, contentType: string | undefined): string {
  return (
    labelOfMark(start) ??
    labelOfShape(start) ??
    asciiBased(/;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType ?? "")?.[1]) ??
    asciiBased(/^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']\s*([^\s"'>]+)/.exec(asciiOf(start))?.[1]) ??
    "utf-8"
  );
}

/** What has not the shape of UTF-16 is none, whatever its label: .NET writes such files. */
function asciiBased(label: string | undefined): string | undefined {
  return label !== undefined && /^(?:utf-?(?:16|32)|ucs-?[24]|iso-10646-ucs|unicode)/i.test(label)
    ? undefined
    : label;
}

// https://encoding.spec.whatwg.org/#bom-sniff
function labelOfMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return undefined;
}

/** XML 1.0 appendix F.1, widened to plain text: every other of the first octets is zero. */
function labelOfShape(start: Uint8Array): string | undefined {
  const [first, second, third, fourth] = start;
  if (start.length < 4) return undefined;
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return "utf-16be";
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return "utf-16le";
  return undefined;
}

interface StreamDecoder {
  decode(chunk: Uint8Array): string;
  end(): string;
}

function createDecoder(label: string, tell: Tell): StreamDecoder {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label);
  } catch {
    tell(`unknown charset ${JSON.stringify(label)}: read as UTF-8`);
    decoder = new TextDecoder();
  }
  const mend = decoder.encoding === "windows-1252" ? mendWindows1252 : (text: string) => text;
  return {
    decode: (chunk) => mend(decoder.decode(chunk, { stream: true })),
    end: () => mend(decoder.decode()),
  };
}

// Octets 80 to 9F of windows-1252, the five that are unassigned as themselves:
// https://encoding.spec.whatwg.org/index-windows-1252.txt
const WINDOWS_1252 =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f" +
  "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

/** Node 20 leaves octets 80 to 9F as they are; where they are decoded already there is none to replace. */
function mendWindows1252(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252.charAt(char.charCodeAt(0) - 0x80));
}
