import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventRing } from "../../src/server/event_ring.ts";

function ringOf(count: number, bounds = { maxEntries: 4, maxChars: 100 }): EventRing {
  const ring = new EventRing(bounds);
  for (let i = 0; i < count; i++) ring.push((id) => `<${id}>`);
  return ring;
}

describe("EventRing", () => {
  it("gives what came after a number", () => {
    const ring = ringOf(3);
    expect(ring.after(0, 100)).toEqual({ text: "<1><2><3>", lastId: 3 });
    expect(ring.after(2, 100)).toEqual({ text: "<3>", lastId: 3 });
    expect(ring.after(3, 100)).toEqual({ text: "", lastId: 3 });
  });

  it("gives no more than fits, and at least one entry", () => {
    const ring = ringOf(3);
    expect(ring.after(0, 7)).toEqual({ text: "<1><2>", lastId: 2 });
    expect(ring.after(0, 1)).toEqual({ text: "<1>", lastId: 1 });
  });

  it("gives the same after an entry was added as one that was never asked before", () => {
    const ring = ringOf(2);
    ring.after(0, 100);
    ring.push((id) => `<${id}>`);
    expect(ring.after(0, 100).text).toBe("<1><2><3>");
  });

  it("forgets the oldest past its count", () => {
    const ring = ringOf(6);
    expect([ring.firstId, ring.lastId]).toEqual([3, 6]);
    expect(ring.reaches(1)).toBe(false);
    expect(ring.reaches(2)).toBe(true);
    expect(ring.after(2, 100).text).toBe("<3><4><5><6>");
  });

  it("forgets the oldest past its length, but never the newest", () => {
    const ring = ringOf(5, { maxEntries: 10, maxChars: 7 });
    expect(ring.after(3, 100).text).toBe("<4><5>");
    expect(ring.reaches(2)).toBe(false);
    ring.push(() => "x".repeat(50));
    expect([ring.firstId, ring.lastId]).toEqual([6, 6]);
  });

  it("does not reach numbers that it never gave out", () => {
    const ring = ringOf(2);
    expect([ring.reaches(2), ring.reaches(3), ring.reaches(-1), ring.reaches(Number.NaN)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("is within its bounds and gives the last of what it took, whatever that was", () => {
    const bounds = fc.record({
      maxEntries: fc.integer({ min: 1, max: 8 }),
      maxChars: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(bounds, fc.array(fc.string({ maxLength: 12 }), { maxLength: 40 }), (given, texts) => {
        const ring = new EventRing(given);
        for (const text of texts) ring.push(() => text);
        expect(ring.lastId).toBe(texts.length);
        const kept = texts.slice(ring.firstId - 1);
        expect(ring.after(ring.firstId - 1, 10_000).text).toBe(kept.join(""));
        expect(kept.length).toBeLessThanOrEqual(given.maxEntries);
        if (kept.length > 1) expect(kept.join("").length).toBeLessThanOrEqual(given.maxChars);
        if (texts.length > 0) expect(kept.length).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });
});
