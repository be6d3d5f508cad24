import { describe, expect, test } from "vitest";
import { bytesText, counted, durationText, rateText, timeOfDayText } from "../../src/cli/figures.ts";

describe("counted()", () => {
  test("has one of one, and many of all others", () => {
    expect(counted(1, "page")).toBe("1 page");
    expect(counted(0, "page")).toBe("0 pages");
    expect(counted(1169, "page")).toBe("1,169 pages");
    expect(counted(2, "query", "queries")).toBe("2 queries");
  });
});

describe("rateText()", () => {
  test("has a decimal place only where it tells something", () => {
    expect([0, 0.44, 9.71, 95.3, 1250].map(rateText)).toEqual(["0", "0.4", "9.7", "95", "1,250"]);
  });
});

describe("bytesText()", () => {
  test("takes the unit that leaves at most three digits before the point", () => {
    expect([0, 812, 999, 1000, 14_210, 999_700, 999_499_999, 5e15].map(bytesText)).toEqual([
      "0 B",
      "812 B",
      "999 B",
      "1 kB",
      "14.2 kB",
      "1 MB",
      "999 MB",
      "5,000 TB",
    ]);
  });
});

describe("durationText()", () => {
  test("tells seconds under a minute, minutes under an hour, hours above", () => {
    expect(
      [0, 444, 12_340, 59_949, 59_950, 245_000, 3_599_400, 3_600_000, 7_380_000].map(durationText),
    ).toEqual([
      "0.0 s",
      "0.4 s",
      "12.3 s",
      "59.9 s",
      "1 min 0 s",
      "4 min 5 s",
      "59 min 59 s",
      "1 h 0 min",
      "2 h 3 min",
    ]);
  });
});

describe("timeOfDayText()", () => {
  test("tells the wall clock of this machine's zone", () => {
    expect(timeOfDayText(new Date(2026, 4, 3, 14, 3, 22).getTime())).toBe("14:03:22");
  });
});
