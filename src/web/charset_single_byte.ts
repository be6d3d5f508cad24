// The octets from 0x80 on, in order; a space stands for the control character of the octet's own number.
const WINDOWS_1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";
const ISO_8859_16 =
  "\u00a0ĄąŁ€„Š§š©Ș«Ź\u00adźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ";

/** Code units of the octets 0x80 to 0xFF. */
type HighHalf = Uint16Array;

// Charsets that some runtime lacks or decodes wrongly, with what the standard has for them: Node 20 takes windows-1252
// for Latin-1, knows neither iso-8859-16 nor x-user-defined, and errs in an octet or two of the others.
// https://encoding.spec.whatwg.org/#legacy-single-byte-encodings
const MENDED: ReadonlyMap<string, () => HighHalf> = new Map([
  ["windows-1252", () => patched(latin1(), 0x80, WINDOWS_1252)],
  ["iso-8859-16", () => patched(latin1(), 0xa0, ISO_8859_16)],
  ["x-user-defined", () => Uint16Array.from({ length: 128 }, (_, at) => 0xf780 + at)],
  ["koi8-u", () => patched(patched(fromRuntime("koi8-u"), 0xae, "ў"), 0xbe, "Ў")],
  ["windows-1255", () => patched(fromRuntime("windows-1255"), 0xca, "\u05ba")],
]);

// The byte order in which this machine keeps a Uint16Array.
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const machineUtf16 = new TextDecoder(isLittleEndian ? "utf-16le" : "utf-16be", { ignoreBOM: true });

/** At most one table for each charset above. */
const tables = new Map<string, HighHalf>();

/** Whether {@link decodeSingleByte} reads this charset. */
export function isSingleByteToMend(charset: string): boolean {
  return MENDED.has(charset);
}

/** Decodes one of the charsets that {@link isSingleByteToMend} names, by the Encoding standard. */
export function decodeSingleByte(bytes: Uint8Array, charset: string): string {
  let table = tables.get(charset);
  if (table === undefined) {
    table = MENDED.get(charset)!();
    tables.set(charset, table);
  }
  const units = new Uint16Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) {
    const octet = bytes[at]!;
    units[at] = octet < 0x80 ? octet : table[octet - 0x80]!;
  }
  return textOfUnits(units);
}

/** The text of UTF-16 code units without surrogates. */
export function textOfUnits(units: Uint16Array): string {
  return machineUtf16.decode(units);
}

function latin1(): HighHalf {
  return Uint16Array.from({ length: 128 }, (_, at) => 0x80 + at);
}

function fromRuntime(charset: string): HighHalf {
  const decoder = new TextDecoder(charset);
  return Uint16Array.from({ length: 128 }, (_, at) => decoder.decode(Uint8Array.of(0x80 + at)).charCodeAt(0));
}

function patched(table: HighHalf, firstOctet: number, characters: string): HighHalf {
  const first = firstOctet - 0x80;
  for (let at = 0; at < characters.length; at++) {
    if (characters[at] !== " ") table[first + at] = characters.charCodeAt(at);
  }
  return table;
}
