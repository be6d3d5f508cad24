import { textOfUnits } from "./charset_single_byte.ts";

// The two planes of the standard's euc-kr: KS X 1001, in leads and trails from 0xA1, and the 8,822 Hangul syllables that
// it left out, in the cells below. https://encoding.spec.whatwg.org/#index-euc-kr
const FIRST_LEAD = 0x81;
const LAST_LEAD = 0xfe;
const KS_FIRST = 0xa1;
const EXTENSION_LAST_LEAD = 0xc6;
const TRAILS = 0x100;
const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
const REPLACEMENT = 0xfffd;
// Added to KS X 1001 in 1998, and unknown to Node too.
const EURO_CELL = 0xa2e6;
const REGISTERED_CELL = 0xa2e7;

/** Code units by lead and trail, 0 where there is no character; made on first use, where the runtime needs it. */
let cells: Uint16Array | undefined;

/**
 * Decodes the Encoding standard's euc-kr, which is windows-949. Node's decoder knows the 2,350 syllables of
 * KS X 1001 only, and reads others as two characters or none.
 */
export function decodeKorean(bytes: Uint8Array): string {
  const runtime = new TextDecoder("euc-kr");
  if (runtime.decode(Uint8Array.of(0x81, 0x41)) === "갂") return runtime.decode(bytes);
  cells ??= makeCells(runtime);
  const units = new Uint16Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at]!;
    if (lead < 0x80) {
      units[length++] = lead;
      continue;
    }
    const trail = lead < FIRST_LEAD || lead > LAST_LEAD ? undefined : bytes[at + 1];
    const unit = trail === undefined ? 0 : cells[lead * TRAILS + trail]!;
    units[length++] = unit === 0 ? REPLACEMENT : unit;
    // https://encoding.spec.whatwg.org/#euc-kr-decoder: a wrong trail is consumed too, unless it is ASCII.
    if (trail !== undefined && (unit !== 0 || trail >= 0x80)) at++;
  }
  return textOfUnits(units.subarray(0, length));
}

function makeCells(runtime: TextDecoder): Uint16Array {
  const made = new Uint16Array((LAST_LEAD + 1) * TRAILS);
  const standard = new Set<number>();
  for (let lead = KS_FIRST; lead <= LAST_LEAD; lead++) {
    for (let trail = KS_FIRST; trail <= 0xfe; trail++) {
      const text = runtime.decode(Uint8Array.of(lead, trail));
      if (text.length !== 1 || isNoCharacter(text.charCodeAt(0))) continue;
      made[lead * TRAILS + trail] = text.charCodeAt(0);
      standard.add(text.charCodeAt(0));
    }
  }
  made[EURO_CELL] = "€".charCodeAt(0);
  made[REGISTERED_CELL] = "®".charCodeAt(0);
  // The extension holds the syllables that are left, in the order of Unicode.
  const cellsLeft = extensionCells();
  for (let syllable = FIRST_SYLLABLE; syllable <= LAST_SYLLABLE; syllable++) {
    if (!standard.has(syllable)) made[cellsLeft.next().value!] = syllable;
  }
  return made;
}

function isNoCharacter(unit: number): boolean {
  const isPrivate = unit >= 0xe000 && unit <= 0xf8ff;
  return unit === REPLACEMENT || isPrivate;
}

function* extensionCells(): Generator<number> {
  for (let lead = FIRST_LEAD; lead <= EXTENSION_LAST_LEAD; lead++) {
    const lastTrail = lead < KS_FIRST ? 0xfe : KS_FIRST - 1;
    for (let trail = 0x41; trail <= lastTrail; trail++) {
      const isGap = (trail > 0x5a && trail < 0x61) || (trail > 0x7a && trail < 0x81);
      if (!isGap) yield lead * TRAILS + trail;
    }
  }
}
