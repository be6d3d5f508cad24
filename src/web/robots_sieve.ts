/**
 * A pair of neighbouring octets: `first * 128 + second`. Canonical text is ASCII without NUL, so `0 * 128 + octet` is
 * free to mean the octet alone, and 0 nothing, which every path holds.
 */
type Pair = number;

const PAIRS = 128 * 128;
const NOTHING: Pair = 0;
const STAR = 0x2a;
const DOLLAR = 0x24; // in a canonical pattern only as the operator

/**
 * Sifts thousands of patterns: each is given a pair of its own as its needle, and a path that does not hold the needle
 * cannot match the pattern. One sieve serves all sets of patterns of a file.
 */
export class Sieve {
  // How many patterns have each pair: the rarest tells most. It only guides the choice, so sets may share it.
  readonly #counts = new Uint32Array(PAIRS);

  /** The needles of patterns, in their order. */
  needlesOf(patterns: readonly string[]): Uint16Array {
    const counts = this.#counts;
    for (const pattern of patterns) {
      for (let at = 0; at < pattern.length; at++) counts[pairAt(pattern, at)]!++;
    }
    return Uint16Array.from(patterns, (pattern) => {
      let needle = NOTHING;
      for (let at = 0; at < pattern.length; at++) {
        const pair = pairAt(pattern, at);
        if (pair === NOTHING) continue;
        if (needle === NOTHING || counts[pair]! < counts[needle]!) needle = pair;
      }
      return needle;
    });
  }
}

/** The pair that ends at an octet of a pattern, the octet alone behind a star, nothing for an operator. */
function pairAt(pattern: string, at: number): Pair {
  const octet = pattern.charCodeAt(at);
  if (octet === STAR || octet === DOLLAR) return NOTHING;
  const before = at === 0 ? STAR : pattern.charCodeAt(at - 1);
  return before === STAR ? octet : before * 128 + octet;
}

/** The pairs, and the octets, that a path holds in either of its spellings: one bit each. */
export function pairsOf(path: string, rawQuery: string): Uint32Array {
  const bits = new Uint32Array(PAIRS / 32);
  bits[0] = 1; // NOTHING
  addPairs(bits, path);
  if (rawQuery !== path) addPairs(bits, rawQuery);
  return bits;
}

function addPairs(bits: Uint32Array, text: string): void {
  let first = 0;
  for (let at = 0; at < text.length; at++) {
    const octet = text.charCodeAt(at);
    const pair = first * 128 + octet;
    bits[pair >> 5]! |= 1 << (pair & 31);
    bits[octet >> 5]! |= 1 << (octet & 31);
    first = octet;
  }
}

export function hasPair(bits: Uint32Array, pair: Pair): boolean {
  return (bits[pair >> 5]! & (1 << (pair & 31))) !== 0;
}
