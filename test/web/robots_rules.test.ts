import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPathAllowed, RuleSet } from "../../src/web/robots_rules.ts";
import { Sieve } from "../../src/web/robots_sieve.ts";
import { Wildcard } from "../../src/web/robots_wildcard.ts";

interface Rule {
  pattern: string;
  allow: boolean;
}

// A small alphabet makes for many matches, partial matches and ties.
const letters = fc.constantFrom("a", "b", "/", "?");
const path = fc.array(letters, { maxLength: 24 }).map((rest) => `/${rest.join("")}`);
const pattern = fc
  .tuple(
    fc.constantFrom("/", "*", "/*"),
    fc.array(fc.oneof({ weight: 4, arbitrary: letters }, { weight: 1, arbitrary: fc.constant("*") }), {
      maxLength: 16,
    }),
    fc.constantFrom("", "", "$"),
  )
  .map(([first, rest, end]) => first + rest.join("") + end);
const rules = fc.array(fc.record({ pattern, allow: fc.boolean() }), { maxLength: 150 });

function toRegExp(text: string): RegExp {
  return new RegExp(`^${text.replaceAll("?", "\\?").replace(/\*+/g, "[^]*?")}`);
}

/** RFC 9309 §2.2.2 word for word: of the rules that match the longest, Allow where two are as long. */
function isAllowedByReference(of: readonly Rule[], text: string): boolean {
  let length = 0;
  let allowed = true;
  for (const rule of of) {
    if (rule.pattern.length < length || !toRegExp(rule.pattern).test(text)) continue;
    allowed = rule.pattern.length === length ? allowed || rule.allow : rule.allow;
    length = rule.pattern.length;
  }
  return allowed;
}

function toSet(of: readonly Rule[]): RuleSet {
  const set = new RuleSet();
  for (const rule of of) set.add(rule.pattern, rule.allow);
  set.seal(new Sieve());
  return set;
}

describe("isPathAllowed()", () => {
  it("decides as the RFC's words do, for any rules", () => {
    fc.assert(
      fc.property(rules, fc.array(path, { minLength: 1, maxLength: 8 }), (of, paths) => {
        const set = toSet(of);
        for (const text of paths) expect(isPathAllowed([set], text)).toBe(isAllowedByReference(of, text));
      }),
      { numRuns: 300 },
    );
  });

  it("decides the same for rules in one set and in several", () => {
    fc.assert(
      fc.property(rules, rules, path, (some, others, text) => {
        const together = isPathAllowed([toSet([...some, ...others])], text);
        expect(isPathAllowed([toSet(some), toSet(others)], text)).toBe(together);
      }),
      { numRuns: 200 },
    );
  });

  it("allows what no rule matches", () => {
    expect(isPathAllowed([], "/")).toBe(true);
    expect(isPathAllowed([toSet([])], "/")).toBe(true);
  });

  it("finds one wildcard among thousands", () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({ pattern: `/*/${index}-*x$`, allow: false }));
    const set = toSet([...many, { pattern: "/*/4711-yyx$", allow: true }]);
    expect(isPathAllowed([set], "/shop/4712-yyx")).toBe(false);
    expect(isPathAllowed([set], "/shop/4711-yyx")).toBe(true);
    expect(isPathAllowed([set], "/shop/5000-yyx")).toBe(true);
  });
});

describe("Wildcard.matches()", () => {
  it("matches as a regular expression does, long parts and short", () => {
    const part = fc.array(fc.constantFrom("a", "b"), { maxLength: 14 }).map((piece) => piece.join(""));
    const wild = fc
      .tuple(fc.array(part, { minLength: 2, maxLength: 4 }), fc.constantFrom("", "$"))
      .map(([pieces, end]) => `/${pieces.join("*")}${end}`);
    const text = fc.array(fc.constantFrom("a", "b"), { maxLength: 60 }).map((piece) => `/${piece.join("")}`);
    fc.assert(
      fc.property(wild, text, (source, candidate) => {
        const wildcard = new Wildcard(source);
        const matched = wildcard.mayMatch(candidate) && wildcard.matches(candidate);
        expect(matched).toBe(toRegExp(source).test(candidate));
      }),
      { numRuns: 3000 },
    );
  });
});
