import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodePunycode } from "../../src/web/punycode.ts";

describe("decodePunycode()", () => {
  it.each([
    ["bcher-kva", "bücher"],
    ["BCHER-KVA", "BüCHER"],
    ["fa-hia", "faß"],
    ["mgba3gch31f060k", "نامه‌ای"],
    ["n3h", "☃"],
    ["ls8h", "💩"],
    ["zzz-", "zzz"],
    ["", ""],
  ])("reads %j as %j", (encoded, text) => {
    expect(decodePunycode(encoded)).toBe(text);
  });

  it.each(["9", "bcher-kv\u00e9", "é-kva", "99999999", "a-b-c_d", "a".repeat(60)])(
    "refuses %j",
    (encoded) => {
      expect(decodePunycode(encoded)).toBeUndefined();
    },
  );

  it("reads what the runtime's URL parser wrote", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9à-öø-ÿα-ωа-я一-十]{1,20}$/u), (label) => {
        const { hostname } = new URL(`http://a${label}z.test/`);
        if (hostname.startsWith("xn--")) expect(decodePunycode(hostname.slice(4, -5))).toBe(`a${label}z`);
      }),
      { numRuns: 500 },
    );
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        decodePunycode(text);
      }),
    );
  });
});
