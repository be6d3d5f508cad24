import { describe, expect, it } from "vitest";
import type { Clock } from "../src/clock.ts";
import { Deadlines } from "../src/deadlines.ts";

interface Item {
  readonly name: string;
  readonly deadlineMs: number;
}

/** Deadlines on a clock that is set by hand, and the timers that were ever set. */
function bench(): { items: Deadlines<Item>; told: string[]; timers: number[]; pass(ms: number): void } {
  let nowMs = 0;
  let armed: { atMs: number; wake: () => void } | undefined;
  const timers: number[] = [];
  const told: string[] = [];
  const clock: Clock = {
    now: () => nowMs,
    at(atMs, wake) {
      if (armed !== undefined) throw new Error("A second timer");
      timers.push(atMs);
      armed = { atMs, wake };
      return () => {
        armed = undefined;
      };
    },
  };
  const items: Deadlines<Item> = new Deadlines(clock, (item) => {
    told.push(item.name);
    items.delete(item);
  });
  const pass = (ms: number): void => {
    nowMs += ms;
    while (armed !== undefined && armed.atMs <= nowMs) {
      const { wake } = armed;
      armed = undefined;
      wake();
    }
  };
  return { items, told, timers, pass };
}

describe("Deadlines", () => {
  it("tells each item at its deadline, and none that left before", () => {
    const { items, told, pass } = bench();
    const [a, b, c] = [10, 20, 20].map((deadlineMs, at) => ({ name: "abc"[at]!, deadlineMs })) as [
      Item,
      Item,
      Item,
    ];
    for (const item of [a, b, c]) items.add(item);
    items.delete(b);
    pass(9);
    expect(told).toEqual([]);
    pass(1);
    expect(told).toEqual(["a"]);
    pass(9);
    expect(told).toEqual(["a"]);
    pass(1);
    expect(told).toEqual(["a", "c"]);
    expect(items.size).toBe(0);
  });

  it("sets one timer for all, and another once that has gone off", () => {
    const { items, timers, told, pass } = bench();
    let previous: Item | undefined;
    for (let at = 0; at < 100; at++) {
      const item = { name: `${at}`, deadlineMs: 1_000 + at };
      items.add(item);
      if (previous !== undefined) items.delete(previous);
      previous = item;
    }
    expect(timers).toEqual([1_000]);
    pass(1_000);
    expect(timers).toEqual([1_000, 1_099]);
    pass(99);
    expect(told).toEqual(["99"]);
  });

  it("keeps no timer while there is no item", () => {
    const { items, timers, told, pass } = bench();
    for (const deadlineMs of [10, 20]) {
      const item = { name: "a", deadlineMs };
      items.add(item);
      items.delete(item);
    }
    pass(100);
    expect(timers).toEqual([10, 20]);
    expect(told).toEqual([]);
  });
});
