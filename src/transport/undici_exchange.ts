import type { Dispatcher } from "undici";
import { ignore, refuseOver, tooLarge } from "../body.ts";
import type { TransportRequest, TransportResponse } from "../fetcher.ts";
import { codingsOf, decodeChunks, decodeWhole } from "./undici_decoding.ts";

// What an unread body may hold in memory before its connection is paused.
const MAX_AHEAD_BYTES = 131_072;

// Up to so many coded octets are decoded in one go: streams of Node's cost more than the decoding.
const MAX_WHOLE_CODED_BYTES = 65_536;

type Headers = globalThis.Headers;
type Handler = Dispatcher.DispatchHandler;
type Controller = Dispatcher.DispatchController;

/** Called when nothing more comes of an exchange. */
export type OnEnd = () => void;

/** One request and its answer: what undici tells, as a promise of a head and a body that is pulled. */
export class Exchange implements Handler {
  /** Settles with the answer's head. */
  readonly head: Promise<TransportResponse>;
  readonly #request: TransportRequest;
  readonly #onEnd: OnEnd;
  readonly #cutConnecting: () => void;
  readonly #onAbort = (): void => this.abort(this.#request.signal.reason);
  #resolveHead!: (response: TransportResponse) => void;
  #rejectHead!: (reason: unknown) => void;
  #controller: Controller | undefined;
  #body: IncomingBody | undefined;
  #fault: { readonly error: unknown } | undefined;

  /** @param cutConnecting gives up on a connection that is not there yet */
  constructor(request: TransportRequest, cutConnecting: () => void, onEnd: OnEnd) {
    this.#request = request;
    this.#cutConnecting = cutConnecting;
    this.#onEnd = onEnd;
    this.head = new Promise((resolve, reject) => {
      this.#resolveHead = resolve;
      this.#rejectHead = reject;
    });
    request.signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#fault !== undefined) controller.abort(asError(this.#fault.error));
  }

  onResponseStart(controller: Controller, status: number, fields: Fields): void {
    // RFC 9110 §15.2: an interim answer, which may be ignored.
    if (status < 200) return;
    const headers = headersOf(fields);
    this.#body = new IncomingBody(controller, (reason) => this.abort(reason));
    this.#resolveHead(new UndiciResponse(this.#request.method, status, headers, this.#body));
  }

  onResponseData(_: Controller, chunk: Uint8Array): void {
    this.#body?.push(chunk);
  }

  onResponseEnd(): void {
    this.#body?.end();
    this.#over();
  }

  onResponseError(_: Controller | undefined, error: Error): void {
    this.#fail(error);
    this.#over();
  }

  /** Ends it early, whatever it is waiting for. */
  abort(reason: unknown): void {
    this.#fail(reason);
    if (this.#controller === undefined) this.#cutConnecting();
    else this.#controller.abort(asError(reason));
  }

  #fail(error: unknown): void {
    this.#fault ??= { error };
    this.#rejectHead(error);
    this.#body?.fail(error);
  }

  #over(): void {
    this.#request.signal.removeEventListener("abort", this.#onAbort);
    this.#onEnd();
  }
}

type Fields = Readonly<Record<string, string | string[] | undefined>>;

function headersOf(fields: Fields): Headers {
  const headers = new Headers();
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === "string") headers.append(name, value);
    else if (value !== undefined) for (const each of value) headers.append(name, each);
  }
  return headers;
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The request was aborted", { cause: reason });
}

/** A body on its way, held back while nobody reads it. */
class IncomingBody implements AsyncIterable<Uint8Array> {
  readonly #controller: Controller;
  readonly #abort: (reason: unknown) => void;
  #chunks: Uint8Array[] = [];
  #aheadBytes = 0;
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(controller: Controller, abort: (reason: unknown) => void) {
    this.#controller = controller;
    this.#abort = abort;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#aheadBytes += chunk.byteLength;
    if (this.#aheadBytes > MAX_AHEAD_BYTES) this.#controller.pause();
    this.#wake?.();
  }

  end(): void {
    this.#end ??= {};
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  /** Gives up what has not come yet. */
  cancel(reason: unknown): void {
    this.#chunks = [];
    if (this.#end === undefined) this.#abort(reason);
  }

  /** What is there, once there is something; nothing once there is nothing more. */
  async take(): Promise<readonly Uint8Array[]> {
    while (this.#chunks.length === 0) {
      const end = this.#end;
      if (end !== undefined && "error" in end) throw end.error;
      if (end !== undefined) return [];
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const taken = this.#chunks;
    this.#chunks = [];
    this.#aheadBytes = 0;
    if (this.#end === undefined) this.#controller.resume();
    return taken;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunks = await this.take();
        if (chunks.length === 0) return;
        yield* chunks;
      }
    } finally {
      this.cancel(new DOMException("The body was not wanted to its end", "AbortError"));
    }
  }
}

/** An answer whose body is decoded as far as there are decoders. */
class UndiciResponse implements TransportResponse {
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
      const chunks = await incoming.take();
      if (chunks.length === 0) return decodeShort(codings, taken.whole(), maxBytes);
      for (const chunk of chunks) taken.add(chunk);
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

  /** A copy, also of a single chunk: that shares its memory with the rest of what the socket read. */
  whole(): Uint8Array {
    const whole = new Uint8Array(this.bytes);
    let offset = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, offset);
      offset += chunk.byteLength;
    }
    return whole;
  }
}

type Codings = ReturnType<typeof codingsOf>;

function decodeShort(codings: Codings, taken: Uint8Array, maxBytes: number): Uint8Array {
  if (codings.length === 0) return taken;
  try {
    const { buffer, byteOffset, byteLength } = decodeWhole(codings, taken, maxBytes);
    return new Uint8Array(buffer, byteOffset, byteLength);
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
        controller.enqueue(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
      },
      cancel(reason) {
        cancel(reason);
        void chunks.return(undefined).catch(ignore);
      },
    },
    { highWaterMark: 0 },
  );
}
