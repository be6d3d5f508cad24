import { describe, expect, it } from "vitest";
import { linkTargets } from "../../src/web/link_header.ts";
import { charactersRead } from "./counted_work.ts";

describe("linkTargets()", () => {
  it.each([
    ["</a>; rel=canonical", ["/a"]],
    ['</a>; rel="canonical"', ["/a"]],
    ['< /a >;REL="next CANONICAL";title="x"', ["/a"]],
    ["</a>;rel=next, </b>;rel=canonical,</c> ; rel = canonical", ["/b", "/c"]],
    ['</a,b;c>; title="x, <no>; rel=canonical"; rel=canonical', ["/a,b;c"]],
    ['</a>; title="say \\"x\\", y"; rel="canonical"', ["/a"]],
    ["</a>; x; rel=canonical", ["/a"]],
  ])("finds them in %s", (header, targets) => {
    expect(linkTargets(header, "canonical")).toEqual(targets);
  });

  it.each([
    "",
    "/a; rel=canonical",
    "</a>",
    "</a>; rel=canonicals",
    "</a>; rel=next; rel=canonical",
    '</a>; rel=canonical; anchor="/b"',
    "</a; rel=canonical",
  ])("finds none in %j", (header) => {
    expect(linkTargets(header, "canonical")).toEqual([]);
  });

  it("comes to the end of a hostile header", () => {
    for (const header of [
      `</a>${"; a=".repeat(4_000)}`,
      `</a>;a=${" ".repeat(16_000)}x`,
      `</a>;a="${"\\".repeat(16_000)}`,
    ]) {
      expect(charactersRead(() => linkTargets(header, "canonical"))).toBeLessThan(1_000_000);
    }
  });
});
