import { namedReferences } from "./character_reference_names.ts";

/** The longest name is `CounterClockwiseContourIntegral`; the longest that may stand without `;` is `Aacute`. */
const MAX_NAME_LENGTH = 31;
const MAX_LEGACY_LENGTH = 6;

const MAX_CODE_POINT = 0x10ffff;
const REPLACEMENT = "\uFFFD";

// https://html.spec.whatwg.org/#numeric-character-reference-end-state: 0x80 to 0x9F are read as windows-1252,
// but for the five octets that it leaves undefined.
const WINDOWS_1252 =
  "\u20AC\x81\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\x8D\u017D\x8F" +
  "\x90\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\x9D\u017E\u0178";

/**
 * Replaces the character references of HTML text by what they stand for, as the HTML standard's tokenizer does
 * (https://html.spec.whatwg.org/#character-reference-state): all 2,231 names, the longest match, the names that
 * count without a semicolon, numbers, windows-1252 numbers. What is no reference stays as written. Linear.
 *
 * `inAttribute` says that the text is an attribute's value: there a name without its semicolon, right before
 * `=`, a letter or a digit, is no reference, so that `?a=1&copy=2` stays whole.
 *
 * @example
 * ```ts
 * decodeCharacterReferences("caf&eacute; &#x2615;", false); // "café ☕"
 * decodeCharacterReferences("?a=1&copy=2&amp;b=3", true); // "?a=1&copy=2&b=3"
 * ```
 */
export function decodeCharacterReferences(text: string, inAttribute: boolean): string {
  let ampersand = text.indexOf("&");
  if (ampersand < 0) return text;
  let decoded = "";
  let copied = 0;
  while (ampersand >= 0) {
    const reference =
      text.charCodeAt(ampersand + 1) === 0x23
        ? readNumber(text, ampersand)
        : readName(text, ampersand, inAttribute);
    if (reference) {
      decoded += text.slice(copied, ampersand) + reference.characters;
      copied = reference.end;
    }
    ampersand = text.indexOf("&", reference?.end ?? ampersand + 1);
  }
  return decoded + text.slice(copied);
}

interface Reference {
  characters: string;
  /** Just past the reference, its semicolon included. */
  end: number;
}

function readName(text: string, ampersand: number, inAttribute: boolean): Reference | undefined {
  const start = ampersand + 1;
  let end = start;
  while (end - start < MAX_NAME_LENGTH && isAlphanumeric(text.charCodeAt(end))) end++;
  if (end === start) return undefined;
  const { byName, legacy } = namedReferences();
  if (text.charCodeAt(end) === 0x3b) {
    const characters = byName.get(text.slice(start, end));
    if (characters !== undefined) return { characters, end: end + 1 };
  }
  for (end = Math.min(end, start + MAX_LEGACY_LENGTH); end > start; end--) {
    const name = text.slice(start, end);
    if (!legacy.has(name)) continue;
    const next = text.charCodeAt(end);
    // Only the longest match counts: where that stays as written, no shorter one is tried.
    if (inAttribute && (next === 0x3d || isAlphanumeric(next))) return undefined;
    return { characters: byName.get(name) as string, end };
  }
  return undefined;
}

function readNumber(text: string, ampersand: number): Reference | undefined {
  const hexadecimal = (text.charCodeAt(ampersand + 2) | 0x20) === 0x78;
  const start = ampersand + (hexadecimal ? 3 : 2);
  const base = hexadecimal ? 16 : 10;
  let codePoint = 0;
  let end = start;
  for (; ; end++) {
    const digit = digitValue(text.charCodeAt(end));
    if (digit >= base) break;
    codePoint = Math.min(codePoint * base + digit, MAX_CODE_POINT + 1);
  }
  if (end === start) return undefined;
  return { characters: characterOf(codePoint), end: text.charCodeAt(end) === 0x3b ? end + 1 : end };
}

function characterOf(codePoint: number): string {
  if (codePoint === 0 || codePoint > MAX_CODE_POINT) return REPLACEMENT;
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return REPLACEMENT;
  if (codePoint >= 0x80 && codePoint <= 0x9f) return WINDOWS_1252.charAt(codePoint - 0x80);
  return String.fromCodePoint(codePoint);
}

/** The value of a hexadecimal digit, 16 for any other character and for none. */
function digitValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : 16;
}

function isAlphanumeric(code: number): boolean {
  const lower = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}
