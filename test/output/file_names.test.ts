import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FileNames } from "../../src/output/file_names.ts";

const MARKED = /^a\.test\/[a-zA-Zß]+~[0-9a-f]{16}\.html$/;

describe("FileNames.claim()", () => {
  test("gives a path to the first who asks, and to the same one again", () => {
    const names = new FileNames();
    expect(names.claim("one", "a.test/b.html")).toBe("a.test/b.html");
    expect(names.claim("one", "a.test/b.html")).toBe("a.test/b.html");
    expect(names.claim("two", "a.test/b.html")).toMatch(MARKED);
  });

  test.each([
    ["case", "a.test/readme.html", "a.test/ReadMe.html"],
    ["the case of a folder", "a.test/readme.html", "A.test/readme.html"],
    ["long case", "a.test/strasse.html", "a.test/straße.html"],
    ["the form of Unicode", "a.test/caf\u00e9.html", "a.test/cafe\u0301.html"],
  ])("tells apart paths that differ only in %s", (_, one, other) => {
    const names = new FileNames();
    names.claim("one", one);
    expect(names.claim("two", other)).not.toBe(other);
  });

  test("lets a path be a file and a folder, in either order", () => {
    const names = new FileNames();
    expect(names.claim("one", "a.test/a")).toBe("a.test/a");
    expect(names.claim("two", "a.test/A/b")).toBe("a.test/A~/b");
    expect(names.claim("three", "a.test/c/d")).toBe("a.test/c/d");
    expect(names.claim("four", "a.test/c")).toMatch(/^a\.test\/c~[0-9a-f]{16}$/);
  });

  test("keeps to what was held before", () => {
    const names = new FileNames();
    names.hold("one", "a.test/b.html");
    expect(names.claim("two", "a.test/B.html")).toMatch(MARKED);
  });

  test("never gives two keys paths of which one is the other, or lies in it, on any disk", () => {
    const path = fc
      .array(fc.constantFrom("a", "A", "b", "ß", "ss"), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join("/"));
    fc.assert(
      fc.property(fc.array(path, { maxLength: 25 }), (wanted) => {
        const names = new FileNames();
        const given = wanted.map((each, n) => names.claim(`key ${n}`, each).toUpperCase());
        expect(new Set(given).size).toBe(given.length);
        for (const one of given) {
          expect(given.filter((other) => other.startsWith(`${one}/`))).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
