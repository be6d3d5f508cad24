import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crawl } from "../../src/crawl.ts";
import { settleLimits } from "../../src/server/crawl_limits.ts";
import { Problem } from "../../src/server/problem.ts";
import { readSubmission, type Submission } from "../../src/server/submission.ts";
import { limitedDefaults } from "../../src/server/submitted_options.ts";
import { settle } from "../../src/settings.ts";

const LIMITS = settleLimits({});

function read(body: unknown, limits = LIMITS): Submission {
  return readSubmission(typeof body === "string" ? body : JSON.stringify(body), limits, false);
}

/** What is wrong, by pointer. */
function faultsOf(body: unknown, limits = LIMITS): Record<string, string> {
  try {
    read(body, limits);
    return {};
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(error.status).toBe(400);
    return Object.fromEntries((error.extras.errors ?? []).map(({ pointer, detail }) => [pointer, detail]));
  }
}

function optionFault(name: string, value: unknown): string | undefined {
  return faultsOf({ seeds: "https://a.test/", options: { [name]: value } })[`#/options/${name}`];
}

describe("readSubmission()", () => {
  it("takes one seed or a list, as URLs or with what a client may say of them", () => {
    const seed = { url: "https://b.test/", tag: "b", priority: 2, depth: 1 };
    expect(read({ seeds: "https://a.test/" })).toEqual({
      seeds: [{ url: "https://a.test/" }],
      options: {},
      start: "now",
    });
    expect(read({ seeds: ["https://a.test/", seed], options: { maxPages: 5 }, start: "read" })).toEqual({
      seeds: [{ url: "https://a.test/" }, seed],
      options: { maxPages: 5 },
      start: "read",
    });
  });

  it("takes every option of JSON within its cap", () => {
    const options = {
      concurrency: 16,
      hostConcurrency: { adaptive: 8 },
      delayMs: [100, 5000],
      robots: { maxAgeMs: 1000, unreachableRetries: 1, maxCrawlDelayMs: 1000 },
      userAgent: "MyBot/1.0 (+https://example.com/bot)",
      sitemaps: ["https://a.test/sitemap.xml"],
      scope: "domain",
      include: ["*/docs/*"],
      exclude: "*/login*",
      follow: false,
      directives: false,
      maxDepth: 3,
      maxPages: 100,
      maxRequests: 200,
      maxDurationMs: 60_000,
      maxPagesPerHost: 10,
      timeoutMs: 5000,
      maxBodyBytes: 1000,
      contentTypes: ["text/html"],
      maxRedirects: 5,
      retries: { max: 1, baseMs: 100, maxMs: 1000 },
      maxHostFailures: 5,
      maxRetryAfterMs: 1000,
      nearDuplicates: { distance: 2 },
      traps: false,
      cookies: true,
      keys: { stripTrackingParams: ["ref"] },
      headers: { "accept-language": "de" },
      graceMs: 1000,
    };
    expect(faultsOf({ seeds: "https://a.test/", options })).toEqual({});
  });

  it("refuses what is over a cap, naming field, rule and value", () => {
    expect(optionFault("concurrency", 33)).toBe("options.concurrency must be at most 32: received 33");
    expect(optionFault("delayMs", 99)).toBe("options.delayMs must be at least 100: received 99");
    const over: Record<string, unknown> = {
      hostConcurrency: { adaptive: 9 },
      delayMs: [0, 1000],
      robots: false,
      userAgent: "x".repeat(501),
      sitemaps: Array(51).fill("https://a.test/sitemap.xml"),
      include: Array(51).fill("*"),
      exclude: "*".repeat(501),
      maxDepth: 101,
      maxPages: 10_001,
      maxRequests: 50_001,
      maxDurationMs: 3_600_001,
      maxPagesPerHost: 10_001,
      timeoutMs: 60_001,
      maxBodyBytes: 10 * 1024 ** 2 + 1,
      contentTypes: Array(51).fill("text/html"),
      maxRedirects: 21,
      retries: { max: 6 },
      maxHostFailures: 1001,
      maxRetryAfterMs: 3_600_001,
      keys: { stripTrackingParams: Array(51).fill("a") },
      headers: { "x-a": "x".repeat(5000) },
      graceMs: 60_001,
    };
    for (const [name, value] of Object.entries(over))
      expect(optionFault(name, value), name).toContain(`options.${name}`);
  });

  it("refuses what the crawl's own rules refuse", () => {
    for (const [name, value] of Object.entries({
      concurrency: 0,
      maxPages: "5",
      scope: "all",
      include: [5],
      cookies: 1,
    })) {
      expect(optionFault(name, value), name).toContain(`options.${name}`);
    }
  });

  it("refuses options that are the server's, and names the nearest of others", () => {
    for (const name of [
      "privateAddresses",
      "results",
      "fetch",
      "transport",
      "frontier",
      "resume",
      "signal",
      "clock",
      "seen",
    ]) {
      expect(optionFault(name, "allow"), name).toContain("is no option that can be sent");
    }
    expect(optionFault("maxPage", 5)).toContain("did you mean 'maxPages'?");
    expect(optionFault("robots", { fetch: 1 })).toContain("must not have 'fetch'");
  });

  it("refuses headers that are the connection's", () => {
    for (const name of ["Host", "connection", "Transfer-Encoding", "content-length", "proxy-authorization"]) {
      expect(optionFault("headers", { [name]: "x" }), name).toContain(`must not have '${name}'`);
    }
    expect(optionFault("headers", { a: 1 })).toContain("must have text for 'a'");
  });

  it("refuses private addresses in every spelling, in seeds and in sitemaps", () => {
    const hosts = [
      "localhost",
      "127.0.0.1",
      "2130706433",
      "0x7f.1",
      "0177.0.0.1",
      "[::1]",
      "[::ffff:7f00:1]",
      "169.254.169.254",
    ];
    for (const host of [
      ...hosts,
      "0xA9FEA9FE",
      "2852039166",
      "10.1.2.3",
      "metadata.internal",
      "intranet",
      "[fd00::1]",
    ]) {
      const url = `http://${host}/`;
      expect(faultsOf({ seeds: ["https://a.test/", url] })["#/seeds/1"], host).toContain("private network");
      expect(optionFault("sitemaps", [url]), host).toContain("private network");
    }
    expect(readSubmission('{"seeds":"http://127.0.0.1/"}', LIMITS, true).seeds).toHaveLength(1);
  });

  it("refuses seeds that are none, too many, or say more than they may", () => {
    const { seeds, ...rest } = faultsOf({
      seeds: [5, "nonsense", "ftp://a.test/", { url: "https://a.test/", method: "POST" }, null],
    });
    expect(seeds).toBeUndefined();
    expect(Object.keys(rest)).toEqual(["#/seeds/0", "#/seeds/1", "#/seeds/2", "#/seeds/3", "#/seeds/4"]);
    expect(faultsOf({ seeds: "https://user:secret@a.test/" })["#/seeds"]).toContain("no credentials");
    expect(faultsOf({ seeds: { url: "https://a.test/", depth: -1 } })["#/seeds"]).toContain("'depth'");
    expect(faultsOf({ seeds: `https://a.test/${"x".repeat(2000)}` })["#/seeds"]).toContain("2000");
    for (const none of [{}, { seeds: [] }]) expect(faultsOf(none)["#/seeds"]).toContain("at least one");
    const many = { seeds: Array(101).fill("https://a.test/") };
    expect(faultsOf(many)["#/seeds"]).toBe("seeds must have at most 100 entries: received 101");
  });

  it("refuses what is no object of JSON", () => {
    for (const text of ["", "{", "[]", "null", '"x"', "5"]) expect(() => read(text), text).toThrow(Problem);
    expect(faultsOf({ seeds: "https://a.test/", options: [] })).toHaveProperty(["#/options"]);
    expect(faultsOf({ seeds: "https://a.test/", start: "later" })).toHaveProperty(["#/start"]);
    expect(optionFault("maxPages", null)).toContain("must not be null");
  });

  it("writes names into pointers as RFC 6901 has it", () => {
    expect(Object.keys(faultsOf({ seeds: "https://a.test/", options: { "a/b~c d": 1 } }))).toEqual([
      "#/options/a~1b~0c%20d",
    ]);
    expect(Object.keys(faultsOf('{"seeds":"https://a.test/","options":{"__proto__":1}}'))).toEqual([
      "#/options/__proto__",
    ]);
  });

  it("gives what a crawl can be made of, or a problem, whatever comes", () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(1e300, -1, 0.5, [], {}, [1, 2], { adaptive: 2 }, { max: -1 }),
    );
    const names = fc.constantFrom(...Object.keys(settle({})), "pace", "robots", "delayMs", "hostConcurrency");
    fc.assert(
      fc.property(fc.dictionary(names, value, { maxKeys: 4 }), (options) => {
        let submission: Submission;
        try {
          submission = read({ seeds: "https://a.test/", options });
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
          return;
        }
        expect(() =>
          crawl("https://a.test/", { ...limitedDefaults(LIMITS), ...submission.options }),
        ).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});

describe("limitedDefaults()", () => {
  it("keeps every limit where a client says nothing", () => {
    const tight = settleLimits({
      maxConcurrency: 2,
      maxHostConcurrency: 1,
      minDelayMs: 1000,
      maxPages: 5,
      maxRequests: 6,
      maxDurationMs: 7,
      maxDepth: 0,
      maxTimeoutMs: 8,
      maxBodyBytes: 9,
      maxRetries: 0,
    });
    expect(settle(limitedDefaults(tight))).toMatchObject({
      concurrency: 2,
      pace: { concurrency: { adaptive: 1 }, minGapMs: 1000 },
      maxPages: 5,
      maxRequests: 6,
      maxDurationMs: 7,
      maxDepth: 0,
      timeoutMs: 8,
      maxBodyBytes: 9,
      retries: { max: 0 },
      graceMs: 60_000,
    });
  });
});

describe("settleLimits()", () => {
  it("takes Infinity for no limit and refuses what is no number", () => {
    expect(settleLimits({ maxPages: Number.POSITIVE_INFINITY }).maxPages).toBe(Number.POSITIVE_INFINITY);
    expect(() => settleLimits({ maxPages: 1.5 })).toThrow("'limits.maxPages'");
    expect(() => settleLimits({ minDelayMs: Number.POSITIVE_INFINITY })).toThrow("'limits.minDelayMs'");
    expect(() => settleLimits({ optionalRobots: 1 as unknown as boolean })).toThrow(
      "'limits.optionalRobots'",
    );
    expect(() => settleLimits({ maxPage: 1 } as object)).toThrow("did you mean 'limits.maxPages'?");
  });
});
