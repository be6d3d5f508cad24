import { describe, expect, it } from "vitest";
import { parseSrcset } from "../../src/web/srcset.ts";

describe("parseSrcset()", () => {
  it.each([
    ["a.png", ["a.png"]],
    ["a 1x, b 2x", ["a", "b"]],
    ["a 480w,b 800w 600h", ["a", "b"]],
    ["a, b", ["a", "b"]],
    ["a,,, b,", ["a", "b"]],
    ["a,b 1x", ["a,b"]],
    ["data:image/png;base64,AAA= 1x, x,y.png 2x", ["data:image/png;base64,AAA=", "x,y.png"]],
    [" ,\n, a\t1x\f,\rb", ["a", "b"]],
    ["a 1.5x, b .5x, c 1e3x, d 0x", ["a", "b", "c", "d"]],
    ["a   1x  , b", ["a", "b"]],
    ["", []],
    [", ,", []],
  ])("finds the candidates of %j", (value, urls) => {
    expect(parseSrcset(value)).toEqual(urls);
  });

  it.each([
    "a foo",
    "a 1",
    "a 0w",
    "a -1w",
    "a 1.5w",
    "a -1x",
    "a 1.x",
    "a 1x 2x",
    "a 1x 1w",
    "a 1w 2w",
    "a 1h",
    "a 1h 1x",
    "a 0h 1w",
    "a 1x()",
    "a x",
    "a (1x)",
  ])("leaves out a candidate with wrong descriptors: %s", (value) => {
    expect(parseSrcset(`${value}, good 2x`)).toEqual(["good"]);
  });

  it("parts no candidates between parentheses", () => {
    expect(parseSrcset("a (1x, b 2x), c")).toEqual(["c"]);
    expect(parseSrcset("a (1x, b 2x, c")).toEqual([]);
  });
});
