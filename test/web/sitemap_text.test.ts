import { describe, expect, it } from "vitest";
import { decodeBytes } from "../../src/web/sitemap_text.ts";

async function decode(bytes: Uint8Array, contentType?: string, chunkBytes = bytes.length): Promise<string> {
  let text = "";
  for await (const piece of decodeBytes(inChunks(bytes, chunkBytes), contentType)) text += piece;
  return text;
}

async function* inChunks(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
const utf16le = (text: string): Uint8Array =>
  new Uint8Array(Uint16Array.from(text, (c) => c.charCodeAt(0)).buffer);
const utf16be = (text: string): Uint8Array =>
  Uint8Array.from(utf16le(text), (_, at) => utf16le(text)[at ^ 1] as number);
const declared = (label: string): string => `<?xml version="1.0" encoding="${label}"?>`;

describe("decodeBytes()", () => {
  it.each([
    ["UTF-8 without a label", utf8("<a>ü€😀"), undefined, "<a>ü€😀"],
    ["UTF-8 with a mark", utf8("\ufeff<a>ü"), undefined, "<a>ü"],
    ["UTF-16LE with a mark", utf16le("\ufeff<a>ü"), undefined, "<a>ü"],
    ["UTF-16BE with a mark", utf16be("\ufeff<a>ü"), undefined, "<a>ü"],
    ["UTF-16LE without", utf16le("<a>ü€"), undefined, "<a>ü€"],
    ["UTF-16BE without", utf16be("<a>ü€"), undefined, "<a>ü€"],
    ["plain text in UTF-16 without", utf16le("http://a.test/ü"), undefined, "http://a.test/ü"],
    [
      "a declared charset",
      latin1(`${declared("ISO-8859-1")}<a>ü`),
      undefined,
      `${declared("ISO-8859-1")}<a>ü`,
    ],
    [
      "a charset declared behind white space",
      latin1(`\n ${declared("latin1")}ü`),
      undefined,
      `\n ${declared("latin1")}ü`,
    ],
    [
      "windows-1252 right, on Node 20 too",
      latin1(`${declared("windows-1252")}\x80\x99`),
      undefined,
      `${declared("windows-1252")}€™`,
    ],
    [
      "a charset of several octets",
      Uint8Array.of(0x82, 0xa0, 0x3c, 0x61),
      "text/xml; charset=Shift_JIS",
      "あ<a",
    ],
    [
      "the header before the declaration",
      latin1(`${declared("utf-8")}ü`),
      'text/xml; charset="iso-8859-1"',
      `${declared("utf-8")}ü`,
    ],
    ["the mark before the header", utf8("\ufeff<a>ü"), "text/xml; charset=iso-8859-1", "<a>ü"],
    [
      "what is no UTF-16 though it is declared",
      utf8(`${declared("UTF-16")}ü`),
      undefined,
      `${declared("UTF-16")}ü`,
    ],
    ["what is no UTF-16 though the header says so", utf8("<a>ü"), "text/xml; charset=utf-16", "<a>ü"],
    ["nothing", new Uint8Array(0), undefined, ""],
    ["one octet", utf8("<"), undefined, "<"],
  ])("reads %s, however it is cut", async (_, bytes, contentType, expected) => {
    for (const chunkBytes of [1, 2, 3, 7, Math.max(1, bytes.length)]) {
      expect(await decode(bytes, contentType, chunkBytes)).toBe(expected);
    }
  });

  it("takes a label that nobody knows for none", async () => {
    const text = `${declared("x-klingon")}ü`;
    expect(await decode(utf8(text), "text/xml; charset=x-klingon")).toBe(text);
    expect(await decode(utf8("<a>ü"), "text/xml; charset=iso-2022-kr")).toBe("<a>ü");
  });

  it("puts U+FFFD for what cannot be decoded, a character cut at the end included", async () => {
    expect(await decode(Uint8Array.of(0x61, 0xff, 0x62, 0xe2, 0x82))).toBe("a\ufffdb\ufffd");
  });
});
