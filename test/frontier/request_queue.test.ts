import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequestQueue } from "../../src/frontier/request_queue.ts";
import type { CrawlRequest } from "../../src/request.ts";

function request(priority: number, order: number): CrawlRequest {
  const url = `https://a.test/${order}`;
  return { url, key: url, host: "a.test", depth: 0, priority, order };
}

describe("RequestQueue", () => {
  it("gives requests by priority, then by order, as a sorted list does, however they come and go", () => {
    const step = fc.oneof(
      fc.record({ push: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true })) }),
      fc.record({ pop: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ back: fc.nat() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300, size: "max" }), (steps) => {
        const queue = new RequestQueue();
        let model: CrawlRequest[] = [];
        const gone: CrawlRequest[] = [];
        let orders = 0;
        const add = (added: CrawlRequest): void => {
          queue.push(added);
          model = [...model, added].sort((a, b) => b.priority - a.priority || a.order - b.order);
        };
        for (const one of steps) {
          if ("push" in one) add(request(one.push, ++orders));
          else if ("back" in one) gone.length > 0 && add(gone.splice(one.back % gone.length, 1)[0]!);
          else {
            for (let n = 0; n < one.pop; n++) {
              const popped = queue.pop();
              expect(popped).toBe(model.shift());
              if (popped !== undefined) gone.push(popped);
            }
          }
          expect(queue.size).toBe(model.length);
        }
        expect(new Set(queue.values())).toEqual(new Set(model));
      }),
      { numRuns: 200 },
    );
  });

  it("keeps order over many requests and many priorities", () => {
    const queue = new RequestQueue();
    for (let n = 0; n < 20_000; n++) queue.push(request(n % 200, n));
    let last = request(Number.POSITIVE_INFINITY, -1);
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const isInOrder =
        next.priority < last.priority || (next.priority === last.priority && next.order > last.order);
      if (!isInOrder) expect.fail(`${next.priority} ${next.order} came after ${last.priority} ${last.order}`);
      last = next;
    }
    expect(queue.size).toBe(0);
  });
});
