import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReferencePlaces } from "../../src/web/reference_places.ts";
import { resolveUrl } from "../../src/web/url.ts";

describe("ReferencePlaces.of()", () => {
  it.each([
    ["/x", "https://me:pw@h.test:8080"],
    ["//other.test/x", "https://me:pw@h.test:8080"],
    ["\\\\x", "https://me:pw@h.test:8080"],
    ["x", "https://me:pw@h.test:8080/a/b/"],
    ["../x", "https://me:pw@h.test:8080/a/b/"],
    ["http://x", "https://me:pw@h.test:8080/a/b/"],
    ["mailto:x", "https://me:pw@h.test:8080/a/b/"],
    ["https:?x", undefined],
    ["HT\tTP:", undefined],
    ["#x", undefined],
    ["?x", undefined],
    ["", undefined],
    [" #x", undefined],
    ["\t/x", undefined],
  ])("of %j is %s", (reference, place) => {
    expect(new ReferencePlaces("https://me:pw@h.test:8080/a/b/c?d/e#f/g").of(reference)).toBe(place);
  });

  it("has none by a base of another scheme", () => {
    expect(["/x", "x"].map((reference) => new ReferencePlaces("file:///a/b").of(reference))).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("gives the same place to two bases only where a reference is the same URL by both", () => {
    const part = fc.constantFrom(
      "a",
      "b",
      "",
      "..",
      "?",
      "#",
      "/",
      "//",
      ":",
      "@",
      "http:",
      "https://",
      "%2e",
      " ",
      "\t",
      "\\",
    );
    const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(""));
    const base = fc
      .tuple(
        fc.constantFrom("http://h.test", "https://h.test", "https://me:pw@h.test", "http://h.test:81"),
        text,
      )
      .map(([origin, rest]) => resolveUrl(rest, `${origin}/d/e?f`))
      .filter((url) => url !== undefined);
    fc.assert(
      fc.property(base, base, text, (one, other, reference) => {
        const place = new ReferencePlaces(one).of(reference);
        if (place === undefined || place !== new ReferencePlaces(other).of(reference)) return;
        expect(resolveUrl(reference, one)).toBe(resolveUrl(reference, other));
      }),
      { numRuns: 5_000 },
    );
  });
});
