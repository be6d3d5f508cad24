import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleText } from "../../src/web/visible_text.ts";

describe("visibleText()", () => {
  it.each([
    ["<p>one</p><p>two</p>", "one two"],
    ["a<b>b</b>c", "abc"],
    ["a<br>b", "a b"],
    ["<title>t</title><script>s</script><style>x</style>seen", "seen"],
    ["<template>no</template>yes", "yes"],
    ["fish &amp; chips", "fish & chips"],
    ["<td>1</td><td>2</td>", "1 2"],
    ["<!-- no -->yes", "yes"],
  ])("of %s is %s", (html, text) => {
    expect(visibleText(html).replace(/\s+/g, " ").trim()).toBe(text);
  });

  it("takes any text", () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (html) => typeof visibleText(html) === "string"));
  });
});
