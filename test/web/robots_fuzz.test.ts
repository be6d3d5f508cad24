import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { parseRobots, type Robots } from "../../src/web/robots.ts";
import { Wildcard } from "../../src/web/robots_wildcard.ts";

const ORIGIN = "http://site.test";

// A file as sites have it: groups, comments, a delay, sitemaps, patterns, shop parameters.
const REAL = `# robots.txt of a shop
User-agent: *
Disallow: /cart
Disallow: /*?filter[color]=
Disallow: /*&sort=*
Allow: /search/about
Disallow: /search
Disallow: /*.pdf$
Crawl-delay: 2

User-agent: BulkBot
User-agent: otterbot/2.0
Disallow: /bücher/%7Ejoe
Allow: /

Sitemap: https://site.test/sitemap.xml
`;

const path = fc.webUrl({ withQueryParameters: true }).map((url) => url.replace(/^https?:\/\/[^/?]+/, ORIGIN));
const agent = fc.oneof(fc.constantFrom("otterbot/2.0", "*", ""), fc.string({ maxLength: 20 }));
const bytes = fc.uint8Array({ maxLength: 400 });
/** The real file with some stretches replaced by noise, repeated or left out. */
const mutated = fc
  .array(fc.tuple(fc.nat(REAL.length), fc.nat(12), fc.oneof(bytes, fc.constant("*"), fc.constant("\r"))), {
    maxLength: 12,
  })
  .map((cuts) => {
    let file = new TextEncoder().encode(REAL);
    for (const [at, length, noise] of cuts) {
      const middle = typeof noise === "string" ? new TextEncoder().encode(noise) : noise.subarray(0, length);
      file = Uint8Array.from([...file.subarray(0, at), ...middle, ...file.subarray(at + length)]);
    }
    return file;
  });

function checkSound(robots: Robots, url: string, userAgent: string): void {
  expect(robots.isAllowed(url, userAgent)).toBeTypeOf("boolean");
  const delay = robots.crawlDelayMs(userAgent);
  if (delay !== undefined) expect(Number.isFinite(delay) && delay >= 0).toBe(true);
  for (const sitemap of robots.sitemaps) expect(new URL(sitemap).protocol).toMatch(/^https?:$/);
  expect(new Set(robots.sitemaps).size).toBe(robots.sitemaps.length);
}

describe("parseRobots() survives", () => {
  it("any octets", () => {
    fc.assert(
      fc.property(bytes, path, agent, (body, url, userAgent) => {
        checkSound(parseRobots(body, `${ORIGIN}/robots.txt`), url, userAgent);
      }),
      { numRuns: 500 },
    );
  });

  it("any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), path, agent, (body, url, userAgent) => {
        checkSound(parseRobots(body, `${ORIGIN}/robots.txt`), url, userAgent);
      }),
      { numRuns: 300 },
    );
  });

  it("a real file with faults, and reads its octets and its text alike", () => {
    fc.assert(
      fc.property(mutated, path, agent, (body, url, userAgent) => {
        checkSound(parseRobots(body, `${ORIGIN}/robots.txt`), url, userAgent);
      }),
      { numRuns: 500 },
    );
    for (const url of [`${ORIGIN}/cart`, `${ORIGIN}/a?filter[color]=red`, `${ORIGIN}/a.pdf`, `${ORIGIN}/x`]) {
      const fromText = parseRobots(REAL, `${ORIGIN}/robots.txt`).isAllowed(url, "a");
      expect(parseRobots(new TextEncoder().encode(REAL), `${ORIGIN}/robots.txt`).isAllowed(url, "a")).toBe(
        fromText,
      );
    }
  });
});

describe("isAllowed()", () => {
  it("is false for the very URL that a Disallow names, whatever it holds", () => {
    // What a rule cannot say: a comment, the operators, a line's end; and what the URL parser resolves or drops.
    const named = fc
      .string({ unit: "grapheme", maxLength: 30 })
      .filter((text) => !/[#*$\t\r\n\v\f]|\s$|[/\\](?:\.|%2e)/iu.test(`/${text}`));
    fc.assert(
      fc.property(named, (text) => {
        const robots = parseRobots(`User-agent: *\nDisallow: /${text}`, `${ORIGIN}/robots.txt`);
        expect(robots.isAllowed(`${ORIGIN}/${text}`, "otterbot")).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  it("answers the same where the URL needs no parsing and where it does", () => {
    const robots = parseRobots(REAL.replaceAll("otterbot", "heron"), `${ORIGIN}/robots.txt`);
    fc.assert(
      fc.property(path, (url) => {
        const parsed = robots.isAllowed(url.replace("//", "//user@"), "otterbot");
        expect(robots.isAllowed(url, "otterbot")).toBe(parsed);
        expect(robots.isAllowed(new URL(url), "otterbot")).toBe(parsed);
      }),
      { numRuns: 300 },
    );
  });

  it("tries no more patterns than its budget, for any file and URL", () => {
    const piece = fc.constantFrom("a", "ab", "aab", "*", "**", "*a", "$", "?", "aaaaaaaab");
    const rule = fc
      .array(piece, { minLength: 1, maxLength: 8 })
      .map((pieces) => `Disallow: /*${pieces.join("")}`);
    const file = fc.array(rule, { minLength: 20, maxLength: 80 });
    const matches = vi.spyOn(Wildcard.prototype, "matches");
    fc.assert(
      fc.property(file, fc.integer({ min: 1, max: 60_000 }), (lines, length) => {
        const robots = parseRobots(`User-agent: *\n${lines.join("\n")}`, `${ORIGIN}/robots.txt`);
        matches.mockClear();
        expect(robots.isAllowed(`${ORIGIN}/${"a".repeat(length)}`, "otterbot")).toBeTypeOf("boolean");
        expect(matches.mock.calls.length * length).toBeLessThanOrEqual(2 ** 19);
      }),
      { numRuns: 100 },
    );
    matches.mockRestore();
  });
});
