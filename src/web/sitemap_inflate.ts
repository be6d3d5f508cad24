import { concatBytes } from "./sitemap_bytes.ts";

// Why not DecompressionStream: it cannot say where one gzip member ends and the next begins, drops what it had
// unpacked when the file turns out to be damaged, and takes a file that is cut short for whole on some runtimes.

/** Compressed octets that are damaged or cut short. */
export class InflateError extends Error {
  override readonly name = "InflateError";
}

/** Bits, least significant first (RFC 1951 §3.1.1), from octets that arrive in chunks. */
export class BitReader {
  #chunks: AsyncIterator<Uint8Array, void, void>;
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;
  #ended = false;
  #bits = 0;
  #bitCount = 0;

  constructor(chunks: AsyncIterator<Uint8Array, void, void>) {
    this.#chunks = chunks;
  }

  /** Whether so many octets are in hand, or all that will ever come. */
  isReady(byteCount: number): boolean {
    return this.#ended || this.#chunk.length - this.#at >= byteCount;
  }

  /** Waits until so many octets are in hand, or all that will ever come. */
  async fill(byteCount: number): Promise<void> {
    while (!this.isReady(byteCount)) {
      const next = await this.#chunks.next();
      if (next.done) {
        this.#ended = true;
        return;
      }
      this.#chunk = concatBytes(this.#chunk.subarray(this.#at), next.value);
      this.#at = 0;
    }
  }

  /** The next bits without using them up, zeros past the end; at most 16. */
  peek(bitCount: number): number {
    while (this.#bitCount < bitCount && this.#at < this.#chunk.length) {
      this.#bits |= (this.#chunk[this.#at++] as number) << this.#bitCount;
      this.#bitCount += 8;
    }
    return this.#bits & ((1 << bitCount) - 1);
  }

  /** Uses up bits that `peek` has shown. */
  skip(bitCount: number): void {
    if (bitCount > this.#bitCount) throw new InflateError("cut short");
    this.#bits >>>= bitCount;
    this.#bitCount -= bitCount;
  }

  /** The next bits as a number; at most 16. */
  take(bitCount: number): number {
    const value = this.peek(bitCount);
    this.skip(bitCount);
    return value;
  }

  /** Passes over the bits up to the next whole octet. */
  align(): void {
    this.skip(this.#bitCount & 7);
  }

  /** Whether not one octet is left. Only true to what is in hand: `fill(1)` first. */
  get isEmpty(): boolean {
    return this.#bitCount < 8 && this.#at >= this.#chunk.length;
  }
}

const WINDOW_BYTES = 32_768;
const PIECE_BYTES = 65_536;
const MAX_MATCH = 258;

/** What was unpacked: the part not yet handed on, behind the window that matches may reach back into. */
class Output {
  #buffer = new Uint8Array(WINDOW_BYTES + PIECE_BYTES + MAX_MATCH);
  #end = 0;
  #handedOn = 0;

  get isFull(): boolean {
    return this.#end - this.#handedOn >= PIECE_BYTES;
  }

  put(byte: number): void {
    this.#buffer[this.#end++] = byte;
  }

  repeat(distance: number, length: number): void {
    if (distance > this.#end) throw new InflateError("a match reaches back before the beginning");
    for (let left = length; left > 0; left--, this.#end++) {
      this.#buffer[this.#end] = this.#buffer[this.#end - distance] as number;
    }
  }

  /** What was put since the last call; the last 32 KiB stay as the window. */
  take(): Uint8Array {
    const piece = this.#buffer.slice(this.#handedOn, this.#end);
    const windowStart = Math.max(0, this.#end - WINDOW_BYTES);
    this.#buffer.copyWithin(0, windowStart, this.#end);
    this.#end -= windowStart;
    this.#handedOn = this.#end;
    return piece;
  }
}

/** A prefix code as a table: indexed by the next `maxBits` bits, holding symbol × 16 + length, 0 for none. */
interface PrefixCode {
  table: Uint16Array;
  maxBits: number;
}

// RFC 1951 §3.2.2: codes of one length are consecutive, shorter ones come first; packed with the first bit lowest.
function buildCode(lengths: ArrayLike<number>): PrefixCode {
  const counts = new Uint16Array(16);
  for (let symbol = 0; symbol < lengths.length; symbol++) counts[lengths[symbol] as number]!++;
  counts[0] = 0;
  let maxBits = 15;
  while (maxBits > 1 && counts[maxBits] === 0) maxBits--;
  const nextCode = new Uint16Array(17);
  for (let bits = 1; bits <= 15; bits++) {
    nextCode[bits + 1] = ((nextCode[bits] as number) + (counts[bits] as number)) << 1;
    if ((nextCode[bits] as number) + (counts[bits] as number) > 1 << bits) {
      throw new InflateError("a code with too many symbols");
    }
  }
  const table = new Uint16Array(1 << maxBits);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] as number;
    if (length === 0) continue;
    const start = reverseBits(nextCode[length]!++, length);
    for (let index = start; index < table.length; index += 1 << length) table[index] = (symbol << 4) | length;
  }
  return { table, maxBits };
}

function reverseBits(value: number, bitCount: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bitCount; bit++) reversed |= ((value >> bit) & 1) << (bitCount - 1 - bit);
  return reversed;
}

function takeSymbol(bits: BitReader, code: PrefixCode): number {
  const entry = code.table[bits.peek(code.maxBits)] as number;
  if (entry === 0) throw new InflateError(bits.isEmpty ? "cut short" : "an unknown code");
  bits.skip(entry & 15);
  return entry >> 4;
}

// RFC 1951 §3.2.5: bases and extra bits of the length symbols from 257 and of the distance symbols.
const LENGTH_BASES = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASES = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
];
const DISTANCE_EXTRA = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];
const END_OF_BLOCK = 256;

interface BlockCodes {
  literals: PrefixCode;
  distances: PrefixCode;
}

// RFC 1951 §3.2.6.
function fixedCodes(): BlockCodes {
  const lengths = Uint8Array.from({ length: 288 }, (_, s) => (s < 144 ? 8 : s < 256 ? 9 : s < 280 ? 7 : 8));
  return { literals: buildCode(lengths), distances: buildCode(new Uint8Array(30).fill(5)) };
}

// RFC 1951 §3.2.7.
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function takeDynamicCodes(bits: BitReader): BlockCodes {
  const literalCount = bits.take(5) + 257;
  const distanceCount = bits.take(5) + 1;
  const codeLengthCount = bits.take(4) + 4;
  const codeLengths = new Uint8Array(19);
  for (let i = 0; i < codeLengthCount; i++) codeLengths[CODE_LENGTH_ORDER[i] as number] = bits.take(3);
  const lengths = takeLengths(bits, buildCode(codeLengths), literalCount + distanceCount);
  return {
    literals: buildCode(lengths.subarray(0, literalCount)),
    distances: buildCode(lengths.subarray(literalCount)),
  };
}

function takeLengths(bits: BitReader, code: PrefixCode, count: number): Uint8Array {
  const lengths = new Uint8Array(count);
  let at = 0;
  while (at < count) {
    const symbol = takeSymbol(bits, code);
    if (symbol < 16) {
      lengths[at++] = symbol;
      continue;
    }
    if (symbol === 16 && at === 0) throw new InflateError("a repeat of nothing");
    const value = symbol === 16 ? (lengths[at - 1] as number) : 0;
    const times = symbol === 16 ? 3 + bits.take(2) : symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7);
    if (at + times > count) throw new InflateError("a repeat past the end");
    lengths.fill(value, at, at + times);
    at += times;
  }
  return lengths;
}

// One length and distance pair takes 48 bits at most, the head of a dynamic block 4,500.
const PAIR_BYTES = 8;
const BLOCK_HEAD_BYTES = 600;

/** Unpacks until the block ends (true), or more octets or more room are needed (false). */
function unpackSymbols(bits: BitReader, out: Output, { literals, distances }: BlockCodes): boolean {
  while (bits.isReady(PAIR_BYTES) && !out.isFull) {
    const symbol = takeSymbol(bits, literals);
    if (symbol < END_OF_BLOCK) {
      out.put(symbol);
      continue;
    }
    if (symbol === END_OF_BLOCK) return true;
    const lengthBase = LENGTH_BASES[symbol - 257];
    if (lengthBase === undefined) throw new InflateError("an unknown length");
    const length = lengthBase + bits.take(LENGTH_EXTRA[symbol - 257] as number);
    const distanceSymbol = takeSymbol(bits, distances);
    const distanceBase = DISTANCE_BASES[distanceSymbol];
    if (distanceBase === undefined) throw new InflateError("an unknown distance");
    out.repeat(distanceBase + bits.take(DISTANCE_EXTRA[distanceSymbol] as number), length);
  }
  return false;
}

async function* unpackStored(bits: BitReader, out: Output): AsyncGenerator<Uint8Array, void, void> {
  bits.align();
  const length = bits.take(16);
  if ((bits.take(16) ^ 0xffff) !== length) throw new InflateError("a stored block of uncertain length");
  for (let left = length; left > 0; left--) {
    if (!bits.isReady(1)) await bits.fill(1);
    if (out.isFull) yield out.take();
    out.put(bits.take(8));
  }
}

async function* unpackBlock(bits: BitReader, out: Output): AsyncGenerator<Uint8Array, void, void> {
  const type = bits.take(2);
  if (type === 3) throw new InflateError("an unknown kind of block");
  if (type === 0) return yield* unpackStored(bits, out);
  const codes = type === 1 ? fixedCodes() : takeDynamicCodes(bits);
  while (!unpackSymbols(bits, out, codes)) {
    if (out.isFull) yield out.take();
    await bits.fill(PAIR_BYTES);
  }
}

/**
 * Unpacks one DEFLATE stream (RFC 1951) in pieces of about 64 KiB and leaves `bits` right behind it.
 *
 * @throws {InflateError} where it is damaged or cut short, after all that came before has been handed on.
 */
export async function* inflate(bits: BitReader): AsyncGenerator<Uint8Array, void, void> {
  const out = new Output();
  try {
    for (let isLast = false; !isLast; ) {
      await bits.fill(BLOCK_HEAD_BYTES);
      isLast = bits.take(1) === 1;
      yield* unpackBlock(bits, out);
    }
  } catch (error) {
    if (error instanceof InflateError) yield out.take();
    throw error;
  }
  yield out.take();
}
