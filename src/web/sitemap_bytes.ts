/** Tells the reader of a sitemap what was wrong with the file. */
export type Tell = (message: string) => void;

/** What a sitemap may be given as. */
export type SitemapBody = string | Uint8Array | ReadableStream<Uint8Array>;

// Pieces of this size keep memory flat whatever the size of the chunks that come in.
const PIECE_BYTES = 65_536;

/** The octets of one body, in pieces; a stream that breaks off ends the pieces and is told. */
export async function* readBytes(
  body: Uint8Array | ReadableStreamDefaultReader<Uint8Array>,
  tell: Tell,
): AsyncGenerator<Uint8Array, void, void> {
  if (body instanceof Uint8Array) return yield* inPieces(body);
  for (;;) {
    let chunk: Uint8Array | undefined;
    try {
      chunk = (await body.read()).value;
    } catch (error) {
      return tell(`the transfer broke off: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (chunk === undefined) return;
    yield* inPieces(chunk);
  }
}

function* inPieces(bytes: Uint8Array): Generator<Uint8Array, void, void> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/** The first `maxBytes` octets; that there are more is told. */
export async function* limitBytes(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tell: Tell,
): AsyncGenerator<Uint8Array, void, void> {
  let left = maxBytes;
  for await (const chunk of chunks) {
    if (chunk.length > left) {
      yield chunk.subarray(0, left);
      return tell(`larger than ${maxBytes} bytes: the rest is left out`);
    }
    left -= chunk.length;
    yield chunk;
  }
}

/** The first `maxChars` of a text, in pieces; that there is more is told. */
export function* limitText(text: string, maxChars: number, tell: Tell): Generator<string, void, void> {
  const end = Math.min(text.length, maxChars);
  for (let at = 0; at < end; at += PIECE_BYTES) yield text.slice(at, Math.min(end, at + PIECE_BYTES));
  if (text.length > maxChars) tell(`larger than ${maxChars} characters: the rest is left out`);
}

/** The beginning of a body, long enough to be recognised by, and what follows it. */
export interface Opening {
  start: Uint8Array;
  rest: AsyncIterator<Uint8Array, void, void>;
}

/** Reads until `isEnough` of what has come so far, or to the end. */
export async function readOpening(
  chunks: AsyncIterable<Uint8Array>,
  isEnough: (start: Uint8Array) => boolean,
): Promise<Opening> {
  const rest = chunks[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, void, void>;
  let start: Uint8Array = new Uint8Array(0);
  while (!isEnough(start)) {
    const next = await rest.next();
    if (next.done) break;
    start = concatBytes(start, next.value);
  }
  return { start, rest };
}

/** The body of which an opening was read, whole again. */
export async function* rejoin({ start, rest }: Opening): AsyncGenerator<Uint8Array, void, void> {
  try {
    if (start.length > 0) yield start;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Both, one after the other; the second as it is when the first is empty. */
export function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
