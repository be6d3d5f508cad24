import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasPair, pairsOf, Sieve } from "../../src/web/robots_sieve.ts";

const octet = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const literal = octet.filter((character) => character !== "*" && character !== "$");
const piece = fc.array(literal, { maxLength: 5 }).map((characters) => characters.join(""));

const holds = (path: string, needle: number | undefined): boolean => hasPair(pairsOf(path, path), needle!);

describe("Sieve.needlesOf()", () => {
  it("gives each pattern a needle that every path that it matches holds", () => {
    // A path is made of the pattern: whatever its stars may stand for.
    const pair = fc
      .tuple(
        fc.array(piece, { minLength: 2, maxLength: 4 }),
        fc.array(octet, { maxLength: 6 }),
        fc.constantFrom("", "$"),
      )
      .map(([pieces, filling, end]) => ({
        pattern: `/${pieces.join("*")}${end}`,
        path: `/${pieces.join(filling.join(""))}`,
      }));
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 30 }), (pairs) => {
        const needles = new Sieve().needlesOf(pairs.map(({ pattern }) => pattern));
        pairs.forEach(({ path }, index) => {
          expect(holds(path, needles[index])).toBe(true);
        });
      }),
      { numRuns: 300 },
    );
  });

  it("chooses the pair that fewest patterns have", () => {
    const [first, second] = new Sieve().needlesOf(["/shop/*ab", "/shop/*cd"]);
    expect(holds("ab", first)).toBe(true);
    expect(holds("ab", second)).toBe(false);
    expect(holds("/shop/cd", first)).toBe(false);
    expect(holds("/shop/cd", second)).toBe(true);
  });

  it("has one that every path holds for a pattern of stars alone", () => {
    expect(holds("", new Sieve().needlesOf(["*$"])[0])).toBe(true);
  });
});

describe("pairsOf()", () => {
  it("holds pairs and single octets of both spellings, but no pair across two", () => {
    const pairs = pairsOf("ab", "cd");
    for (const pattern of ["ab", "cd", "*a", "*d"])
      expect(hasPair(pairs, new Sieve().needlesOf([pattern])[0]!)).toBe(true);
    expect(hasPair(pairs, "b".charCodeAt(0) * 128 + "c".charCodeAt(0))).toBe(false);
  });
});
