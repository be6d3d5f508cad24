import { describe, expect, test } from "vitest";
import { CELLS, type Cell, meanOf, measureSteady, measureTurning } from "../support/pace_cells.ts";

// Fewer seeds than bench/politeness.ts takes; the bounds are those of the manual.
const SCATTERED: Cell = { places: 40, sigma: 0.8 };

describe("an adaptive limit", () => {
  test.each(CELLS)(
    "is worth nine tenths of the best fixed one with $places places and sigma $sigma",
    (cell) => {
      const isScattered = cell.places === SCATTERED.places && cell.sigma === SCATTERED.sigma;
      const runs = (isScattered ? [1, 2, 3, 4] : [1]).map((seed) => measureSteady(cell, seed));
      expect(meanOf(runs.map(({ throughput }) => throughput))).toBeGreaterThanOrEqual(0.9);
      for (const { averageLimit, p95 } of runs) {
        expect(averageLimit).toBeLessThanOrEqual(2 * cell.places + 2);
        if (cell.sigma <= 0.4) expect(p95).toBeLessThanOrEqual(2 + 1e-9);
      }
    },
  );
});

describe("an adaptive limit at a host that turns five times slower and back", () => {
  const cells = CELLS.filter(({ sigma }) => sigma === 0 || sigma === 0.4);
  test.each(cells)("loses no tenth, nor goes over three times its $places places, sigma $sigma", (cell) => {
    const { throughput, highestLimit } = measureTurning(cell, 1);
    expect(throughput).toBeGreaterThanOrEqual(0.9);
    expect(highestLimit).toBeLessThanOrEqual(3 * cell.places);
  });
});
