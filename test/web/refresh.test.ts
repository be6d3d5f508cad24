import { describe, expect, it } from "vitest";
import { parseRefresh } from "../../src/web/refresh.ts";

describe("parseRefresh()", () => {
  it.each([
    ["5;url=/a", 5_000, "/a"],
    ["5; URL = /a ", 5_000, "/a "],
    ["0, url='/a'b", 0, "/a"],
    ['0 url="/a', 0, "/a"],
    ["\n 10\t/a", 10_000, "/a"],
    ["3;'/a' b", 3_000, "/a"],
    ["3.9;/a", 3_000, "/a"],
    [".5;/a", 0, "/a"],
    ["3..5.;/a", 3_000, "/a"],
    ["1;url", 1_000, "url"],
    ["1;ur=/a", 1_000, "ur=/a"],
    ["1;url/a", 1_000, "url/a"],
    ["1;;/a", 1_000, ";/a"],
    ["1;url=''", 1_000, ""],
    ["1;url=\u00a0/a", 1_000, "\u00a0/a"],
  ])("reads %j", (content, delayMs, href) => {
    expect(parseRefresh(content)).toEqual({ delayMs, href });
  });

  it.each(["5", "5;", " 5 , ", "5.5"])("gives no href where %j only loads the page again", (content) => {
    expect(parseRefresh(content)).toEqual({ delayMs: 5_000, href: undefined });
  });

  it.each(["", "url=/a", ";/a", "x", "5x", "5/a", "-1;/a", "+1;/a", "\u00a05;/a"])(
    "takes %j for nothing",
    (content) => {
      expect(parseRefresh(content)).toBeUndefined();
    },
  );
});
