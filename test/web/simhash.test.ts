import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hammingDistance, simhash } from "../../src/web/simhash.ts";

/** So many different words, the same for the same arguments. */
const words = (count: number, first = 0): string[] =>
  Array.from({ length: count }, (_, at) => `w${((first + at) * 7919) % 99_991}`);
const distance = (a: string, b: string): number => hammingDistance(simhash(a), simhash(b));

describe("simhash()", () => {
  it("is 64 bits, and none for a text without words", () => {
    expect(simhash("")).toBe(0n);
    expect(simhash(" \n–!… 😀")).toBe(0n);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const digest = simhash(text);
        expect(digest >= 0n && digest < 2n ** 64n).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("stays what it is from release to release", () => {
    expect(simhash("A dragline is a spider's thread.")).toBe(0x84b4a1552bb14038n);
    expect(simhash("本の街 книга 10")).toBe(0x76301366c9a5acccn);
  });

  it("counts words, not their case nor what is between them", () => {
    expect(distance("Write to us, please!", "  write\nTO us — please ")).toBe(0);
    expect(distance("ПИШИТЕ нам, пожалуйста", "пишите нам пожалуйста")).toBe(0);
  });

  it("depends on the order of words", () => {
    expect(distance("the cat saw a dog today", "a dog saw the cat today")).toBeGreaterThan(5);
  });

  it("takes each character of a script without spaces for a word", () => {
    expect(distance("本の街", "本 の 街")).toBe(0);
    expect(distance("เมือง", "เ ม ื อ ง")).toBe(0);
    expect(distance("도시", "도 시")).toBeGreaterThan(0);
  });

  it("changes little where little changes, and wholly for another text", () => {
    const page = words(1_000);
    for (let at = 0; at < 1_000; at += 50) {
      const edited = page.with(at, "other");
      expect(distance(page.join(" "), edited.join(" "))).toBeLessThanOrEqual(8);
    }
    for (let first = 1_000; first < 30_000; first += 1_000) {
      expect(distance(page.join(" "), words(1_000, first).join(" "))).toBeGreaterThanOrEqual(14);
    }
  });

  it("tells short texts apart that differ in one word", () => {
    const navigation = "Home Shop Contact";
    expect(distance(`${navigation} Out of stock.`, `${navigation} In stock.`)).toBeGreaterThan(3);
    expect(distance("Yes", "No")).toBeGreaterThan(3);
  });

  it("uses all its bits", () => {
    let ones = 0n;
    let zeros = 0n;
    for (let first = 0; first < 3_000; first += 100) {
      const digest = simhash(words(100, first).join(" "));
      ones |= digest;
      zeros |= BigInt.asUintN(64, ~digest);
    }
    expect([ones, zeros]).toEqual([2n ** 64n - 1n, 2n ** 64n - 1n]);
  });

  it("reads a megabyte of anything", () => {
    for (const unit of ["a", "a ", " ", "例", "é", "😀", "\ud800"])
      expect(typeof simhash(unit.repeat(500_000))).toBe("bigint");
  });
});

describe("hammingDistance()", () => {
  it("counts the bits that differ", () => {
    expect(hammingDistance(0n, 0n)).toBe(0);
    expect(hammingDistance(0b1010n, 0b0110n)).toBe(2);
    expect(hammingDistance(0n, 2n ** 64n - 1n)).toBe(64);
    expect(hammingDistance(2n ** 63n, 1n)).toBe(2);
  });

  it("is a distance", () => {
    const digest = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(digest, digest, digest, (a, b, c) => {
        expect(hammingDistance(a, b)).toBe(hammingDistance(b, a));
        expect(hammingDistance(a, b) === 0).toBe(a === b);
        expect(hammingDistance(a, c)).toBeLessThanOrEqual(hammingDistance(a, b) + hammingDistance(b, c));
      }),
    );
  });
});
