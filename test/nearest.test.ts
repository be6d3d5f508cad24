import { describe, expect, test } from "vitest";
import { nearestName } from "../src/nearest.ts";

const NAMES = ["max-pages", "max-depth", "scope", "delay"];

describe("nearestName()", () => {
  test.each([
    ["max-page", "max-pages"],
    ["maxdepth", "max-depth"],
    ["scpoe", "scope"],
    ["delayy", "delay"],
    ["delay", "delay"],
  ])("takes %s for %s", (typed, meant) => {
    expect(nearestName(typed, NAMES)).toBe(meant);
  });

  test.each(["colour", "x", "", "maximum-of-everything"])("takes '%s' for none of them", (typed) => {
    expect(nearestName(typed, ["concurrency", "max-pages"])).toBeUndefined();
  });

  test("knows none where there is none", () => {
    expect(nearestName("delay", [])).toBeUndefined();
  });
});
