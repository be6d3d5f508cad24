import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Heap } from "../src/heap.ts";

const ascending = (): Heap<number> => new Heap((a, b) => a < b);

describe("Heap", () => {
  test("of nothing gives nothing", () => {
    const heap = ascending();
    expect([heap.size, heap.peek(), heap.pop(), heap.size]).toEqual([0, undefined, undefined, 0]);
  });

  test("pop() gives items in their order, whatever the pushes and pops between", () => {
    // A number is pushed, `undefined` pops.
    const steps = fc.array(fc.option(fc.integer({ min: -50, max: 50 }), { nil: undefined }), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(steps, (steps) => {
        const heap = ascending();
        const model: number[] = [];
        for (const step of steps) {
          if (step === undefined) {
            expect(heap.peek()).toBe(model[0]);
            expect(heap.pop()).toBe(model.shift());
          } else {
            heap.push(step);
            model.push(step);
            model.sort((a, b) => a - b);
          }
          expect(heap.size).toBe(model.length);
          expect([...heap.values()].sort((a, b) => a - b)).toEqual(model);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("goes by the order that was handed in", () => {
    const heap = new Heap<{ rank: number; name: string }>((a, b) => a.rank > b.rank);
    for (const [i, name] of ["low", "middle", "high"].entries()) heap.push({ rank: i, name });
    expect([heap.pop(), heap.pop(), heap.pop()].map((item) => item?.name)).toEqual(["high", "middle", "low"]);
  });
});
