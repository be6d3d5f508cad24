import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

/** A server on loopback that writes what no proper one would, one misdeed a path. */
export interface MisbehavingServer {
  url(misdeed: Misdeed): string;
  /**
   * Settles once every connection that carried a request is closed. A spare one does not count: after an abort undici
   * opens one, unused and unreferenced.
   */
  released(): Promise<void>;
  close(): Promise<void>;
}

export type Misdeed =
  | "status-407"
  | "status-999"
  | "never-answers"
  | "reset-before-head"
  | "closed-before-head"
  | "reset-in-head"
  | "closed-in-head"
  | "reset-in-body"
  | "cut-body"
  | "cut-chunk"
  | "cut-chunks"
  | "bad-chunk-size"
  | "bad-gzip"
  | "truncated-gzip"
  | "corrupt-gzip"
  | "bad-br"
  | "truncated-br"
  | "good-gzip"
  | "good-br"
  | "good-x-gzip"
  | "good-deflate"
  | "twice-gzip"
  | "unknown-coding"
  | "no-http"
  | "bad-head"
  | "bad-content-length"
  | "two-content-lengths"
  | "slow-body"
  | "slow-head"
  | "slow-redirect"
  | "endless-body"
  | "endless-head"
  | "no-reason-phrase"
  | "cookie-octets"
  | "coding-none"
  | "control-in-value"
  | "space-in-name";

// RFC 8446 §5.1: the content type of a record that begins a connection.
const TLS_HANDSHAKE = 22;
const DRIP_MS = 20;
/** What the misdeeds that compress had before. */
export const COMPRESSED_PAGE: string = "<!doctype html><title>a</title>".repeat(200);
const OK = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n";

/** What each path does with the socket on which it was asked for. */
export const MISDEEDS: Readonly<Record<Misdeed, (socket: Socket) => void>> = {
  "never-answers": () => {},
  "reset-before-head": (socket) => socket.resetAndDestroy(),
  "closed-before-head": (socket) => socket.end(),
  "reset-in-head": (socket) => socket.write("HTTP/1.1 200 O", () => socket.resetAndDestroy()),
  "closed-in-head": (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-type: te"),
  "reset-in-body": (socket) => resetAfterRead(socket, `${OK}content-length: 1000\r\n\r\n<p>`),
  "cut-body": (socket) => socket.end(`${OK}content-length: 1000\r\n\r\n<p>`),
  "cut-chunk": (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\n40\r\n<p>`),
  "cut-chunks": (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\n3\r\n<p>\r\n`),
  "bad-chunk-size": (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\n<p>\r\n0\r\n\r\n`),
  "bad-gzip": (socket) => answer(socket, "gzip", Buffer.from("this was never compressed")),
  "truncated-gzip": (socket) => answer(socket, "gzip", half(gzipSync(COMPRESSED_PAGE))),
  "corrupt-gzip": (socket) => answer(socket, "gzip", flipped(gzipSync(COMPRESSED_PAGE))),
  "bad-br": (socket) => answer(socket, "br", Buffer.from("this was never compressed")),
  "truncated-br": (socket) => answer(socket, "br", half(brotliCompressSync(COMPRESSED_PAGE))),
  "good-gzip": (socket) => answer(socket, "gzip", gzipSync(COMPRESSED_PAGE)),
  "good-br": (socket) => answer(socket, "br", brotliCompressSync(COMPRESSED_PAGE)),
  "good-x-gzip": (socket) => answer(socket, "x-gzip", gzipSync(COMPRESSED_PAGE)),
  "good-deflate": (socket) => answer(socket, "deflate", deflateSync(COMPRESSED_PAGE)),
  "twice-gzip": (socket) => answer(socket, "gzip, gzip", gzipSync(gzipSync(COMPRESSED_PAGE))),
  "unknown-coding": (socket) => answer(socket, "lzw", Buffer.from("lzw")),
  "no-http": (socket) => socket.end("220 mail.test ESMTP ready\r\n"),
  "bad-head": (socket) => socket.end("HTTP/1.1 200 OK\r\nno colon here\r\n\r\n<p>"),
  "bad-content-length": (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n<p>"),
  "two-content-lengths": (socket) =>
    socket.end("HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\n<p>x"),
  "slow-body": (socket) => {
    socket.write(`${OK}\r\n`);
    drip(socket, "x");
  },
  "slow-head": (socket) => {
    socket.write(`${OK}x-slow: `);
    drip(socket, "x");
  },
  "slow-redirect": (socket) => {
    socket.write("HTTP/1.1 302 Found\r\nlocation: /there\r\ncontent-length: 1000\r\n\r\n");
    drip(socket, "x");
  },
  "endless-body": (socket) => {
    socket.write(`${OK}\r\n`);
    pour(socket, "<p>endless</p>".repeat(1000));
  },
  "endless-head": (socket) => {
    socket.write(OK);
    pour(socket, "x-endless: endless\r\n".repeat(1000));
  },
  "status-999": (socket) => socket.end("HTTP/1.1 999 Denied\r\ncontent-length: 3\r\n\r\n<p>"),
  "status-407": (socket) => socket.end("HTTP/1.1 407 Proxy\r\ncontent-length: 3\r\n\r\n<p>"),
  "no-reason-phrase": (socket) => socket.end("HTTP/1.1 200\r\ncontent-length: 3\r\n\r\n<p>"),
  "cookie-octets": (socket) =>
    socket.end(Buffer.from(`${OK}set-cookie: a=\u00c3\u00a9\r\ncontent-length: 3\r\n\r\n<p>`, "latin1")),
  "coding-none": (socket) => answer(socket, "none", Buffer.from("<p>")),
  "control-in-value": (socket) => socket.end(`${OK}x-odd: a\u0001b\r\ncontent-length: 3\r\n\r\n<p>`),
  "space-in-name": (socket) => socket.end(`${OK}x odd: a\r\ncontent-length: 3\r\n\r\n<p>`),
};

export async function misbehavingServer(): Promise<MisbehavingServer> {
  const sockets = new Set<Socket>();
  const asked = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => {
      sockets.delete(socket);
      asked.delete(socket);
      server.emit("released");
    });
    socket.on("error", () => socket.destroy());
    let head = "";
    socket.once("data", (bytes) => {
      if (bytes[0] === TLS_HANDSHAKE) socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    socket.on("data", (bytes) => {
      asked.add(socket);
      head += bytes.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      const misdeed = /^\S+ \/(\S*)/.exec(head)?.[1] as Misdeed;
      head = "";
      MISDEEDS[misdeed](socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  return {
    url: (misdeed) => `http://127.0.0.1:${port}/${misdeed}`,
    async released() {
      while (asked.size > 0) await once(server, "released");
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function answer(socket: Socket, coding: string, body: Buffer): void {
  socket.write(`${OK}content-encoding: ${coding}\r\ncontent-length: ${body.byteLength}\r\n\r\n`);
  socket.end(body);
}

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.byteLength / 2);
}

/** With one bit wrong in the checksum, the last but eight octets of a gzip member (RFC 1952 §2.3). */
function flipped(gzip: Buffer): Buffer {
  const at = gzip.byteLength - 8;
  gzip.writeUInt8(gzip.readUInt8(at) ^ 1, at);
  return gzip;
}

/** Resets once the client has had the time to read: a reset may overtake what was written before it. */
function resetAfterRead(socket: Socket, text: string): void {
  socket.write(text);
  setTimeout(() => socket.resetAndDestroy(), DRIP_MS);
}

function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), DRIP_MS);
  socket.on("close", () => clearInterval(timer));
}

/** Writes as fast as the client reads. */
function pour(socket: Socket, text: string): void {
  const fill = (): void => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on("drain", fill);
  fill();
}
