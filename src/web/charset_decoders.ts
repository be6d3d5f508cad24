import { decodeKorean } from "./charset_korean.ts";
import { decodeSingleByte, isSingleByteToMend } from "./charset_single_byte.ts";

const utf8 = new TextDecoder();

/**
 * Decodes octets of a known charset, alike on every runtime as far as tables of this size can reach: where a runtime's
 * `TextDecoder` departs from the Encoding standard in a single-byte charset or in Korean, the standard's
 * characters are put in. (Node's Big5 knows no Hong Kong characters; they come out as U+FFFD or a private character.)
 *
 * A byte order mark of the charset is left out; what is no character becomes U+FFFD. Never throws.
 *
 * @param charset a name as `charsetOfLabel` gives it; one that is not known is read as `windows-1252`.
 */
export function decode(bytes: Uint8Array, charset: string): string {
  if (charset === "utf-8") return utf8.decode(bytes);
  // The standard shows nothing of charsets that could smuggle markup past a reader of ASCII.
  if (charset === "replacement") return bytes.length === 0 ? "" : "\uFFFD";
  if (isSingleByteToMend(charset)) return decodeSingleByte(bytes, charset);
  if (charset === "euc-kr") return decodeKorean(bytes);
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(charset);
  } catch {
    return decodeSingleByte(bytes, "windows-1252");
  }
  return decoder.decode(bytes);
}
