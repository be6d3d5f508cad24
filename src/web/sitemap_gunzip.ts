import { readOpening, rejoin, type Tell } from "./sitemap_bytes.ts";
import { BitReader, InflateError, inflate } from "./sitemap_inflate.ts";

// Some servers pack what is packed already; three times over is no accident any more.
const MAX_LAYERS = 3;

/** Unpacks a body that begins as gzip does, whatever its name or headers say, and passes on any other. */
export async function* unpack(
  chunks: AsyncIterable<Uint8Array>,
  tell: Tell,
  layers: number = MAX_LAYERS,
): AsyncGenerator<Uint8Array, void, void> {
  const opening = await readOpening(chunks, (start) => start.length >= 2);
  const body = rejoin(opening);
  if (layers === 0 || !isGzip(opening.start)) return yield* body;
  yield* unpack(gunzip(body, tell), tell, layers - 1);
}

function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** All members of a gzip file (RFC 1952), one after the other; damage ends it and is told. */
async function* gunzip(
  chunks: AsyncGenerator<Uint8Array, void, void>,
  tell: Tell,
): AsyncGenerator<Uint8Array, void, void> {
  const bits = new BitReader(chunks);
  try {
    do {
      await skipHead(bits);
      yield* unpackMember(bits, tell);
    } while (await hasNextMember(bits, tell));
  } catch (error) {
    if (!(error instanceof InflateError)) throw error;
    tell(`damaged gzip: ${error.message}`);
  } finally {
    await chunks.return();
  }
}

async function takeByte(bits: BitReader): Promise<number> {
  await bits.fill(1);
  return bits.take(8);
}

async function takeWord(bits: BitReader): Promise<number> {
  await bits.fill(4);
  return (bits.take(16) | (bits.take(16) << 16)) >>> 0;
}

const HAS_CHECKSUM = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;

// RFC 1952 §2.3.
async function skipHead(bits: BitReader): Promise<void> {
  await bits.fill(10);
  if (bits.take(16) !== 0x8b1f || bits.take(8) !== 8) throw new InflateError("an unknown method");
  const flags = bits.take(8);
  for (let i = 0; i < 6; i++) bits.take(8);
  if (flags & HAS_EXTRA) {
    for (let left = (await takeByte(bits)) + (await takeByte(bits)) * 256; left > 0; left--)
      await takeByte(bits);
  }
  if (flags & HAS_NAME) while ((await takeByte(bits)) !== 0);
  if (flags & HAS_COMMENT) while ((await takeByte(bits)) !== 0);
  if (flags & HAS_CHECKSUM) for (let i = 0; i < 2; i++) await takeByte(bits);
}

async function* unpackMember(bits: BitReader, tell: Tell): AsyncGenerator<Uint8Array, void, void> {
  let crc = ~0;
  for await (const piece of inflate(bits)) {
    crc = updateCrc(crc, piece);
    yield piece;
  }
  bits.align();
  const isIntact = (await takeWord(bits)) === ~crc >>> 0;
  await takeWord(bits); // the size; the checksum says all that it could
  if (!isIntact) tell("damaged gzip: the checksum is wrong");
}

/** Whether another member follows. Zeros are padding; anything else is told. */
async function hasNextMember(bits: BitReader, tell: Tell): Promise<boolean> {
  for (;;) {
    await bits.fill(4);
    if (bits.isEmpty) return false;
    if (bits.peek(16) === 0x8b1f) return true;
    if (bits.take(8) === 0) continue;
    tell("junk after the end of the gzip file");
    return false;
  }
}

// Made when the first file is unpacked.
let crcTable: Uint32Array | undefined;

function makeCrcTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    return crc;
  });
}

// RFC 1952 §8.
function updateCrc(crc: number, bytes: Uint8Array): number {
  crcTable ??= makeCrcTable();
  const table = crcTable;
  let next = crc;
  for (let i = 0; i < bytes.length; i++) {
    next = (table[(next ^ (bytes[i] as number)) & 255] as number) ^ (next >>> 8);
  }
  return next;
}
