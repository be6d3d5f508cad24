import type { FailureReason } from "./result.ts";
import { ContentCodingError } from "./web/coded_body.ts";

/** A fault that the fetcher found itself, or one of the runtime's with its reason: what a body's stream errors with. */
export class TransferError extends Error {
  override readonly name: string = "TransferError";
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Why a request failed, by what the runtime threw: the same reason on every runtime, as far as they tell.
 *
 * Node and Bun set a `code`, Node's on the cause; Deno and workerd tell by the message alone. Where they tell
 * nothing, the reason is `network`: unknown names and TLS faults on workerd ("internal error"), a status of 407 on
 * Node (no code, no message). workerd calls a refused connection lost, which is `reset`; Deno does not tell a
 * malformed chunk from a connection that ends in a body, which is `reset` too.
 *
 * @example
 * ```ts
 * const refused = new TypeError("fetch failed", {
 *   cause: Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:80"), { code: "ECONNREFUSED" }),
 * });
 * failureReason(refused); // "connect"
 * ```
 */
export function failureReason(error: unknown): FailureReason {
  for (const fault of faults(error)) {
    if (fault instanceof TransferError) return fault.reason;
    if (fault instanceof ContentCodingError) return "decode";
    const reason = byCode(fault.code) ?? byName(fault.name) ?? byMessage(fault.message);
    if (reason !== undefined) return reason;
  }
  return "network";
}

interface Fault {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

// Chains this long have not been seen; the bound is against a chain that bites its own tail.
const MAX_CAUSES = 8;

/** The error, its causes, and what an AggregateError holds: one a failed address where a name has several. */
function* faults(error: unknown): Generator<Fault> {
  let at = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof at === "object" && at !== null; depth++) {
    yield at;
    if (at instanceof AggregateError)
      yield* at.errors.filter((each) => typeof each === "object" && each !== null);
    at = (at as { cause?: unknown }).cause;
  }
}

const REASON_BY_CODE: ReadonlyMap<string, FailureReason> = new Map<string, FailureReason>([
  // The system's, on Node and Bun.
  ["ENOTFOUND", "dns"],
  ["EAI_AGAIN", "dns"],
  ["EAI_NODATA", "dns"],
  ["EAI_NONAME", "dns"],
  ["EAI_FAIL", "dns"],
  ["ECONNREFUSED", "connect"],
  ["EHOSTUNREACH", "connect"],
  ["EHOSTDOWN", "connect"],
  ["ENETUNREACH", "connect"],
  ["ENETDOWN", "connect"],
  ["EADDRNOTAVAIL", "connect"],
  ["ETIMEDOUT", "connect"],
  ["EACCES", "connect"],
  ["ECONNRESET", "reset"],
  ["ECONNABORTED", "reset"],
  ["EPIPE", "reset"],
  ["EPROTO", "tls"],
  // undici's, on Node.
  ["UND_ERR_CONNECT_TIMEOUT", "connect"],
  ["UND_ERR_HEADERS_TIMEOUT", "timeout"],
  ["UND_ERR_BODY_TIMEOUT", "timeout"],
  ["UND_ERR_SOCKET", "reset"],
  ["UND_ERR_HEADERS_OVERFLOW", "protocol"],
  ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "protocol"],
  // Bun's own; the second three until Bun 1.2.
  ["FailedToOpenSocket", "connect"],
  ["Malformed_HTTP_Response", "protocol"],
  ["InvalidHTTPResponse", "protocol"],
  ["InvalidContentLength", "protocol"],
  ["ZlibError", "decode"],
  ["BrotliDecompressionError", "decode"],
  ["ZstdDecompressionError", "decode"],
  ["ConnectionRefused", "connect"],
  ["ConnectionClosed", "reset"],
  ["ShortRead", "decode"],
]);

const REASON_BY_CODE_PATTERN: readonly (readonly [RegExp, FailureReason])[] = [
  // OpenSSL's, by https://nodejs.org/api/tls.html#x509-certificate-error-codes
  [/^(?:ERR_SSL|ERR_TLS|CERT|CRL|UNABLE_TO|ERROR_IN_C|DEPTH_ZERO|SELF_SIGNED)_/, "tls"],
  [/^(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/, "tls"],
  [/^HPE_/, "protocol"],
  // zlib's, brotli's and zstd's, as Node spells them.
  [/^(?:Z|ERR_|ZSTD)_(?:BUF|DATA|STREAM|NEED|ERROR|error)_/, "decode"],
];

function byCode(code: unknown): FailureReason | undefined {
  if (typeof code !== "string") return undefined;
  return REASON_BY_CODE.get(code) ?? firstMatch(REASON_BY_CODE_PATTERN, code);
}

function byName(name: unknown): FailureReason | undefined {
  if (name === "TimeoutError") return "timeout";
  // Without a code on Node 24.
  if (name === "HTTPParserError") return "protocol";
  return undefined;
}

// In this order: Deno's "(Connect)" stands before whatever went wrong in it.
const REASON_BY_MESSAGE: readonly (readonly [RegExp, FailureReason])[] = [
  // Deno's, that is hyper's, rustls' and the system's
  [/\bdns error\b/, "dns"],
  [/\btcp connect error\b/, "connect"],
  [/\btls handshake eof\b/, "reset"],
  [
    /\binvalid peer certificate\b|\bfatal alert\b|\bcorrupt message\b|\bpeer (?:is incompatible|misbehaved)\b/,
    "tls",
  ],
  [/\binvalid .+ parsed\b|\bmessage head is too large\b/, "protocol"],
  [
    /\bclosed before message completed\b|\breading a body from connection\b|\(os error 104\)|\bclose_notify\b/,
    "reset",
  ],
  [/^Invalid gzip header$|^CRC computed does not match$|^corrupt (?:gzip|deflate) stream/, "decode"],
  [/^brotli error$|^unexpected end of file$|^reached unexpected EOF$/, "decode"],
  // workerd's
  [/^Network connection lost\.$/, "reset"],
  [/^(?:Gzip|Brotli) (?:decompression failed|compressed stream ended prematurely)\.$/, "decode"],
];

function byMessage(message: unknown): FailureReason | undefined {
  return typeof message === "string" ? firstMatch(REASON_BY_MESSAGE, message) : undefined;
}

function firstMatch(
  reasons: readonly (readonly [RegExp, FailureReason])[],
  text: string,
): FailureReason | undefined {
  return reasons.find(([pattern]) => pattern.test(text))?.[1];
}
