import { describe, expect, it } from "vitest";
import { inRounds } from "../../bench/support/rounds.ts";

describe("inRounds()", () => {
  it("gives each its turn in every round, every second round backwards", async () => {
    const turns: string[] = [];
    const measured = await inRounds(["a", "b", "c"], 3, async (thing, round) => {
      turns.push(thing);
      return `${thing}${round}`;
    });
    expect(turns.join("")).toBe("abccbaabc");
    expect(measured).toEqual([
      ["a0", "a1", "a2"],
      ["b0", "b1", "b2"],
      ["c0", "c1", "c2"],
    ]);
  });

  it("lets one go on only when the one before has ended", async () => {
    let running = 0;
    await inRounds([1, 2], 2, async () => {
      expect(++running).toBe(1);
      await Promise.resolve();
      running--;
    });
  });
});
