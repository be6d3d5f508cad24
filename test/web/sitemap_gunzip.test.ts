import { constants, deflateRawSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unpack } from "../../src/web/sitemap_gunzip.ts";

interface Unpacked {
  bytes: Uint8Array;
  told: string[];
}

async function unpackAll(bytes: Uint8Array, chunkBytes = bytes.length): Promise<Unpacked> {
  const told: string[] = [];
  const pieces: Uint8Array[] = [];
  for await (const piece of unpack(inChunks(bytes, chunkBytes), (message) => told.push(message)))
    pieces.push(piece);
  return { bytes: new Uint8Array(Buffer.concat(pieces)), told };
}

async function* inChunks(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** Text that packs into all kinds of codes: runs, repeats from far and near, and noise. */
function sample(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const isNoise = (at >> 12) % 3 === 0;
    bytes[at] = isNoise ? state >>> 24 : at % 50_000 < 300 ? 65 : (state >>> 28) + 97;
  }
  return bytes;
}

describe("unpack()", () => {
  it.each([
    ["stored", { level: 0 }],
    ["by fixed codes", { strategy: constants.Z_FIXED }],
    ["by literals alone", { strategy: constants.Z_HUFFMAN_ONLY }],
    ["by runs", { strategy: constants.Z_RLE }],
    ["fast", { level: 1 }],
    ["as small as can be", { level: 9 }],
  ])("undoes what was packed %s, however it is cut", async (_, options) => {
    for (const length of [0, 1, 300_000]) {
      const bytes = sample(length);
      const packed = new Uint8Array(gzipSync(bytes, options));
      for (const chunkBytes of [packed.length, 1000, ...(length < 10 ? [1] : [])]) {
        const { bytes: unpacked, told } = await unpackAll(packed, chunkBytes);
        expect(Buffer.compare(unpacked, bytes)).toBe(0);
        expect(told).toEqual([]);
      }
    }
  });

  it("undoes anything", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2000 }),
        fc.integer({ min: 1, max: 50 }),
        async (bytes, chunkBytes) => {
          const { bytes: unpacked, told } = await unpackAll(new Uint8Array(gzipSync(bytes)), chunkBytes);
          expect(Buffer.compare(unpacked, bytes)).toBe(0);
          expect(told).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("passes on what is not packed", async () => {
    for (const bytes of [new Uint8Array(0), Uint8Array.of(0x1f), Uint8Array.of(0x1f, 0x8c, 1), sample(100)]) {
      expect(await unpackAll(bytes, 1)).toEqual({ bytes, told: [] });
    }
  });

  it("reads every optional field of the head", async () => {
    const head = [0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3];
    const fields = [3, 0, 1, 2, 3, ...Buffer.from("name\0comment\0"), 9, 9];
    const plain = gzipSync("text");
    const packed = concat(Uint8Array.from([...head, ...fields]), deflateRawSync("text"), plain.subarray(-8));
    expect(await unpackAll(packed, 1)).toEqual({ bytes: new Uint8Array(Buffer.from("text")), told: [] });
  });

  it("reads all members, and zeros behind the last", async () => {
    const packed = concat(gzipSync("one "), gzipSync(""), gzipSync("two"), new Uint8Array(512));
    for (const chunkBytes of [1, 7, packed.length]) {
      expect(await unpackAll(packed, chunkBytes)).toEqual({
        bytes: new Uint8Array(Buffer.from("one two")),
        told: [],
      });
    }
  });

  it("tells junk behind the end", async () => {
    const { bytes, told } = await unpackAll(concat(gzipSync("one"), Buffer.from("<!-- cached -->")));
    expect(Buffer.from(bytes).toString()).toBe("one");
    expect(told).toEqual(["junk after the end of the gzip file"]);
  });

  it("tells a wrong checksum", async () => {
    const packed = new Uint8Array(gzipSync("one"));
    packed[packed.length - 8]! ^= 1;
    expect((await unpackAll(packed)).told).toEqual(["damaged gzip: the checksum is wrong"]);
  });

  it("keeps what came before a cut, wherever it is, and tells it", async () => {
    const bytes = sample(5000);
    const packed = new Uint8Array(gzipSync(bytes));
    let longest = 0;
    for (let cut = 2; cut < packed.length; cut += 3) {
      const { bytes: unpacked, told } = await unpackAll(packed.subarray(0, cut));
      expect(Buffer.compare(unpacked, bytes.subarray(0, unpacked.length))).toBe(0);
      expect(unpacked.length).toBeGreaterThanOrEqual(longest);
      expect(told).toEqual(["damaged gzip: cut short"]);
      longest = unpacked.length;
    }
    expect(longest).toBe(bytes.length);
  });

  it("tells damage anywhere", async () => {
    const packed = new Uint8Array(gzipSync(sample(20_000)));
    // Not in the last octet before the checksum, which may hold padding, nor in the size behind it.
    const places = fc.integer({ min: 10, max: packed.length - 5 }).filter((at) => at !== packed.length - 9);
    await fc.assert(
      fc.asyncProperty(places, fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const damaged = packed.slice();
        damaged[at]! ^= mask;
        expect((await unpackAll(damaged, 777)).told.length).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });

  it("survives any octets that begin as gzip does", async () => {
    const head = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
        const packed = concat(head, bytes);
        expect(await unpackAll(packed, 3)).toEqual(await unpackAll(packed));
      }),
      { numRuns: 500 },
    );
  });

  it("hands on a bomb in pieces of about 64 KiB, one at a time", async () => {
    const packed = new Uint8Array(gzipSync(new Uint8Array(10_000_000)));
    let largest = 0;
    let total = 0;
    for await (const piece of unpack(inChunks(packed, packed.length), () => {})) {
      largest = Math.max(largest, piece.length);
      total += piece.length;
      if (total > 1_000_000) break;
    }
    expect(largest).toBeLessThanOrEqual(65_536 + 258);
    expect(total).toBeLessThan(1_200_000);
  });
});
