import { describe, expect, test } from "vitest";
import { crawl } from "../src/crawl.ts";
import type { CrawlOptions } from "../src/options.ts";
import { settle } from "../src/settings.ts";
import { VERSION } from "../src/version.ts";

const HOME = "https://a.test/";

/** Each option with values that it refuses, by kind of error. */
const WRONG: Record<keyof CrawlOptions, { type?: unknown[]; range?: unknown[] }> = {
  results: { type: ["none", true, null, 1] },
  concurrency: { type: ["8", null, {}], range: [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY] },
  hostConcurrency: {
    type: ["4", null, {}, { adaptive: "4" }],
    range: [0, 1.5, -1, { adaptive: 0 }, { adaptive: Number.NaN }],
  },
  delayMs: {
    type: ["250", null, {}, [], [1], [1, 2, 3], ["1", 2], [1, "2"]],
    range: [
      -1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      [-1, 2],
      [2, 1],
      [Number.NaN, 1],
      [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ],
  },
  hostKey: { type: ["a", {}, null] },
  robots: {
    type: ["no", 1, null, { fetch: 1 }, { maxAgeMs: "1" }, { unreachableRetries: null }],
    range: [
      { maxAgeMs: 0 },
      { maxAgeMs: Number.NaN },
      { unreachableRetries: -1 },
      { unreachableRetries: 0.5 },
      { maxCrawlDelayMs: -1 },
    ],
  },
  userAgent: { type: ["", " ", "a\nb", "caf\u00e9", " a", "a ", 5, null] },
  sitemaps: {
    type: ["https://a.test/map.xml", 1, {}, null, ["map.xml"], ["ftp://a.test/"], [5], [undefined]],
  },
  scope: { type: ["hosts", true, null, {}, 5] },
  include: { type: [5, null, {}, [5], [null], [["*"]]] },
  exclude: { type: [5, null, {}, [undefined]] },
  follow: { type: ["yes", 1, null, []] },
  directives: { type: ["yes", 1, null] },
  priority: { type: [1, "depth", null] },
  maxDepth: { type: ["1", null], range: [-1, 0.5, Number.NaN, Number.NEGATIVE_INFINITY] },
  maxPages: { type: ["1", null], range: [0, -1, 0.5, Number.NaN] },
  maxRequests: { type: ["1", null], range: [0, -1, 0.5, Number.NaN] },
  maxDurationMs: { type: ["1", null], range: [0, -1, Number.NaN] },
  maxPagesPerHost: { type: ["1", null], range: [0, -1, 0.5, Number.NaN] },
  timeoutMs: { type: ["1", null], range: [0, -1, Number.NaN] },
  maxBodyBytes: { type: ["1", null], range: [0, -1, Number.NaN] },
  contentTypes: {
    type: ["text/html", "all", null, 5, {}, ["html"], ["text/"], ["text/html; charset=utf-8"], [5]],
  },
  maxRedirects: { type: ["1", null], range: [-1, 0.5, Number.NaN] },
  retries: {
    type: [2, "2", null, { max: "2" }, { baseMs: null }],
    range: [{ max: -1 }, { max: 0.5 }, { baseMs: -1 }, { maxMs: Number.NaN }],
  },
  maxHostFailures: { type: ["1", null], range: [0, -1, 0.5, Number.NaN] },
  maxRetryAfterMs: { type: ["1", null], range: [-1, Number.NaN] },
  privateAddresses: { type: ["none", true, null] },
  cookies: { type: ["yes", 1, null, {}] },
  frontier: { type: ["memory", {}, null, 5] },
  seen: {
    type: ["bloom", null, 5, {}, { bloom: 5 }, { bloom: null }],
    range: [
      { bloom: { capacity: 0, falsePositives: 0.1 } },
      { bloom: { capacity: 1, falsePositives: 0 } },
      { bloom: { capacity: 1, falsePositives: 1 } },
      { bloom: { capacity: 1, falsePositives: Number.NaN } },
    ],
  },
  resume: { type: [5, "{}", null, {}, []] },
  nearDuplicates: {
    type: ["yes", 1, null, { distance: "3" }, { links: 1 }],
    range: [{ distance: -1 }, { distance: 0.5 }],
  },
  traps: { type: ["yes", 1, null] },
  keys: {
    type: [
      5,
      "x",
      null,
      { sortQuery: 1 },
      { trailingSlash: "add" },
      { trailingSlash: true },
      { stripTrackingParams: "utm_*" },
      { stripTrackingParams: [5] },
      { stripTrackingParams: null },
    ],
  },
  headers: { type: ["a: b", 5, null, { "no header": "x" }, { a: "b\nc" }, { a: "caf\u0119" }] },
  fetch: { type: ["fetch", {}, null] },
  transport: { type: ["undici", {}, null, { send: 1 }, () => {}] },
  revalidate: { type: [{}, "x", null, true, { get: () => undefined }] },
  signal: { type: [{}, "x", null, { aborted: false }] },
  graceMs: { type: ["1", null], range: [-1, Number.NaN] },
  onEvent: { type: [{}, "x", null] },
  clock: { type: [{}, null, { now: () => 0 }, { at: () => {} }] },
  random: { type: [0.5, null] },
};

describe("crawl() and wrong options", () => {
  const cases = Object.entries(WRONG).flatMap(([name, { type = [], range = [] }]) => [
    ...type.map((value) => [name, value, TypeError] as const),
    ...range.map((value) => [name, value, RangeError] as const),
  ]);

  test.each(cases)("throws at once for %s: %o", (name, value, kind) => {
    const run = (): unknown => crawl(HOME, { [name]: value });
    expect(run).toThrow(kind);
    expect(run).toThrow(/^Cannot crawl /);
    // The message names the option, the rule and, but where the value is a secret or long, what came.
    expect(run).toThrow(new RegExp(`'${name}`));
  });

  test.each([
    ["maxPage", "maxPages"],
    ["concurency", "concurrency"],
    ["useragent", "userAgent"],
    ["delay", "delayMs"],
    ["robot", "robots"],
    ["timeout", "timeoutMs"],
    ["maxpages", "maxPages"],
    ["Scope", "scope"],
  ])("an unknown option is an error that suggests the nearest: %s, %s", (name, nearest) => {
    const run = (): unknown => crawl(HOME, { [name]: 1 } as CrawlOptions);
    expect(run).toThrow(TypeError);
    expect(run).toThrow(`there is no option '${name}': did you mean '${nearest}'?`);
  });

  test("an unknown option that is like none is an error without a guess", () => {
    expect(() => crawl(HOME, { zzzzzzzz: 1 } as CrawlOptions)).toThrow(/there is no option 'zzzzzzzz'$/);
    expect(() => crawl(HOME, { toString: 1 } as unknown as CrawlOptions)).toThrow(/no option 'toString'/);
  });

  test.each([
    [{ robots: { maxAge: 1 } }, "robots.maxAge", "robots.maxAgeMs"],
    [{ retries: { base: 1 } }, "retries.base", "retries.baseMs"],
    [{ hostConcurrency: { adaptiv: 4 } }, "hostConcurrency.adaptiv", "hostConcurrency.adaptive"],
    [{ keys: { sortquery: true } }, "keys.sortquery", "keys.sortQuery"],
    [
      { seen: { bloom: { capacity: 1, falsePositive: 0.1 } } },
      "seen.bloom.falsePositive",
      "seen.bloom.falsePositives",
    ],
  ])("an unknown name within an option is one too: %o", (options, name, nearest) => {
    expect(() => crawl(HOME, options as unknown as CrawlOptions)).toThrow(
      `there is no option '${name}': did you mean '${nearest}'?`,
    );
  });

  test.each([null, 5, "options", true])("options that are no object are an error: %o", (options) => {
    expect(() => crawl(HOME, options as unknown as CrawlOptions)).toThrow(
      /options must be an object: received/,
    );
  });

  test("fetch and transport together are an error", () => {
    expect(() => crawl(HOME, { fetch, transport: { send: () => Promise.reject(new Error()) } })).toThrow(
      /'fetch' and 'transport'/,
    );
  });

  test("nothing is sent before they are found", () => {
    let sent = 0;
    const fetch = async (): Promise<Response> => {
      sent++;
      return new Response();
    };
    expect(() => crawl(HOME, { fetch, maxPages: 0 })).toThrow();
    expect(sent).toBe(0);
  });
});

describe("settle()", () => {
  test("gives each option its default", () => {
    expect(settle({})).toMatchObject({
      results: "pages",
      concurrency: 8,
      pace: { concurrency: { adaptive: 4 }, minGapMs: 250, maxGapMs: 60_000 },
      robots: { maxAgeMs: 86_400_000, unreachableRetries: 3, maxCrawlDelayMs: 300_000 },
      userAgent: `dragline/${VERSION}`,
      sitemaps: false,
      scope: "host",
      follow: true,
      directives: true,
      maxDepth: Number.POSITIVE_INFINITY,
      maxPages: Number.POSITIVE_INFINITY,
      maxRequests: Number.POSITIVE_INFINITY,
      maxDurationMs: Number.POSITIVE_INFINITY,
      maxPagesPerHost: Number.POSITIVE_INFINITY,
      timeoutMs: 10_000,
      maxBodyBytes: 10_485_760,
      contentTypes: ["text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain"],
      maxRedirects: 10,
      retries: { max: 2, baseMs: 500, maxMs: 30_000 },
      maxHostFailures: 20,
      maxRetryAfterMs: 3_600_000,
      privateAddresses: "seeds",
      cookies: false,
      graceMs: Number.POSITIVE_INFINITY,
    });
  });

  test("takes undefined for an option that is not given", () => {
    const names = Object.keys(WRONG);
    const given = Object.fromEntries(names.map((name) => [name, undefined])) as CrawlOptions;
    const { clock, random, transport, robotsTransport, hostKey, ...plain } = settle(given);
    const {
      clock: _c,
      random: _r,
      transport: _t,
      robotsTransport: _o,
      hostKey: _h,
      ...expected
    } = settle({});
    expect(plain).toEqual(expected);
  });

  test.each([
    [250, 250, 60_000],
    [0, 0, 60_000],
    [90_000, 90_000, 90_000],
    [[100, 400], 100, 400],
    [[500, 500], 500, 500],
    [[0, Number.POSITIVE_INFINITY], 0, Number.POSITIVE_INFINITY],
  ] as const)("reads delayMs %o as a range", (delayMs, minGapMs, maxGapMs) => {
    expect(settle({ delayMs }).pace).toMatchObject({ minGapMs, maxGapMs });
  });

  test("takes the limits of each range", () => {
    expect(() =>
      settle({
        concurrency: 1,
        hostConcurrency: 1,
        delayMs: 0,
        maxDepth: 0,
        maxPages: 1,
        maxRedirects: 0,
        timeoutMs: Number.POSITIVE_INFINITY,
        maxBodyBytes: Number.POSITIVE_INFINITY,
        maxRetryAfterMs: 0,
        graceMs: 0,
        retries: { max: 0, baseMs: 0, maxMs: 0 },
        maxHostFailures: Number.POSITIVE_INFINITY,
        robots: { unreachableRetries: 0, maxCrawlDelayMs: 0 },
        sitemaps: [],
        contentTypes: ["*/*"],
        include: "*",
        exclude: /x/,
      }),
    ).not.toThrow();
  });

  test("robots: false switches them off, and an object says how", () => {
    expect(settle({ robots: false }).robots).toBeUndefined();
    expect(settle({ robots: { maxAgeMs: 5 } }).robots).toEqual({
      maxAgeMs: 5,
      unreachableRetries: 3,
      maxCrawlDelayMs: 300_000,
    });
  });

  test("takes a copy of the headers, from a record or a Headers", () => {
    const record = { "X-A": "1" };
    const settled = settle({ headers: record });
    record["X-A"] = "2";
    expect(settled.headers).toEqual({ "x-a": "1" });
    expect(settle({ headers: new Headers({ b: "3" }) as never }).headers).toEqual({ b: "3" });
  });

  test("hostKey is the authority by default, and the caller's name by its own", () => {
    expect(settle({}).hostKey("https://A.test:443/x")).toBe("a.test");
    expect(
      settle({ hostKey: ({ hostname }) => hostname.split(".").at(-1)! }).hostKey("https://a.test:81/"),
    ).toBe("test");
  });
});
