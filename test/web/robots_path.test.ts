import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalPath, canonicalPathOf, canonicalPattern, withRawQuery } from "../../src/web/robots_path.ts";

const octets = fc
  .array(fc.integer({ min: 0, max: 255 }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));
const escapes = fc.integer({ min: 0, max: 255 }).map((octet) => `%${octet.toString(16).padStart(2, "0")}`);
const spelt = fc
  .array(fc.oneof(octets, escapes, fc.constantFrom("%", "%2", "/", "?")), { maxLength: 8 })
  .map((pieces) => pieces.join(""));

describe("canonicalPath()", () => {
  it("decodes unreserved octets, keeps reserved ones apart, escapes the rest", () => {
    expect(canonicalPath("/%7ejoe/%62%2Dx")).toBe("/~joe/b-x");
    expect(canonicalPath("/a%2fb/c?d=%26&e")).toBe("/a%2Fb/c?d=%26&e");
    expect(canonicalPath("/a b\u00fc\u0000|^[]'")).toBe("/a%20b%FC%00%7C%5E%5B%5D%27");
    expect(canonicalPath("/*$%2a%24")).toBe("/%2A%24%2A%24");
    expect(canonicalPath("%%41%4%zz%")).toBe("%25A%254%25zz%25");
  });

  it("spells a canonical path as it is, in ASCII", () => {
    fc.assert(
      fc.property(spelt, (text) => {
        const canonical = canonicalPath(text);
        expect(canonical).toMatch(/^[\x21-\x7e]*$/);
        expect(canonicalPath(canonical)).toBe(canonical);
      }),
      { numRuns: 500 },
    );
  });

  it("changes no octet: only its spelling", () => {
    const octetsOf = (text: string): string =>
      text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    fc.assert(
      fc.property(spelt, (text) => {
        expect(octetsOf(canonicalPath(text))).toBe(octetsOf(text));
      }),
      { numRuns: 500 },
    );
  });
});

describe("canonicalPattern()", () => {
  it("keeps the operators and spells what is between as a path", () => {
    expect(canonicalPattern("/a b*%62$c*$")).toBe("/a%20b*b%24c*$");
    expect(canonicalPattern("**")).toBe("**");
    expect(canonicalPattern("/$")).toBe("/$");
    expect(canonicalPattern("/$$")).toBe("/%24$");
  });

  it("turns backslashes round in the path, not in the query", () => {
    expect(canonicalPattern("\\a\\b?c\\d")).toBe("/a/b?c%5Cd");
    expect(canonicalPattern("/a\\*")).toBe("/a/*");
  });

  it("is undefined for what does not begin as a path", () => {
    for (const value of ["", "a", "?", "$", "http://a.test/", " /a"])
      expect(canonicalPattern(value)).toBeUndefined();
  });
});

describe("canonicalPathOf()", () => {
  it("is path and query in canonical spelling, without credentials and fragment", () => {
    const paths = {
      "http://a.test": "/",
      "http://a.test?": "/?",
      "https://me:p%2Fw@a.test:8443/x%7e?y='#?z": "/x~?y=%27",
      "http://[::1]/a//b": "/a//b",
    };
    for (const [url, path] of Object.entries(paths)) expect(canonicalPathOf(new URL(url)), url).toBe(path);
  });
});

describe("withRawQuery()", () => {
  it("decodes `:`, `/`, `?` and `@` in the query alone", () => {
    expect(withRawQuery("/a%2Fb?c=%3A%2F%3F%40%26%25")).toBe("/a%2Fb?c=:/?@%26%25");
    expect(withRawQuery("/a%2Fb")).toBe("/a%2Fb");
    expect(withRawQuery("/a%3Fb%2F")).toBe("/a%3Fb%2F");
    expect(withRawQuery("/a?b%252F")).toBe("/a?b%252F");
  });
});
