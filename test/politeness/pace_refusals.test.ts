import { describe, expect, test } from "vitest";
import {
  CELLS,
  measureRateLimited,
  measureShedding,
  RATE_CELLS,
  type Refusing,
} from "../support/pace_cells.ts";

function expectGoodTreatment({ refused, served }: Refusing): void {
  expect(refused).toBeLessThanOrEqual(0.05);
  expect(served).toBeGreaterThanOrEqual(0.8);
}

describe("the pace at a host that refuses", () => {
  const shedding = CELLS.filter(({ sigma }) => sigma === 0 || sigma === 0.8);
  test.each(shedding)("settles within $places places when it sheds load, sigma $sigma", (cell) => {
    expectGoodTreatment(measureShedding(cell, 1));
  });
  const rates = RATE_CELLS.filter(({ perSecond }) => perSecond === 1 || perSecond === 10 || perSecond === 50);
  test.each(rates)("settles under $perSecond a second, burst $burst, Retry-After $retryAfter", (rate) => {
    expectGoodTreatment(measureRateLimited(rate, 1));
  });
});
