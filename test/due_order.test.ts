import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DueOrder } from "../src/due_order.ts";

describe("DueOrder", () => {
  test("of nothing has nothing due", () => {
    const order = new DueOrder<string>();
    expect([order.size, order.nextDueMs, order.due(Infinity)]).toEqual([0, Infinity, undefined]);
  });

  test("due() gives the first that is due, and leaves it in its place", () => {
    const order = new DueOrder<string>();
    order.place("late", 30);
    order.place("early", 10);
    expect(order.due(9)).toBeUndefined();
    expect(order.due(10)).toBe("early");
    expect(order.due(40)).toBe("early");
    expect([order.nextDueMs, order.size]).toEqual([10, 2]);
  });

  test("of two that are due at once gives the one that was placed first", () => {
    const order = new DueOrder<string>();
    for (const name of ["a", "b", "c"]) order.place(name, 5);
    expect(order.due(5)).toBe("a");
    order.place("a", 6);
    order.place("a", 5);
    expect(order.due(5)).toBe("b");
  });

  test("place() at the same time keeps the place", () => {
    const order = new DueOrder<string>();
    order.place("a", 5);
    order.place("b", 5);
    order.place("a", 5);
    expect(order.due(5)).toBe("a");
  });

  test("place() at Infinity takes an item out, and again lets it in", () => {
    const order = new DueOrder<string>();
    order.place("a", 5);
    order.place("a", Infinity);
    expect([order.size, order.nextDueMs]).toEqual([0, Infinity]);
    order.place("a", 7);
    expect([order.size, order.nextDueMs]).toEqual([1, 7]);
  });

  test("takes -Infinity for due at any time", () => {
    const order = new DueOrder<string>();
    order.place("a", -Infinity);
    expect(order.due(-1e300)).toBe("a");
  });

  test("agrees with a plain list, whatever is moved about", () => {
    const move = fc.tuple(fc.nat(8), fc.oneof(fc.nat(20), fc.constant(Infinity)));
    fc.assert(
      fc.property(fc.array(move, { maxLength: 400 }), (moves) => {
        const order = new DueOrder<number>();
        const list: { item: number; dueMs: number; placed: number }[] = [];
        for (const [placed, [item, dueMs]] of moves.entries()) {
          order.place(item, dueMs);
          const known = list.findIndex((entry) => entry.item === item);
          if (list[known]?.dueMs !== dueMs) {
            if (known >= 0) list.splice(known, 1);
            if (dueMs !== Infinity) list.push({ item, dueMs, placed });
            list.sort((a, b) => a.dueMs - b.dueMs || a.placed - b.placed);
          }
          expect(order.size).toBe(list.length);
          expect(order.nextDueMs).toBe(list[0]?.dueMs ?? Infinity);
          expect(order.due(10)).toBe(list[0] !== undefined && list[0].dueMs <= 10 ? list[0].item : undefined);
        }
      }),
      { numRuns: 100 },
    );
  });
});
