import { describe, expect, test } from "vitest";
import { parseCommand } from "../../src/cli/arguments.ts";
import { FLAGS } from "../../src/cli/flags.ts";
import { choose, givenByFile, givenByVariables, variableOf } from "../../src/cli/given.ts";
import { settle } from "../../src/settings.ts";
import { VERSION } from "../../src/version.ts";
import { canonicalKey } from "../../src/web/url.ts";
import { complaintOf } from "./complaint.ts";

const fromFile = (options: object) => choose([givenByFile("c.json", JSON.stringify(options))]);

/** The arguments that give a flag its example; a switch is turned to what it is not by default. */
function exampleArguments({ name, kind, example, default: usual }: (typeof FLAGS)[number]): string[] {
  if (kind.placeholder === undefined) return [usual === "on" ? `--no-${name}` : `--${name}`];
  return [`--${name}`, example ?? ""];
}

describe("choose()", () => {
  test.each(FLAGS.map((flag) => [flag.name, flag] as const))("takes the example of --%s", (name, flag) => {
    const command = parseCommand(["https://a.test/", ...exampleArguments(flag)]);
    if (command.type !== "crawl") throw new Error("no crawl");
    const byArguments = choose([command.flags]);
    const { options, wishes } = byArguments;
    expect(Object.keys(options).length + Object.keys(wishes).length).toBe(1);
    expect(() => settle(options)).not.toThrow();
    // The same value by the two other ways.
    const text = flag.kind.placeholder === undefined ? String(flag.default !== "on") : (flag.example ?? "");
    expect(fromFile({ [name]: text })).toEqual(byArguments);
    expect(choose([givenByVariables({ [variableOf(name)]: text })])).toEqual(byArguments);
  });

  test.each(
    FLAGS.filter(({ target, default: usual }) => "option" in target && usual !== undefined).map(
      (flag) => [flag.name, flag] as const,
    ),
  )(
    "takes the default that the help tells of --%s, and it is the library's",
    (name, { default: usual = "" }) => {
      const inWords: Record<string, string> = {
        "no limit": "none",
        "HTML, XHTML, XML, plain text": "text/html,application/xhtml+xml,application/xml,text/xml,text/plain",
        "dragline/VERSION": `dragline/${VERSION}`,
      };
      // No value of the flag: it is what stands where the flag is not given.
      if (name === "bloom") return void expect(settle({}).seen).toBe(usual);
      const { options } = fromFile({ [name]: inWords[usual] ?? usual });
      // What sends requests is made anew each time.
      const { transport, robotsTransport, nearDuplicates, keys, ...settings } = settle(options);
      const { transport: t, robotsTransport: r, nearDuplicates: none, keys: k, ...defaults } = settle({});
      expect(settings).toEqual(defaults);
      const url = "https://a.test/a/?b=1&a=2&utm_source=3";
      expect(canonicalKey(url, keys)).toBe(canonicalKey(url, k));
      if (name === "near-distance")
        expect(nearDuplicates).toEqual(settle({ nearDuplicates: true }).nearDuplicates);
      else expect(nearDuplicates).toBe(none);
    },
  );

  test("lets the first of several sources hold, flag by flag", () => {
    const file = givenByFile("c.json", '{ "max-pages": 5, "scope": "domain" }');
    const variables = givenByVariables({ DRAGLINE_MAX_PAGES: "7", DRAGLINE_MAX_DEPTH: "1" });
    expect(choose([file, variables]).options).toEqual({ maxPages: 5, maxDepth: 1, scope: "domain" });
  });

  test("reads values with their units into what crawl() takes", () => {
    const { options } = fromFile({
      "max-depth": "none",
      delay: "1s..2m",
      timeout: "1.5s",
      "max-duration": "2h",
      "max-body": "2MiB",
      retries: 5,
      "retry-base": "1s",
      "host-concurrency": "adaptive:2",
      "near-duplicates": "skip",
      include: ["*/docs/*", "/\\d+/"],
      "content-types": "text/html, image/*",
    });
    expect(options).toEqual({
      maxDepth: Number.POSITIVE_INFINITY,
      delayMs: [1000, 120_000],
      timeoutMs: 1500,
      maxDurationMs: 7_200_000,
      maxBodyBytes: 2_097_152,
      retries: { max: 5, baseMs: 1000 },
      hostConcurrency: { adaptive: 2 },
      nearDuplicates: { skip: true },
      include: ["*/docs/*", /\d+/],
      contentTypes: ["text/html", "image/*"],
    });
  });

  test("wants no part of robots.txt where it is switched off", () => {
    expect(fromFile({ "max-crawl-delay": "1s", robots: false }).options).toEqual({ robots: false });
  });

  test.each([
    [{ "max-pages": 0 }, "'max-pages' in c.json must be a whole number of at least 1, or none: received '0'"],
    [
      { "max-pages": -1 },
      "'max-pages' in c.json must be a whole number of at least 1, or none: received '-1'",
    ],
    [{ concurrency: "1e3" }, "'concurrency' in c.json must be a whole number of at least 1: received '1e3'"],
    [
      { timeout: 0 },
      "'timeout' in c.json must be a length of time such as 250ms, 10s, 5m or 1h, above zero: received '0'",
    ],
    [
      { delay: "2s..1s" },
      "'delay' in c.json must be a length of time such as 250ms or 2s, or two as in 250ms..30s: received '2s..1s'",
    ],
    [
      { scope: "world" },
      "'scope' in c.json must be one of origin, host, domain, prefix, any: received 'world'",
    ],
    [
      { exclude: "/(/" },
      "'exclude' in c.json must be a pattern: a glob, or an expression between slashes: received '/(/'",
    ],
    [{ header: "x" }, "'header' in c.json must be a header such as 'Accept-Language: de': received 'x'"],
    [{ robots: "maybe" }, "'robots' in c.json must be true or false: received 'maybe'"],
    [
      { emails: "found.xls" },
      "'emails' in c.json must be a path that ends in .csv or .json: received 'found.xls'",
    ],
    [{ warc: "a.warc" }, "'warc' in c.json must be a path that ends in .warc.gz: received 'a.warc'"],
  ])("refuses %o", (options, message) => {
    expect(complaintOf(() => fromFile(options))).toBe(message);
  });
});

describe("givenByFile()", () => {
  test("names the nearest option to one that does not exist", () => {
    expect(complaintOf(() => fromFile({ maxPages: 5 }))).toBe(
      "there is no option 'maxPages' in c.json, did you mean 'max-pages'?",
    );
  });

  test("refuses what is no object of plain values", () => {
    expect(complaintOf(() => givenByFile("c.json", "{"))).toMatch(/^c\.json is not JSON: /);
    expect(complaintOf(() => givenByFile("c.json", "[]"))).toMatch(/^c\.json must be a JSON object/);
    expect(complaintOf(() => fromFile({ scope: null }))).toMatch(/^'scope' in c\.json must be a text/);
  });
});

describe("givenByVariables()", () => {
  test("names the variable that is wrong", () => {
    const work = () => choose([givenByVariables({ DRAGLINE_MAX_PAGES: "many" })]);
    expect(complaintOf(work)).toMatch(/^DRAGLINE_MAX_PAGES must be /);
  });

  test("takes an empty one as not set, and lines as several values", () => {
    const given = givenByVariables({ DRAGLINE_SCOPE: "", DRAGLINE_EXCLUDE: "*.pdf\n*.zip\n" });
    expect(choose([given]).options).toEqual({ exclude: ["*.pdf", "*.zip"] });
  });
});
