import { describe, expect, it } from "vitest";
import { isFollowable } from "../../src/web/link_rel.ts";
import { extractLinks } from "../../src/web/links.ts";

describe("isFollowable()", () => {
  it("says no to nofollow, ugc and sponsored, and yes to all else", () => {
    const html = ["", "nofollow", "UGC", "noopener Sponsored", "noopener", "author"]
      .map((rel) => `<a href=x rel="${rel}">`)
      .join("");
    expect(extractLinks(html, "https://a.test/").links.map(isFollowable)).toEqual([
      true,
      false,
      false,
      false,
      true,
      true,
    ]);
  });
});
