import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatFigure, median, ratios, spreadOf, summary } from "../../bench/support/summary.ts";

describe("median()", () => {
  it("is the middle value, whatever the order", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([10, 9, 100, 1, 2])).toBe(9);
  });

  it("is the upper of the two in the middle of an even number", () => {
    expect(median([4, 1, 3, 2])).toBe(3);
  });

  it("has as many values below as above, and is one of them", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
        const middle = median(values);
        expect(values).toContain(middle);
        expect(values.filter((value) => value < middle).length).toBeLessThanOrEqual(values.length / 2);
        expect(values.filter((value) => value > middle).length).toBeLessThanOrEqual(values.length / 2);
      }),
    );
  });

  it("leaves the values in their order", () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it("refuses no values at all", () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe("spreadOf()", () => {
  it("has the median between the least and the most", () => {
    expect(spreadOf([10, 2, 33])).toEqual({ median: 10, least: 2, most: 33 });
  });
});

describe("ratios()", () => {
  it("divides pair by pair, so that what befell both of a round falls out", () => {
    expect(ratios([10, 100], [20, 200])).toEqual([0.5, 0.5]);
  });

  it("refuses values that have no partner", () => {
    expect(() => ratios([1, 2], [1])).toThrow("Cannot pair 2 values with 1");
  });
});

describe("formatFigure()", () => {
  it("has two decimals below ten and none above", () => {
    expect(formatFigure(0.456)).toBe("0.46");
    expect(formatFigure(9.5)).toBe("9.50");
    expect(formatFigure(10.5)).toBe("11");
    expect(formatFigure(1_234_567.8)).toBe("1,234,568");
  });

  it("has one form for what rounds to ten", () => {
    expect(formatFigure(9.999)).toBe("10");
  });
});

describe("summary()", () => {
  it("is the median with the least and the most", () => {
    expect(summary([2_000, 1.5, 20])).toBe("20 (1.50 to 2,000)");
  });

  it("is one figure where there was one round", () => {
    expect(summary([12])).toBe("12");
  });
});
