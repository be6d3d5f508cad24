import { describe, expect, it } from "vitest";
import { robotsMetaRules, robotsTagRules } from "../../src/web/robots_tag.ts";

describe("robotsTagRules()", () => {
  it.each([
    ["noindex", ["noindex"]],
    ["NoIndex , NOFOLLOW", ["noindex", "nofollow"]],
    ["otterbot: noindex, nofollow", ["noindex", "nofollow"]],
    ["OtterBot:noindex", ["noindex"]],
    ["heron: noindex, nofollow", []],
    ["noarchive, heron: none, otterbot: nofollow, nosnippet", ["noarchive", "nofollow", "nosnippet"]],
    ["heron: none, *: nofollow", ["nofollow"]],
    ["otter: none, otterbot-image: none", []],
    ["max-snippet: 20, max-image-preview:large", ["max-snippet: 20", "max-image-preview:large"]],
    ["otterbot: max-snippet: 20, noindex", ["max-snippet: 20", "noindex"]],
    ["heron: max-snippet: 20, noindex", []],
    [
      "unavailable_after: 25 Jun 2031 15:00:00 GMT, noindex",
      ["unavailable_after: 25 jun 2031 15:00:00 gmt", "noindex"],
    ],
    [
      "unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT",
      ["unavailable_after: wed, 25 jun 2031 15:00:00 gmt"],
    ],
    [
      "otterbot: unavailable_after: Wednesday, 25-Jun-31 15:00:00 GMT, none",
      ["unavailable_after: wednesday, 25-jun-31 15:00:00 gmt", "none"],
    ],
    ["unavailable_after: 2031-06-25T15:00:00Z", ["unavailable_after: 2031-06-25t15:00:00z"]],
    ["", []],
    [" , ,: noindex,", [": noindex"]],
  ])("reads %j", (header, rules) => {
    expect(robotsTagRules(header, "otterbot")).toEqual(rules);
  });

  it("gives a crawler without a name what is for all", () => {
    expect(robotsTagRules("noindex, heron: nofollow", "")).toEqual(["noindex"]);
  });
});

describe("robotsMetaRules()", () => {
  it("has no names before colons", () => {
    expect(robotsMetaRules("NOINDEX,max-snippet:-1 ,, unavailable_after: Wed, 25 Jun 2031")).toEqual([
      "noindex",
      "max-snippet:-1",
      "unavailable_after: wed, 25 jun 2031",
    ]);
  });
});
