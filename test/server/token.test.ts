import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bearerToken, isSameSecret } from "../../src/server/token.ts";

describe("isSameSecret()", () => {
  it("tells whether two texts are equal", async () => {
    expect(await isSameSecret("", "")).toBe(true);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), async (a, b) => {
        expect(await isSameSecret(a, b)).toBe(a === b);
        expect(await isSameSecret(a, a)).toBe(true);
        expect(await isSameSecret(a, `${a}\0`)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});

describe("bearerToken()", () => {
  it("reads the token of an Authorization header", () => {
    expect(bearerToken("Bearer abc.DEF-_~+/==")).toBe("abc.DEF-_~+/==");
    expect(bearerToken("BEARER abc")).toBe("abc");
    for (const header of [
      null,
      "",
      "Bearer",
      "Bearer a b",
      "Bearer =a",
      "Bearerabc",
      "Basic abc",
      "Bearer ä",
    ]) {
      expect(bearerToken(header), String(header)).toBeUndefined();
    }
  });
});
