import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode } from "../../src/web/charset_decoders.ts";

const HIGH = Uint8Array.from({ length: 128 }, (_, at) => 0x80 + at);

describe("decode()", () => {
  it("has the standard's windows-1252", () => {
    const c1 = decode(HIGH.subarray(0, 32), "windows-1252");
    expect(c1).toBe("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ");
    expect(decode(HIGH.subarray(32), "windows-1252")).toBe(String.fromCharCode(...HIGH.subarray(32)));
  });

  it("has the standard's iso-8859-16, x-user-defined, koi8-u and windows-1255", () => {
    expect(decode(Uint8Array.of(0x80, 0xa1, 0xa4, 0xaa, 0xde, 0xff), "iso-8859-16")).toBe("\u0080Ą€ȘȚÿ");
    expect(decode(Uint8Array.of(0x41, 0x80, 0xff), "x-user-defined")).toBe("A\uf780\uf7ff");
    expect(decode(Uint8Array.of(0xa4, 0xae, 0xbe, 0xc1), "koi8-u")).toBe("єўЎа");
    expect(decode(Uint8Array.of(0xca, 0xe0, 0xd4), "windows-1255")).toBe("\u05baאװ");
  });

  it("reads Korean beyond the 2,350 syllables of KS X 1001", () => {
    const word = Uint8Array.of(0xb0, 0xa1, 0x8c, 0x63, 0x81, 0x41, 0xa0, 0xfe, 0xa1, 0x41, 0xc6, 0x52, 0x41);
    expect(decode(word, "euc-kr")).toBe("가똠갂좤좥힣A");
    expect(decode(Uint8Array.of(0xa2, 0xe6, 0xa2, 0xe7), "euc-kr")).toBe("€®");
    expect(decode(Uint8Array.of(0x80, 0xc9, 0x41, 0xff, 0xc9, 0xa1, 0xb0), "euc-kr")).toBe(
      "\ufffd\ufffdA\ufffd\ufffd\ufffd",
    );
  });

  it("shows nothing of charsets that hide ASCII", () => {
    expect(decode(HIGH, "replacement")).toBe("\ufffd");
    expect(decode(new Uint8Array(), "replacement")).toBe("");
  });

  it("reads a charset that the runtime does not know as windows-1252", () => {
    expect(decode(Uint8Array.of(0x80), "no-such-charset")).toBe("€");
  });

  it("never throws, whatever the octets", () => {
    const charset = fc.constantFrom(
      "utf-8",
      "euc-kr",
      "big5",
      "shift_jis",
      "gb18030",
      "iso-2022-jp",
      "utf-16be",
      "windows-1255",
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), charset, (bytes, name) => {
        expect(decode(bytes, name).length).toBeLessThanOrEqual(bytes.length + 1);
      }),
      { numRuns: 1_000 },
    );
  });
});
