import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContentCodingError } from "../../src/web/coded_body.ts";
import { undoCodings } from "../../src/web/content_coding.ts";

const PAGE = "<!doctype html><title>a</title>".repeat(50);

// RFC 1951 §3.2.3: the last block, of the type that is an error.
const RESERVED_BLOCK = 0b111;

/** A body that comes in pieces of so many bytes, and after its last breaks with `fault` where one is given. */
function bodyOf(
  bytes: Uint8Array,
  pieceBytes: number = bytes.byteLength,
  fault?: Error,
): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at < bytes.byteLength) {
          controller.enqueue(new Uint8Array(bytes.subarray(at, at + pieceBytes)));
          at += pieceBytes;
        } else if (fault) controller.error(fault);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Octets that compression makes no shorter: those of a linear congruential generator. */
function incompressible(bytes: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length: bytes }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

/** A body of which no more comes, and that does not end. */
function unfinished(bytes: Uint8Array): { body: ReadableStream<Uint8Array>; cancelled: Promise<void> } {
  let onCancel: () => void;
  const cancelled = new Promise<void>((resolve) => {
    onCancel = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(bytes)),
    cancel: () => onCancel(),
  });
  return { body, cancelled };
}

async function read(contentEncoding: string, bytes: Uint8Array, pieceBytes?: number): Promise<Uint8Array> {
  const body = bodyOf(bytes, pieceBytes);
  return new Uint8Array(await new Response(undoCodings(contentEncoding, body)).arrayBuffer());
}

async function readText(contentEncoding: string, bytes: Uint8Array, pieceBytes?: number): Promise<string> {
  return new TextDecoder().decode(await read(contentEncoding, bytes, pieceBytes));
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("undoCodings()", () => {
  it.each([
    ["deflate", deflateSync(PAGE)],
    ["x-gzip", gzipSync(PAGE)],
    ["X-GZIP", gzipSync(PAGE)],
    ["gzip, gzip", gzipSync(gzipSync(PAGE))],
    ["deflate, gzip", gzipSync(deflateSync(PAGE))],
    ["deflate,x-gzip ", gzipSync(deflateSync(PAGE))],
  ])("decodes %s where the runtime left it", async (contentEncoding, bytes) => {
    expect(await readText(contentEncoding, bytes)).toBe(PAGE);
    expect(await readText(contentEncoding, bytes, 1)).toBe(PAGE);
  });

  it.each(["deflate", "x-gzip", "zstd", "compress", "gzip, gzip", "none", "identity", "utf-8", "lzw", ","])(
    "leaves %s alone where the body is decoded already",
    async (contentEncoding) => {
      expect(await readText(contentEncoding, utf8(PAGE))).toBe(PAGE);
      expect(await readText(contentEncoding, utf8("<p"))).toBe("<p");
      expect(await readText(contentEncoding, utf8(""))).toBe("");
    },
  );

  it.each(["", "gzip", "br", "GZIP"])(
    "does not look into a body of '%s', as every runtime decodes it",
    async (name) => {
      const archive = new Uint8Array(gzipSync(PAGE));
      const body = bodyOf(archive);
      expect(undoCodings(name, body)).toBe(body);
    },
  );

  it.each([
    ["zstd", [0x28, 0xb5, 0x2f, 0xfd, 0]],
    ["compress", [0x1f, 0x9d, 0x90, 0]],
    ["x-compress", [0x1f, 0x9d, 0x90, 0]],
  ])("fails on %s that was left, as nothing decodes it", async (name, octets) => {
    await expect(read(name, Uint8Array.from(octets))).rejects.toThrow(ContentCodingError);
  });

  it.each([
    ["x-gzip", gzipSync(PAGE).subarray(0, 10)],
    ["deflate", deflateSync(PAGE).subarray(0, 2)],
  ])("fails on %s that is broken, and reads no more", async (name, head) => {
    const { body, cancelled } = unfinished(Uint8Array.from([...head, RESERVED_BLOCK, 0, 0, 0]));
    await expect(new Response(undoCodings(name, body)).arrayBuffer()).rejects.toThrow(ContentCodingError);
    await cancelled;
  });

  it("errors as the body does where it is the connection that breaks", async () => {
    const fault = new Error("reset");
    const gzip = new Uint8Array(gzipSync(PAGE));
    for (const [name, bytes] of [
      ["x-gzip", gzip.subarray(0, 20)],
      ["x-gzip", gzip.subarray(0, 2)],
      ["gzip, gzip", new Uint8Array(gzipSync(gzip)).subarray(0, 40)],
      ["deflate", utf8(PAGE)],
    ] as const) {
      const body = bodyOf(bytes, 8, fault);
      await expect(new Response(undoCodings(name, body)).arrayBuffer()).rejects.toBe(fault);
    }
  });

  it.each([0, 1])("cancels the body when it is cancelled after %i reads", async (reads) => {
    const { body, cancelled } = unfinished(gzipSync(incompressible(100_000)));
    const reader = undoCodings("gzip, x-gzip", body).getReader();
    for (let read = 0; read < reads; read++) await reader.read();
    await reader.cancel("enough");
    await cancelled;
  });

  it("gives back whatever was compressed, in whatever pieces it comes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 1, max: 50 }),
        async (data, piece) => {
          expect(await read("deflate", deflateSync(data), piece)).toEqual(data);
          expect(await read("x-gzip", gzipSync(data), piece)).toEqual(data);
        },
      ),
      { numRuns: 50 },
    );
  });
});
