import type { FailureReason } from "./result.ts";

/** A body that could not be had whole, with the reason as failures give it. */
export class TransferError extends Error {
  override readonly name: string = "TransferError";
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

interface BodySource {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Whether the answer has no body to read, whatever its headers say (RFC 9110 §6.4.1). */
export function hasEmptyBody(response: BodySource, method: string): boolean {
  return response.body === null || method === "HEAD";
}

/** Reads a body to its end, or to the cap. */
export async function readBody(
  response: BodySource,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const lengthBytes = contentLength(response.headers);
  if (lengthBytes !== undefined && lengthBytes <= maxBytes && !response.headers.has("content-encoding")) {
    return new Uint8Array(await response.arrayBuffer());
  }
  const reader = capped(response.body!, maxBytes).getReader();
  const chunks: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (signal.aborted) await reader.cancel();
    if (done) return concat(chunks);
    chunks.push(value);
  }
}

/** A body as a stream that errors at the cap. */
export async function bodyStream(
  response: BodySource,
  maxBytes: number,
): Promise<ReadableStream<Uint8Array>> {
  return capped(response.body!, maxBytes);
}

function capped(body: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  let bytes = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes)
          throw new TransferError("too-large", `The body is larger than ${maxBytes} bytes`);
        controller.enqueue(chunk);
      },
    }),
  );
}

function contentLength(headers: Headers): number | undefined {
  const value = headers.get("content-length");
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
