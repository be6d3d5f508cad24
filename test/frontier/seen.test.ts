import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SeenTable } from "../../src/frontier/seen.ts";

describe("SeenTable", () => {
  test("add() says whether a key is new, and has() whether it was added", () => {
    const table = new SeenTable();
    expect([table.has("a"), table.add("a"), table.has("a"), table.add("a"), table.size]).toEqual([
      false,
      true,
      true,
      false,
      1,
    ]);
  });

  test("agrees with a Set, whatever the keys, and whatever the salt", () => {
    const keys = fc.array(
      fc.oneof(fc.string({ maxLength: 5 }), fc.webUrl(), fc.constantFrom("", "\0", "\u{1F577}", "a")),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(keys, fc.integer(), (keys, salt) => {
        const table = new SeenTable(salt);
        const set = new Set<string>();
        for (const key of keys) {
          expect(table.has(key)).toBe(set.has(key));
          expect(table.add(key)).toBe(!set.has(key));
          set.add(key);
          expect(table.size).toBe(set.size);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("tells 300,000 keys apart that differ in a digit or two, and knows each again as it grows", () => {
    for (const salt of [0, 0xffffffff]) {
      const table = new SeenTable(salt);
      for (let i = 0; i < 150_000; i++)
        table.add(`https://example.com/catalogue/item?id=${i}&page=${i % 10}`);
      for (let i = 0; i < 150_000; i++) table.add(`https://h${i}.test/`);
      expect(table.size).toBe(300_000);
      for (let i = 0; i < 150_000; i += 997) expect(table.has(`https://h${i}.test/`)).toBe(true);
      expect(table.has("https://h150000.test/")).toBe(false);
    }
  });

  test("grows by pieces: no more than a 64th of its keys is copied at once, into 16 bytes a key", () => {
    const table = new SeenTable(7);
    const Original = globalThis.Uint32Array;
    const grown: { readonly keys: number; readonly bytes: number }[] = [];
    globalThis.Uint32Array = class extends Original {
      constructor(length: number) {
        super(length);
        grown.push({ keys: table.size, bytes: this.byteLength });
      }
    } as typeof Uint32Array;
    try {
      for (let i = 0; i < 300_000; i++) table.add(`https://h${i}.test/`);
    } finally {
      globalThis.Uint32Array = Original;
    }
    // By chance a segment has some more keys than another.
    const largest = grown.filter(({ keys, bytes }) => keys > 20_000 && bytes > (1.15 * 16 * keys) / 64);
    expect(largest).toEqual([]);
    expect(grown.length).toBeGreaterThan(64 * 10);
  });

  test("tells keys apart that hold the same characters in another order", () => {
    const table = new SeenTable();
    const words = ["a", "b", "c", "d", "e", "f"];
    const orders = words.flatMap((x) =>
      words.flatMap((y) => words.flatMap((z) => [`${x}${y}${z}`, `${x}/${y}/${z}`])),
    );
    for (const key of orders) table.add(key);
    expect(table.size).toBe(new Set(orders).size);
  });

  test("takes any salt for its 32 bits", () => {
    for (const salt of [-1, 2 ** 32, 2 ** 40 + 5, 0.5, Number.NaN]) {
      const table = new SeenTable(salt);
      expect([table.add("x"), table.has("x")]).toEqual([true, true]);
    }
  });

  test("save() and restore() keep each key and the salt", () => {
    const table = new SeenTable(99);
    for (let i = 0; i < 5_000; i++) table.add(`key ${i}`);
    const again = SeenTable.restore(JSON.parse(JSON.stringify(table.save())));
    expect(again.size).toBe(5_000);
    for (let i = 0; i < 5_000; i += 13) expect(again.has(`key ${i}`)).toBe(true);
    expect(again.has("key 5000")).toBe(false);
    expect(again.add("key 5000")).toBe(true);
  });
});
