import { describe, expect, it } from "vitest";
import { withFigures } from "../../bench/support/document.ts";

describe("withFigures()", () => {
  const text =
    "# Speed\n\n<!-- bench crawl -->\n\nold\n\n<!-- end -->\n\n<!-- bench peers -->\n<!-- end -->\n";

  it("puts figures in place of those that stand between the marks, and nowhere else", () => {
    expect(withFigures(text, "crawl", "new\n")).toBe(text.replace("old", "new"));
    expect(withFigures(text, "peers", "| a |")).toBe(
      text.replace("<!-- bench peers -->\n", "<!-- bench peers -->\n\n| a |\n\n"),
    );
  });

  it("changes nothing the second time", () => {
    const once = withFigures(text, "peers", "| a |");
    expect(withFigures(once, "peers", "| a |")).toBe(once);
  });

  it("refuses a text without the marks", () => {
    expect(() => withFigures("# Speed", "crawl", "new")).toThrow("no '<!-- bench crawl -->' with an end");
  });
});
