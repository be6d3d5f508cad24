/** Words that make one feature: single words ignore order, and long runs miss small edits. */
const SHINGLE_WORDS = 3;

// FNV-1a's parameters for 32 bits, and the finaliser of MurmurHash3: FNV alone leaves the high bits too even.
const FNV_PRIME = 0x01000193;
const FNV_BASIS = 0x811c9dc5;
const MIX_1 = 0x85ebca6b;
const MIX_2 = 0xc2b2ae35;
/** Makes the high half of a digest from the same words. */
const HIGH_BASIS = 0x9e3779b9;

const NIBBLES = 16;

/** What a character is for the cutting into words. */
const BETWEEN_WORDS = 1;
const IN_WORD = 2;
const WORD_ALONE = 3;
/** The kinds of the characters met so far, by code unit, 0 where unknown: made for the first text beyond ASCII. */
let knownKinds: Uint8Array | undefined;
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * A digest of a text by which near-duplicates are found: texts that share most of their words, in order, have digests
 * that differ in few of the 64 bits ({@link hammingDistance}), and unrelated texts differ in about 32.
 *
 * The features are runs of three words, each counted as often as it stands; case and what is between words do not count,
 * and where a script has no spaces each of its characters is a word. A text of fewer than three words is one
 * feature; one without any has the digest `0n`.
 *
 * A distance means little for short texts. Another title of five words changes some 2 bits of 1,000 words' digest and 4
 * of 300 words', but 11 of 50 words', as one other word does of 20: hold no distance against texts of fewer than
 * some 100 words. The digest is the same on every runtime.
 *
 * Source: Charikar, "Similarity Estimation Techniques from Rounding Algorithms" (2002); Manku, Jain and Das Sarma,
 * "Detecting Near-Duplicates for Web Crawling" (2007).
 *
 * @returns 64 bits, as a number of at least 0n and below 2n ** 64n.
 * @example
 * ```ts
 * hammingDistance(simhash("Write to us, please."), simhash("write to us please")); // 0
 * ```
 */
export function simhash(text: string): bigint {
  const words = wordHashes(text);
  if (words.length === 0) return 0n;
  const features = Math.max(words.length - SHINGLE_WORDS + 1, 1);
  // How often each value of each four bits stands among the features: a quarter of the work of counting bits.
  const counts = new Uint32Array(NIBBLES * 16);
  for (let at = 0; at < features; at++) {
    countNibbles(counts, 0, shingleHash(words, at, FNV_BASIS));
    countNibbles(counts, NIBBLES / 2, shingleHash(words, at, HIGH_BASIS));
  }
  const low = majority(counts, 0, features);
  const high = majority(counts, NIBBLES / 2, features);
  return (BigInt(high) << 32n) | BigInt(low);
}

/**
 * In how many bits two digests of {@link simhash} differ: 0 to 64.
 *
 * @example
 * ```ts
 * hammingDistance(0b1010n, 0b0110n); // 2
 * ```
 */
export function hammingDistance(a: bigint, b: bigint): number {
  const difference = BigInt.asUintN(64, a ^ b);
  return bitCount(Number(difference & 0xffff_ffffn)) + bitCount(Number(difference >> 32n));
}

/** A hash of each word in order, without regard to case. */
function wordHashes(text: string): number[] {
  const lower = text.toLowerCase();
  const hashes: number[] = [];
  let hash = FNV_BASIS;
  let isInWord = false;
  const endWord = (): void => {
    if (isInWord) hashes.push(hash);
    hash = FNV_BASIS;
    isInWord = false;
  };
  for (let at = 0; at < lower.length; at++) {
    const code = lower.codePointAt(at)!;
    if (code > 0xffff) at++;
    const kind = kindOf(code);
    if (kind !== IN_WORD) endWord();
    if (kind === BETWEEN_WORDS) continue;
    hash = Math.imul(hash ^ code, FNV_PRIME);
    isInWord = true;
    if (kind === WORD_ALONE) endWord();
  }
  endWord();
  return hashes;
}

function kindOf(code: number): number {
  if (code < 0x80)
    return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) ? IN_WORD : BETWEEN_WORDS;
  if (code > 0xffff) return kindOfCharacter(code);
  knownKinds ??= new Uint8Array(0x10000);
  knownKinds[code] ||= kindOfCharacter(code);
  return knownKinds[code]!;
}

function kindOfCharacter(code: number): number {
  const char = String.fromCodePoint(code);
  if (SPACELESS.test(char)) return WORD_ALONE;
  return /[\p{L}\p{M}\p{N}]/u.test(char) ? IN_WORD : BETWEEN_WORDS;
}

function shingleHash(words: readonly number[], from: number, basis: number): number {
  const to = Math.min(from + SHINGLE_WORDS, words.length);
  let hash = basis;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ mixed(words[at]!), FNV_PRIME);
  return mixed(hash);
}

function mixed(hash: number): number {
  let bits = hash;
  bits = Math.imul(bits ^ (bits >>> 16), MIX_1);
  bits = Math.imul(bits ^ (bits >>> 13), MIX_2);
  return bits ^ (bits >>> 16);
}

function countNibbles(counts: Uint32Array, firstNibble: number, hash: number): void {
  for (let nibble = 0; nibble < NIBBLES / 2; nibble++) {
    counts[(firstNibble + nibble) * 16 + ((hash >>> (nibble * 4)) & 15)]!++;
  }
}

/** 32 bits, each as most of the features have it. */
function majority(counts: Uint32Array, firstNibble: number, features: number): number {
  let bits = 0;
  for (let bit = 0; bit < 32; bit++) {
    const first = (firstNibble + (bit >>> 2)) * 16;
    let ones = 0;
    for (let value = 0; value < 16; value++) if ((value >>> (bit & 3)) & 1) ones += counts[first + value]!;
    if (ones * 2 > features) bits |= 1 << bit;
  }
  return bits >>> 0;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left = (left & (left - 1)) >>> 0) count++;
  return count;
}
