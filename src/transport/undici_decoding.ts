import { pipeline, Readable, type Transform } from "node:stream";
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from "node:zlib";

interface Decoder {
  readonly whole: (coded: Uint8Array, options: ZlibOptions) => Uint8Array;
  readonly stream: () => Transform;
}

const GZIP: Decoder = { whole: gunzipSync, stream: createGunzip };
const BROTLI: Decoder = { whole: brotliDecompressSync, stream: createBrotliDecompress };
const ZLIB: Decoder = { whole: inflateSync, stream: createInflate };
const RAW_DEFLATE: Decoder = { whole: inflateRawSync, stream: createInflateRaw };

/** Picks a decoder, given the first octet of what is coded. */
type Coding = (firstOctet: number) => Decoder;

// RFC 9110 §8.4.1; some servers take "deflate" for what has no zlib wrapping, whose first octet has 8 for its method.
const CODINGS: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  ["gzip", () => GZIP],
  ["x-gzip", () => GZIP],
  ["br", () => BROTLI],
  ["deflate", (firstOctet) => ((firstOctet & 0x0f) === 8 ? ZLIB : RAW_DEFLATE)],
]);

/** The codings in the order in which they are undone. Names that are no coding (`none`, `utf-8`) are a server's slip. */
export function codingsOf(contentEncoding: string): readonly Coding[] {
  return contentEncoding
    .toLowerCase()
    .split(",")
    .reverse()
    .flatMap((name) => CODINGS.get(name.trim()) ?? []);
}

/**
 * Decodes a whole body at once, which keeps the thread: for a short one.
 *
 * @throws {RangeError} with code `ERR_BUFFER_TOO_LARGE` past `maxBytes`, and goes no further
 * @throws {Error} with zlib's code where it is not so coded, or not whole
 */
export function decodeWhole(codings: readonly Coding[], coded: Uint8Array, maxBytes: number): Uint8Array {
  const options = { maxOutputLength: Math.min(maxBytes, MAX_OUTPUT_BYTES), chunkSize: CHUNK_BYTES };
  return codings.reduce((bytes, coding) => {
    const [first] = bytes;
    return first === undefined ? bytes : coding(first).whole(bytes, options);
  }, coded);
}

// A page's usual size, so that few are put together from pieces.
const CHUNK_BYTES = 65_536;

// As zlib takes it: an Infinity is none of its numbers.
const MAX_OUTPUT_BYTES = 2 ** 31 - 1;

/** Decodes a body as it comes, no further ahead of its reader than a chunk. Ended early, it ends its source. */
export async function* decodeChunks(
  codings: readonly Coding[],
  coded: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let plain = coded;
  for (const coding of codings) plain = decodeOne(coding, plain);
  yield* plain;
}

async function* decodeOne(coding: Coding, coded: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = coded[Symbol.asyncIterator]();
  try {
    const { done, value } = await chunks.next();
    if (done) return;
    const decoder = coding(value[0] ?? 0).stream();
    // Whatever fails errors the decoder, which is what is read.
    pipeline(Readable.from(startingWith(value, chunks)), decoder, ignore);
    yield* decoder as AsyncIterable<Uint8Array>;
  } finally {
    await chunks.return?.();
  }
}

async function* startingWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return;
    yield value;
  }
}

function ignore(): void {}
