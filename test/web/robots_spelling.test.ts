import { describe, expect, it } from "vitest";
import { parseRobots } from "../../src/web/robots.ts";

const ORIGIN = "http://site.test";

/** Whether a Disallow of this value keeps everybody from the path. */
function isBlocked(value: string, path: string): boolean {
  const robots = parseRobots(`User-agent: *\nDisallow: ${value}\n`, `${ORIGIN}/robots.txt`);
  return !robots.isAllowed(ORIGIN + path, "otterbot");
}

describe("isAllowed() compares rule and URL", () => {
  it("holds a rule against a URL in the same spelling, whatever the character", () => {
    for (const character of "!\"%&'()+,-.:;<=>@[\\]^_`{|}~ äぬ😀") {
      expect(isBlocked(`/x${character}y`, `/x${character}y/1`), `${character} in a path`).toBe(true);
      expect(isBlocked(`/x?a${character}b`, `/x?a${character}b=1`), `${character} in a query`).toBe(true);
      expect(isBlocked(`/*?${character}=`, `/x?${character}=1`), `${character} behind a star`).toBe(true);
      expect(isBlocked(`/x${character}y$`, `/x${character}y`), `${character} before the end`).toBe(true);
    }
  });

  it("knows an octet by its escape, of either case, unless it is reserved", () => {
    for (const character of "AZaz09-._~\"'<>[]^`{|} ä") {
      const escaped = [...new TextEncoder().encode(character)]
        .map((octet) => `%${octet.toString(16)}`)
        .join("");
      const spellings = [character, escaped, escaped.toUpperCase()];
      for (const rule of spellings) {
        for (const spelling of spellings) {
          expect(isBlocked(`/x${rule}y`, `/x${spelling}y`), `${rule} against ${spelling}`).toBe(true);
        }
      }
    }
    for (const character of "/?:@!&()+,;=") {
      const escaped = `%${character.charCodeAt(0).toString(16)}`;
      expect(isBlocked(`/x${character}y`, `/x${escaped}y`), character).toBe(false);
      expect(isBlocked(`/x${escaped}y`, `/x${character}y`), character).toBe(false);
      expect(isBlocked(`/x${escaped}y`, `/x${escaped.toUpperCase()}y`), character).toBe(true);
    }
  });

  it("decodes once only", () => {
    expect(isBlocked("/a%2541", "/a%2541")).toBe(true);
    expect(isBlocked("/a%2541", "/a%41")).toBe(false);
    expect(isBlocked("/a%2541", "/aA")).toBe(false);
  });

  it("takes a stray percent sign as itself", () => {
    for (const value of ["/100%", "/a%2", "/%zz", "/%%41", "/%"]) {
      expect(isBlocked(value, value), value).toBe(true);
      expect(isBlocked(`${value}$`, value), value).toBe(true);
    }
  });

  it("takes data in a query by either spelling, as the table of RFC 9309 §2.2.2 has it", () => {
    const raw = "/foo/bar?baz=https://foo.bar";
    const escaped = "/foo/bar?baz=https%3A%2F%2Ffoo.bar";
    for (const rule of [
      raw,
      escaped,
      `${raw}$`,
      "/*?*=https%3A//",
      "*baz=https%3a%2f%2f*bar$".replace("*", "/*?"),
    ]) {
      for (const path of [raw, escaped, "/foo/bar?baz=https%3a//foo.bar"]) {
        expect(isBlocked(rule, path), `${rule} against ${path}`).toBe(true);
      }
    }
    expect(isBlocked("/foo?a=1&b", "/foo?a=1%26b")).toBe(false);
  });

  it("tells the literal `*` and `$` from the operators", () => {
    expect(isBlocked("/x%2Ay", "/x*y")).toBe(true);
    expect(isBlocked("/x%2ay", "/x%2Ay")).toBe(true);
    expect(isBlocked("/x%2Ay", "/xzy")).toBe(false);
    expect(isBlocked("/x*y", "/x*y")).toBe(true);
    expect(isBlocked("/x%24", "/x$")).toBe(true);
    expect(isBlocked("/x%24", "/x")).toBe(false);
    expect(isBlocked("/x$", "/x$")).toBe(false);
    expect(isBlocked("/x$", "/x%24")).toBe(false);
    for (const path of ["/x$/y", "/x%24/y"]) {
      expect(isBlocked("/x$/y", path)).toBe(true);
      expect(isBlocked("/x$/*y", path)).toBe(true);
      expect(isBlocked("/*$/y$", path)).toBe(true);
    }
    expect(isBlocked("/x$$", "/x$")).toBe(true);
    expect(isBlocked("/x$*", "/x$")).toBe(true);
    expect(isBlocked("/x$*", "/xy")).toBe(false);
  });

  it("matches wildcards wherever they stand", () => {
    expect(isBlocked("*", "/")).toBe(true);
    expect(isBlocked("*$", "/")).toBe(true);
    expect(isBlocked("/*/", "/x")).toBe(false);
    expect(isBlocked("/*/", "//")).toBe(true);
    expect(isBlocked("*.gif$", "/a.gif.gif")).toBe(true);
    expect(isBlocked("/a*a$", "/a")).toBe(false);
    expect(isBlocked("/a*a$", "/aa")).toBe(true);
    expect(isBlocked("/ab*ba*$", "/aba")).toBe(false);
    expect(isBlocked("/a*bc*bc$", "/abcabc")).toBe(true);
    expect(isBlocked("/a*bc*bc$", "/abc")).toBe(false);
    expect(isBlocked("/*abcabcabd", "/abcabcabcabd")).toBe(true);
    // A part may not reach into what the end has taken.
    expect(isBlocked("/*ab*b$", "/xab")).toBe(false);
    expect(isBlocked("/*aaaaaaab*b$", "/xaaaaaaab")).toBe(false);
    expect(isBlocked("/*aaaaaaab*b$", "/xaaaaaaabb")).toBe(true);
  });
});
