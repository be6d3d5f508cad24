import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Pattern, Scope as ScopeRule } from "../src/options.ts";
import type { CrawlRequest } from "../src/request.ts";
import { compilePattern, Scope } from "../src/scope.ts";
import { canonicalKey, hostKey } from "../src/web/url.ts";

function requestOf(url: string): CrawlRequest {
  return { url, key: canonicalKey(url), host: hostKey(url), depth: 1, priority: -1, order: 1 };
}

async function scopeOf(rule: ScopeRule, seeds: string[], include: Pattern[] = [], exclude: Pattern[] = []) {
  const scope = new Scope(rule, include, exclude);
  await scope.load();
  for (const seed of seeds) scope.addSeed(seed);
  return (url: string) => scope.holds(url, requestOf(url));
}

const SEED = "https://www.a.test/docs/guide/start.html?v=1";
const NEAR: Record<string, [url: string, ...rules: string[]]> = {
  "the same folder": ["https://www.a.test/docs/guide/next.html", "origin", "host", "domain", "prefix", "any"],
  "the folder itself": ["https://www.a.test/docs/guide/", "origin", "host", "domain", "prefix", "any"],
  "a folder below": ["https://www.a.test/docs/guide/x/y", "origin", "host", "domain", "prefix", "any"],
  "the same, in another spelling": [
    "HTTPS://WWW.A.test:443/docs/%67uide/n",
    "origin",
    "host",
    "domain",
    "prefix",
    "any",
  ],
  "a folder beside": ["https://www.a.test/docs/guides/", "origin", "host", "domain", "any"],
  "a folder above": ["https://www.a.test/docs/", "origin", "host", "domain", "any"],
  "another scheme": ["http://www.a.test/docs/guide/", "host", "domain", "any"],
  "another port": ["https://www.a.test:8443/docs/guide/", "domain", "any"],
  "a sister host": ["https://img.a.test/", "domain", "any"],
  "the bare domain": ["https://a.test/", "domain", "any"],
  "another domain that ends alike": ["https://nota.test/", "any"],
  "another domain that begins alike": ["https://www.a.test.evil.test/docs/guide/", "any"],
};

describe("Scope", () => {
  const cases = Object.entries(NEAR).flatMap(([name, [url, ...rules]]) =>
    (["origin", "host", "domain", "prefix", "any"] as const).map(
      (rule) => [rule, name, url, rules.includes(rule)] as const,
    ),
  );
  test.each(cases)('"%s" by %s', async (rule, _, url, isIn) => {
    expect((await scopeOf(rule, [SEED]))(url)).toBe(isIn);
  });

  test("holds the surroundings of each seed", async () => {
    const holds = await scopeOf("host", ["https://a.test/", "https://b.test:81/"]);
    expect(
      ["https://a.test/1", "http://b.test:81/2", "https://b.test/", "https://c.test/"].map(holds),
    ).toEqual([true, true, false, false]);
  });

  test("without a seed holds nothing but by any and by a function", async () => {
    for (const rule of ["origin", "host", "domain", "prefix"] as const)
      expect((await scopeOf(rule, []))(SEED)).toBe(false);
    expect((await scopeOf("any", []))(SEED)).toBe(true);
    expect((await scopeOf(() => true, []))(SEED)).toBe(true);
  });

  test("domain tells apart who registers under a public suffix, and takes addresses and single names as they are", async () => {
    const user = await scopeOf("domain", ["https://alice.github.io/"]);
    expect([user("https://alice.github.io/x"), user("https://bob.github.io/")]).toEqual([true, false]);
    const uk = await scopeOf("domain", ["https://www.shop.co.uk/"]);
    expect([uk("https://img.shop.co.uk/"), uk("https://other.co.uk/")]).toEqual([true, false]);
    const address = await scopeOf("domain", ["http://127.0.0.1:8080/"]);
    expect([address("http://127.0.0.1:9090/"), address("http://1.0.0.1/")]).toEqual([true, false]);
    const local = await scopeOf("domain", ["http://localhost/"]);
    expect([local("http://localhost:1/"), local("http://other/")]).toEqual([true, false]);
  });

  test("prefix of a seed at a folder is that folder, and takes no account of the query", async () => {
    const holds = await scopeOf("prefix", ["https://a.test/docs/?next=/x/"]);
    expect(["https://a.test/docs/1", "https://a.test/docs", "https://a.test/x/"].map(holds)).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("a function gets the URL and what would be queued, and decides alone", async () => {
    const calls: [string, string][] = [];
    const holds = await scopeOf(
      (url, request) => {
        calls.push([url.pathname, request.key]);
        return url.pathname.length < 4;
      },
      [SEED],
    );
    expect([holds("https://b.test/ab"), holds("https://www.a.test/docs/guide/")]).toEqual([true, false]);
    expect(calls[0]).toEqual(["/ab", "https://b.test/ab"]);
  });

  test("addSeed() says whether it made anything new part of it", () => {
    const scope = new Scope("host", [], []);
    expect([
      scope.addSeed("https://a.test/"),
      scope.addSeed("http://a.test/x"),
      scope.addSeed("https://b.test/"),
    ]).toEqual([true, false, true]);
  });

  test.each<[string, Pattern, string, boolean]>([
    ["a glob over the whole URL", "https://a.test/docs/*", "https://a.test/docs/x/y?z", true],
    ["a glob that must match whole", "*/docs/", "https://a.test/docs/x", false],
    ["a glob in the middle", "*/docs/*.html", "https://a.test/docs/a/b.html", true],
    ["a glob's dots as dots", "*.html", "https://a.test/xhtml", false],
    ["a glob's marks as marks", "*?page=(1)*", "https://a.test/?page=(1)&x", true],
    ["a regular expression anywhere", /\/docs\//, "https://a.test/docs/x", true],
    ["a regular expression's flags", /DOCS/i, "https://a.test/docs/x", true],
    ["no match", /nowhere/, "https://a.test/docs/", false],
  ])("include and exclude read %s", async (_, pattern, url, isMatch) => {
    expect((await scopeOf("any", [], [pattern]))(url)).toBe(isMatch);
    expect((await scopeOf("any", [], [], [pattern]))(url)).toBe(!isMatch);
  });

  test("a pattern with `g` or `y` matches each time alike", async () => {
    for (const pattern of [/docs/g, /https/y]) {
      const holds = await scopeOf("any", [], [pattern]);
      expect([1, 2, 3].map(() => holds("https://a.test/docs/"))).toEqual([true, true, true]);
    }
  });

  test("include wants any, exclude none, and both the scope", async () => {
    const holds = await scopeOf("host", ["https://a.test/"], ["*/docs/*", /\/blog\//], [/draft/, "*.pdf"]);
    expect(
      ["/docs/1", "/blog/1", "/shop/1", "/docs/draft", "/docs/a.pdf"].map((path) =>
        holds(`https://a.test${path}`),
      ),
    ).toEqual([true, true, false, false, false]);
    expect(holds("https://b.test/docs/1")).toBe(false);
  });

  test("many stars cost no more than their number", async () => {
    const holds = await scopeOf("any", [], [`${"*a".repeat(50)}*b`]);
    expect(holds(`https://x.test/${"a".repeat(20_000)}`)).toBe(false);
    expect(holds(`https://x.test/${"a".repeat(20_000)}b`)).toBe(true);
  });

  test("a glob matches what its plain form would", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "/", "*"), maxLength: 8 });
    fc.assert(
      fc.property(text, text, (pattern, url) => {
        const plain = new RegExp(`^${pattern.replace(/\*+/g, "[^]*")}$`);
        expect(compilePattern(pattern).test(url)).toBe(plain.test(url));
      }),
      { numRuns: 1_000 },
    );
  });
});
