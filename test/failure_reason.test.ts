import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failureReason, TransferError } from "../src/failure_reason.ts";
import type { FailureReason } from "../src/result.ts";
import { ContentCodingError } from "../src/web/coded_body.ts";

/** An error as a runtime threw it, from the outside in. */
type Recorded = readonly { name?: string; code?: string; message: string }[];

function thrown([outer, ...causes]: Recorded): Error {
  const error = new TypeError(outer?.message, causes.length > 0 ? { cause: thrown(causes) } : undefined);
  return Object.assign(error, outer?.code && { code: outer.code }, outer?.name && { name: outer.name });
}

const undici = (cause: Recorded[number]): Recorded => [{ message: "fetch failed" }, cause];
const undiciBody = (cause: Recorded[number]): Recorded => [{ message: "terminated" }, cause];
const deno = (message: string): Recorded => [{ message: "fetch failed" }, { message }];
const denoTo = (message: string): Recorded =>
  deno(`error sending request for url (http://127.0.0.1:43753/): client error (Connect): ${message}`);
const denoFrom = (message: string): Recorded =>
  deno(
    `error sending request from 127.0.0.1:55900 for http://127.0.0.1:38783/a (127.0.0.1:38783): client error (SendRequest): ${message}`,
  );
const denoBody = (message: string): Recorded => [{ message }];
const bun = (code: string): Recorded => [
  {
    code,
    message: `${code} fetching "http://127.0.0.1:38783/a". For more information, pass \`verbose: true\` in the second argument to fetch()`,
  },
];
const workerd = (message: string): Recorded => [{ name: "Error", message }];

const HTTP_PARSER = "Response does not match the HTTP/1.1 protocol";

// Recorded from Node 20.20 and 24.21, Deno 2.9.6, Bun 1.4.5 and 1.2.0, and workerd 1.20261117. Only an expired
// certificate, an unknown issuer and undici's own deadlines are as their documentation spells them.
const RECORDED: Readonly<Record<FailureReason, Readonly<Record<string, Recorded>>>> = {
  dns: {
    node: undici({ code: "ENOTFOUND", message: "getaddrinfo ENOTFOUND nowhere.invalid" }),
    deno: denoTo("dns error: failed to lookup address information: Name or service not known"),
    bun: [{ code: "ENOTFOUND", message: "getaddrinfo ENOTFOUND nowhere.invalid" }],
  },
  connect: {
    node: undici({ code: "ECONNREFUSED", message: "connect ECONNREFUSED 127.0.0.1:43753" }),
    "undici's own deadline": undici({ code: "UND_ERR_CONNECT_TIMEOUT", message: "Connect Timeout Error" }),
    deno: denoTo("tcp connect error: Connection refused (os error 111)"),
    bun: [{ code: "ECONNREFUSED", message: "ECONNREFUSED: Unable to connect." }],
    "bun 1.2": [{ code: "ConnectionRefused", message: "Unable to connect." }],
  },
  tls: {
    "node, self-signed": undici({
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
      message: "self-signed certificate; if the root CA is installed locally, try --use-system-ca",
    }),
    "node, expired": undici({ code: "CERT_HAS_EXPIRED", message: "certificate has expired" }),
    "node, unknown issuer": undici({
      code: "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
      message: "unable to get local issuer certificate",
    }),
    "node, other name": undici({
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
      message: "Hostname/IP does not match certificate's altnames",
    }),
    "node, old version": undici({
      code: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
      message: "805C69F9AF7F0000:error:0A00042E:SSL routines:ssl3_read_bytes:tlsv1 alert protocol version",
    }),
    "node, no TLS": undici({
      code: "ERR_SSL_WRONG_VERSION_NUMBER",
      message: "error:0A00010B:SSL routines",
    }),
    "deno, certificate": denoTo("invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))"),
    "deno, old version": denoTo("received fatal alert: ProtocolVersion"),
    "deno, no TLS": denoTo("received corrupt message of type InvalidContentType"),
    "bun, self-signed": [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT", message: "self signed certificate" }],
    "bun, other name": bun("ERR_TLS_CERT_ALTNAME_INVALID"),
    "bun, no TLS": [{ code: "EPROTO", message: "EPROTO: The TLS handshake failed." }],
  },
  reset: {
    "node, reset": undici({ code: "ECONNRESET", message: "read ECONNRESET" }),
    "node, closed": undici({ name: "SocketError", code: "UND_ERR_SOCKET", message: "other side closed" }),
    "node, in the body": undiciBody({ code: "UND_ERR_SOCKET", message: "other side closed" }),
    "node, before TLS": undici({
      code: "ECONNRESET",
      message: "Client network socket disconnected before secure TLS connection was established",
    }),
    "deno, reset": deno("Connection reset by peer (os error 104)"),
    "deno, closed": denoFrom("connection closed before message completed"),
    "deno, in the body": denoBody("error reading a body from connection"),
    "deno, before TLS": denoTo("tls handshake eof"),
    bun: [{ code: "ECONNRESET", message: "ECONNRESET: The socket connection was closed unexpectedly." }],
    "bun 1.2": [{ code: "ConnectionClosed", message: "The socket connection was closed unexpectedly." }],
    workerd: workerd("Network connection lost."),
  },
  timeout: {
    "undici's own deadline on headers": undici({
      code: "UND_ERR_HEADERS_TIMEOUT",
      message: "Headers Timeout Error",
    }),
    "undici's own deadline on an idle body": undiciBody({
      code: "UND_ERR_BODY_TIMEOUT",
      message: "Body Timeout Error",
    }),
    "a deadline of the caller's fetch": [{ name: "TimeoutError", message: "The operation timed out." }],
  },
  "too-large": {},
  redirect: {},
  decode: {
    "node, gzip": undiciBody({ code: "Z_DATA_ERROR", message: "incorrect header check" }),
    "node, cut gzip": [{ code: "Z_BUF_ERROR", message: "unexpected end of file" }],
    "node, br": undiciBody({ code: "ERR__ERROR_FORMAT_PADDING_1", message: "Decompression failed" }),
    "deno, gzip": denoBody("Invalid gzip header"),
    "deno, checksum": denoBody("CRC computed does not match"),
    "deno, cut gzip": denoBody("unexpected end of file"),
    "deno, br": denoBody("brotli error"),
    "deno, cut br": denoBody("reached unexpected EOF"),
    "bun, gzip": bun("ZlibError"),
    "bun, br": bun("BrotliDecompressionError"),
    "bun 1.2, cut gzip": bun("ShortRead"),
    "workerd, gzip": workerd("Gzip decompression failed."),
    "workerd, cut gzip": workerd("Gzip compressed stream ended prematurely."),
    "workerd, br": workerd("Brotli decompression failed."),
    "workerd, cut br": workerd("Brotli compressed stream ended prematurely."),
  },
  protocol: {
    "node 20": undici({
      name: "HTTPParserError",
      code: "HPE_INVALID_CONSTANT",
      message: `${HTTP_PARSER} (Expected HTTP/)`,
    }),
    "node 24": undici({
      name: "HTTPParserError",
      message: `${HTTP_PARSER} (Expected HTTP/, RTSP/ or ICE/)`,
    }),
    "node, in the body": undiciBody({
      name: "HTTPParserError",
      code: "HPE_INVALID_CHUNK_SIZE",
      message: HTTP_PARSER,
    }),
    "node, headers without end": undici({
      code: "UND_ERR_HEADERS_OVERFLOW",
      message: "Headers Overflow Error",
    }),
    "node 24, two lengths": undici({
      code: "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
      message: "Response body length does not match content-length header",
    }),
    "deno, version": denoFrom("invalid HTTP version parsed"),
    "deno, header": denoFrom("invalid HTTP header parsed"),
    "deno, length": denoFrom("invalid content-length parsed"),
    "deno, headers without end": denoFrom("message head is too large"),
    "bun, head": bun("Malformed_HTTP_Response"),
    "bun, chunk": bun("InvalidHTTPResponse"),
    "bun, length": bun("InvalidContentLength"),
  },
  network: {
    "node, status 407": undici({ message: "" }),
    "node, a port that fetch refuses": undici({ message: "bad port" }),
    "workerd, a name, a certificate": workerd("internal error; reference = l80l5qq42044tljkr9he2m8h"),
    "a file": [{ message: "Fetch API cannot load: file:///etc/passwd" }],
  },
};

const ROWS = Object.entries(RECORDED).flatMap(([reason, recorded]) =>
  Object.entries(recorded).map(([where, errors]) => ({ reason, where, errors })),
);

describe("failureReason()", () => {
  it.each(ROWS)("says $reason for what was recorded: $where", ({ reason, errors }) => {
    expect(failureReason(thrown(errors))).toBe(reason);
  });

  it("looks into the errors of all addresses of a name", () => {
    const refused = thrown([{ code: "ECONNREFUSED", message: "connect ECONNREFUSED ::1:80" }]);
    const cause = new AggregateError([refused, refused], "");
    expect(failureReason(new TypeError("fetch failed", { cause }))).toBe("connect");
  });

  it("knows the faults that the fetcher finds itself", () => {
    expect(failureReason(new TransferError("too-large", "The body has more than 5 bytes"))).toBe("too-large");
    expect(failureReason(new ContentCodingError("The body is not gzip"))).toBe("decode");
  });

  it("ends on a chain of causes that bites its own tail", () => {
    const error = new Error("a");
    error.cause = error;
    expect(failureReason(error)).toBe("network");
  });

  it("gives a reason for whatever is thrown", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(Object.keys(RECORDED)).toContain(failureReason(value));
      }),
      { numRuns: 200 },
    );
  });
});
