import { describe, expect, test } from "vitest";
import { SettledLinks } from "../src/settled_links.ts";

describe("SettledLinks", () => {
  test("tells a link by how it is written and where", () => {
    const settled = new SettledLinks();
    settled.add("https://a.test", "/x");
    settled.add("", "https://a.test/y");
    expect([
      settled.has("https://a.test", "/x"),
      settled.has("https://b.test", "/x"),
      settled.has("", "/x"),
      settled.has("", "https://a.test/y"),
    ]).toEqual([true, false, false, true]);
  });

  test("holds 20,000 links, and begins anew with the next one", () => {
    const settled = new SettledLinks();
    for (let n = 0; n < 20_000; n++) settled.add(`https://${n % 7}.test`, `/${n}`);
    expect([0, 19_999].map((n) => settled.has(`https://${n % 7}.test`, `/${n}`))).toEqual([true, true]);
    settled.add("https://a.test", "/x");
    expect([settled.has("https://0.test", "/0"), settled.has("https://a.test", "/x")]).toEqual([false, true]);
  });

  test("forgets all that are cleared", () => {
    const settled = new SettledLinks();
    settled.add("", "https://a.test/");
    settled.clear();
    expect(settled.has("", "https://a.test/")).toBe(false);
  });
});
