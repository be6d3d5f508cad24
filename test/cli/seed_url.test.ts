import { describe, expect, test } from "vitest";
import { readSeed, readSeedList } from "../../src/cli/seed_url.ts";
import { complaintOf } from "./complaint.ts";

describe("readSeed()", () => {
  test("takes http and https as written", () => {
    expect(readSeed("https://a.test/b?c")).toBe("https://a.test/b?c");
  });

  test("refuses what is no URL, and guesses the scheme that was left out", () => {
    expect(complaintOf(() => readSeed("not a url"))).toBe("not a URL: 'not a url'");
    for (const meant of [
      "https://example.com",
      "https://example.com/a?b",
      "http://localhost:8080",
      "http://127.0.0.1:8080/x",
    ]) {
      const typed = meant.replace(/^https?:\/\//, "");
      expect(complaintOf(() => readSeed(typed))).toBe(
        `a URL starts with its scheme: received '${typed}', did you mean ${meant}?`,
      );
    }
  });

  test.each(["ftp://x", "file:///etc/passwd", "javascript:alert(1)"])("refuses %s", (url) => {
    expect(complaintOf(() => readSeed(url))).toBe(`only http and https can be crawled: received '${url}'`);
  });
});

describe("readSeedList()", () => {
  test("takes one URL a line, and leaves out empty lines and comments", () => {
    const text = "\uFEFF# two sites\r\nhttps://a.test/\r\n\n  http://b.test/ \n";
    expect(readSeedList("seeds.txt", text)).toEqual(["https://a.test/", "http://b.test/"]);
  });

  test("names the line that is none", () => {
    const work = () => readSeedList("seeds.txt", "https://a.test/\nwat\n");
    expect(complaintOf(work)).toBe("seeds.txt, line 2: not a URL: 'wat'");
  });
});
