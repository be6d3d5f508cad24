import { ignore, refuseOver, tooLarge } from "../body.ts";
import type { TransportResponse } from "../fetcher.ts";
import type { IncomingBody } from "./undici_body.ts";
import { codingsOf, decodeChunks, decodeWhole } from "./undici_decoding.ts";

// Up to so many coded octets are decoded in one go: streams of Node's cost more than the decoding.
const MAX_WHOLE_CODED_BYTES = 65_536;

/** An answer whose body is decoded as far as there are decoders. */
export class UndiciResponse implements TransportResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly #incoming: IncomingBody;
  readonly #hasBody: boolean;
  #stream: ReadableStream<Uint8Array> | undefined;

  constructor(method: string, status: number, headers: Headers, incoming: IncomingBody) {
    this.status = status;
    this.headers = headers;
    this.#incoming = incoming;
    // RFC 9110 §6.4.1
    this.#hasBody = method !== "HEAD" && status !== 204 && status !== 304;
  }

  get body(): ReadableStream<Uint8Array> | null {
    if (!this.#hasBody) return null;
    this.#stream ??= streamOf(this.#chunks(), (reason) => this.#incoming.cancel(reason));
    return this.#stream;
  }

  async read(maxBytes: number): Promise<Uint8Array> {
    const codings = codingsOf(this.headers.get("content-encoding") ?? "");
    const incoming = this.#incoming;
    const taken = new Gathered(codings.length === 0 ? maxBytes : Number.POSITIVE_INFINITY);
    while (codings.length === 0 || taken.bytes <= MAX_WHOLE_CODED_BYTES) {
      for (const chunk of await incoming.take()) taken.add(chunk);
      if (incoming.isAtEnd) return decodeShort(codings, taken.whole(), maxBytes);
    }
    const plain = new Gathered(maxBytes);
    for await (const chunk of decodeChunks(codings, startingWith(taken.whole(), incoming))) plain.add(chunk);
    return plain.whole();
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.read(Number.POSITIVE_INFINITY)).slice().buffer;
  }

  #chunks(): AsyncGenerator<Uint8Array> {
    return decodeChunks(codingsOf(this.headers.get("content-encoding") ?? ""), this.#incoming);
  }
}

/** Chunks to be put together, within a cap. */
class Gathered {
  readonly #maxBytes: number;
  readonly #chunks: Uint8Array[] = [];
  bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws {TransferError} `too-large` past the cap */
  add(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    refuseOver(this.#maxBytes, this.bytes);
    this.#chunks.push(chunk);
  }

  /** Shares the memory of what the socket read only where little else is in it: mostly the head. */
  whole(): Uint8Array {
    const [first] = this.#chunks;
    if (this.#chunks.length === 1 && first !== undefined && isMostOfItsMemory(first)) return viewOf(first);
    const whole = new Uint8Array(this.bytes);
    let offset = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, offset);
      offset += chunk.byteLength;
    }
    return whole;
  }
}

function isMostOfItsMemory({ buffer, byteLength }: Uint8Array): boolean {
  return buffer.byteLength <= 1.25 * byteLength;
}

/** The same octets, not as a `Buffer`. */
function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

type Codings = ReturnType<typeof codingsOf>;

function decodeShort(codings: Codings, taken: Uint8Array, maxBytes: number): Uint8Array {
  if (codings.length === 0) return taken;
  try {
    return viewOf(decodeWhole(codings, taken, maxBytes));
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_BUFFER_TOO_LARGE") throw error;
    throw tooLarge(maxBytes, { cause: error });
  }
}

async function* startingWith(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

function streamOf(
  chunks: AsyncGenerator<Uint8Array>,
  cancel: (reason: unknown) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) return controller.close();
        controller.enqueue(viewOf(value));
      },
      cancel(reason) {
        cancel(reason);
        void chunks.return(undefined).catch(ignore);
      },
    },
    { highWaterMark: 0 },
  );
}
