import { describe, expect, test } from "vitest";
import { parseCommand } from "../../src/cli/arguments.ts";
import { UsageError } from "../../src/cli/usage_error.ts";

const SITE = "https://a.test/";

/** The one sentence that a wrong command line gets. */
function complaint(...args: string[]): string {
  try {
    parseCommand(args);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error(`'${args.join(" ")}' was understood`);
}

describe("parseCommand()", () => {
  test("takes every URL as a seed, in its order, between the flags too", () => {
    expect(parseCommand([SITE, "--max-pages", "5", "http://b.test/x?y"])).toEqual({
      type: "crawl",
      seeds: [SITE, "http://b.test/x?y"],
      options: { maxPages: 5 },
    });
  });

  test("gives each flag to its option of crawl()", () => {
    const args = "--max-pages 10 --max-depth 0 --scope domain --delay 0 --concurrency 32".split(" ");
    expect(parseCommand([SITE, ...args])).toMatchObject({
      options: { maxPages: 10, maxDepth: 0, scope: "domain", delayMs: 0, concurrency: 32 },
    });
  });

  test("takes a value after an equals sign, and the last of a flag that is given twice", () => {
    expect(parseCommand([SITE, "--delay=5", "--delay=7"])).toMatchObject({ options: { delayMs: 7 } });
  });

  test("leaves the defaults to crawl()", () => {
    expect(parseCommand([SITE])).toEqual({ type: "crawl", seeds: [SITE], options: {} });
  });

  test.each([["--help"], ["-h"], ["--wat", "--help"]])("answers %s with the help", (...args) => {
    expect(parseCommand(args)).toEqual({ type: "help" });
  });

  test.each(["--version", "-V"])("answers %s with the version", (flag) => {
    expect(parseCommand([flag, SITE])).toEqual({ type: "version" });
  });

  test("wants a URL", () => {
    expect(complaint()).toBe("no URL to start from");
    expect(complaint("--max-pages", "5")).toBe("no URL to start from");
  });

  test("refuses what is no URL, and guesses the scheme that was left out", () => {
    expect(complaint("not a url")).toBe("not a URL: 'not a url'");
    for (const meant of [
      "https://example.com",
      "https://example.com/a?b",
      "http://localhost:8080",
      "http://127.0.0.1:8080/x",
    ]) {
      const typed = meant.replace(/^https?:\/\//, "");
      expect(complaint(typed)).toBe(
        `a URL starts with its scheme: received '${typed}', did you mean ${meant}?`,
      );
    }
  });

  test.each(["ftp://x", "file:///etc/passwd", "javascript:alert(1)"])("refuses %s", (url) => {
    expect(complaint(url)).toBe(`only http and https can be crawled: received '${url}'`);
  });

  test.each(["-1", "0", "1.5", "many", "", "1e3", " 5", "99999999999999999999"])(
    "refuses '%s' as a number of pages",
    (text) => {
      expect(complaint(SITE, "--max-pages", text)).toBe(
        `--max-pages must be a whole number of at least 1: received '${text}'`,
      );
    },
  );

  test("refuses a negative delay, written either way", () => {
    const message = "--delay must be a whole number of at least 0: received '-5'";
    expect(complaint(SITE, "--delay", "-5")).toBe(message);
    expect(complaint(SITE, "--delay=-5")).toBe(message);
  });

  test("names the scopes to one that does not exist", () => {
    expect(complaint(SITE, "--scope", "world")).toBe(
      "--scope must be one of origin, host, domain, prefix, any: received 'world'",
    );
  });

  test("names the nearest flag to one that does not exist, and none where none is near", () => {
    expect(complaint(SITE, "--max-page", "5")).toBe(
      "there is no option --max-page, did you mean --max-pages?",
    );
    expect(complaint(SITE, "--concurency=5")).toBe(
      "there is no option --concurency, did you mean --concurrency?",
    );
    expect(complaint(SITE, "--zzzzzzzz")).toBe("there is no option --zzzzzzzz");
    expect(complaint(SITE, "-x")).toBe("there is no option -x");
  });

  test("wants a value behind a flag", () => {
    expect(complaint(SITE, "--scope")).toBe("--scope needs a value: --scope S");
  });
});
