import { ContentCodingError, isDecodedByAll } from "./coded_body.ts";

/**
 * Undoes those codings of a `fetch` body that the runtime left (RFC 9110 §8.4).
 *
 * Every runtime decodes `gzip` and `br`. Of `deflate`, `x-gzip`, `zstd` and lists, which a server may send unasked,
 * each decodes its own choice and keeps the header all the same, so the octets themselves are asked. A name that is
 * no coding (`none`, `utf-8`) is a server's slip: its body is what came. `deflate` without its zlib wrapping cannot
 * be told from text and is left.
 *
 * The stream errors as the body does, and with a {@link ContentCodingError} where decoding fails.
 *
 * @example
 * ```ts
 * const response = await fetch("https://example.com/");
 * const plain = undoCodings(response.headers.get("content-encoding") ?? "", response.body!);
 * ```
 */
export function undoCodings(
  contentEncoding: string,
  body: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  if (isDecodedByAll(contentEncoding)) return body;
  return contentEncoding
    .toLowerCase()
    .split(",")
    .reduceRight((left, coding) => undoCoding(coding.trim(), left), body);
}

interface Coding {
  /** Whether a body that begins so is still coded. */
  readonly isLeft: (head: Uint8Array) => boolean;
  /** `undefined`: nothing here decodes it. */
  readonly format?: CompressionFormat;
}

const SIGNATURE_BYTES = 4;

// Some decoders hand over at once all that a piece decodes to, which may be a thousand times its size.
const PIECE_BYTES = 4096;

const GZIP: Coding = {
  isLeft: (head) => head[0] === 0x1f && head[1] === 0x8b && head[2] === 8, // RFC 1952 §2.3.1
  format: "gzip",
};
const DEFLATE: Coding = {
  // RFC 1950 §2.2, with the window that all compressors take
  isLeft: (head) => head[0] === 0x78 && head[1] !== undefined && (0x7800 + head[1]) % 31 === 0,
  format: "deflate",
};
const COMPRESS: Coding = { isLeft: (head) => head[0] === 0x1f && head[1] === 0x9d };
const ZSTD: Coding = {
  isLeft: (head) => [0x28, 0xb5, 0x2f, 0xfd].every((octet, at) => head[at] === octet), // RFC 8878 §3.1.1
};

const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ["gzip", GZIP],
  ["x-gzip", GZIP],
  ["deflate", DEFLATE],
  ["compress", COMPRESS],
  ["x-compress", COMPRESS],
  ["zstd", ZSTD],
]);

function undoCoding(name: string, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const coding = CODINGS.get(name);
  if (!coding) return body;
  const source = new Source(body);
  let plain: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          plain ??= (await decode(name, coding, source)).getReader();
          const { done, value } = await plain.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          // Not every decoder passes on what its source broke with: workerd's has an error of its own.
          if (source.fault !== undefined) throw source.fault.error;
          void source.cancel(error).catch(ignore);
          if (error instanceof ContentCodingError) throw error;
          throw new ContentCodingError(`The body is not ${name}`, { cause: error });
        }
      },
      async cancel(reason) {
        // Node 20 does not pass it on through the decoder.
        void plain?.cancel(reason).catch(ignore);
        await source.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

async function decode(name: string, coding: Coding, source: Source): Promise<ReadableStream<Uint8Array>> {
  const whole = await source.peek(SIGNATURE_BYTES);
  if (!coding.isLeft(whole.head)) return whole.stream;
  if (!coding.format) throw new ContentCodingError(`There is no decoder for ${name}`);
  const decoder = new DecompressionStream(coding.format) as TransformStream<Uint8Array, Uint8Array>;
  return whole.stream.pipeThrough(decoder);
}

/** A stream that can be looked into, and that remembers by what it was broken. */
class Source {
  fault: { readonly error: unknown } | undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
  }

  /** At least so many first bytes, fewer only where there are no more; and the whole of it, these included. */
  async peek(bytes: number): Promise<{ head: Uint8Array; stream: ReadableStream<Uint8Array> }> {
    let head = new Uint8Array();
    while (head.byteLength < bytes) {
      const { done, value } = await this.#read();
      if (done) break;
      head = Uint8Array.from([...head, ...value]);
    }
    return { head, stream: this.#from(head) };
  }

  cancel(reason: unknown): Promise<void> {
    return this.#reader.cancel(reason);
  }

  #from(head: Uint8Array): ReadableStream<Uint8Array> {
    let rest = head;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          while (rest.byteLength === 0) {
            const { done, value } = await this.#read();
            if (done) return controller.close();
            rest = value;
          }
          controller.enqueue(rest.subarray(0, PIECE_BYTES));
          rest = rest.subarray(PIECE_BYTES);
        },
        cancel: (reason) => this.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  async #read(): Promise<ReadableStreamReadResult<Uint8Array>> {
    try {
      return await this.#reader.read();
    } catch (error) {
      this.fault = { error };
      throw error;
    }
  }
}

function ignore(): void {}
