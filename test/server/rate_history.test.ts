import { describe, expect, it } from "vitest";
import { RateHistory } from "../../src/server/rate_history.ts";

describe("RateHistory", () => {
  it("keeps a bounded number of samples at even distances, from the start to now, however long it takes", () => {
    const history = new RateHistory();
    for (let ms = 0; ms <= 10_000_000; ms += 125) history.note(ms, ms / 10);
    const { samples } = history;
    expect(samples.length).toBeGreaterThanOrEqual(120);
    expect(samples.length).toBeLessThanOrEqual(240);
    expect(samples[0]).toEqual([0, 0]);
    const distances = new Set(samples.slice(1).map(([ms], index) => ms - samples[index]![0]));
    expect(distances.size).toBe(1);
    const [distance = 0] = distances;
    expect(10_000_000 - samples.at(-1)![0]).toBeLessThan(distance);
    expect(samples.every(([ms, pages]) => pages === ms / 10)).toBe(true);
  });

  it("takes no two samples within a quarter of a second", () => {
    const history = new RateHistory();
    for (const ms of [10, 100, 249, 250, 300, 501]) history.note(ms, 1);
    expect(history.samples).toEqual([
      [0, 0],
      [250, 1],
      [501, 1],
    ]);
  });
});
