import { describe, expect, test } from "vitest";
import { relativePath, withAbsoluteLinks, withLocalLinks } from "../../src/output/offline_links.ts";
import { canonicalKey } from "../../src/web/url.ts";

const URL_OF_PAGE = "https://a.test/docs/page";

describe("withAbsoluteLinks()", () => {
  const absolute = (html: string): string => withAbsoluteLinks(html, URL_OF_PAGE);

  test.each([
    ["<a href=x>", '<a href="https://a.test/docs/x">'],
    ["<a href='/x?a&amp;b#c'>", '<a href="https://a.test/x?a&amp;b#c">'],
    ["<a href=//b.test/>", '<a href="https://b.test/">'],
    ["<a href=https://b.test/x>", "<a href=https://b.test/x>"],
    ["<a href=page#top>", '<a href="#top">'],
    ["<a href=#top>", "<a href=#top>"],
    ["<a href='mailto:a@b.test'><a href=javascript:x>", "<a href='mailto:a@b.test'><a href=javascript:x>"],
    ["<a href='http://['>", "<a href='http://['>"],
    [
      "<base href=/other/><a href=x><a href=#y>",
      '<base ><a href="https://a.test/other/x"><a href="https://a.test/other/#y">',
    ],
  ])("makes %s %s", (html, expected) => {
    expect(absolute(html)).toBe(`\uFEFF${expected}`);
  });

  test("declares the encoding that it gives, in XML", () => {
    expect(absolute("<?xml version='1.0' encoding='ISO-8859-1'?><html/>")).toBe(
      "\uFEFF<?xml version='1.0' encoding=\"UTF-8\"?><html/>",
    );
  });
});

describe("withLocalLinks()", () => {
  const files = new Map([
    ["https://a.test/", "a.test/index.html"],
    ["https://a.test/docs/b?c", "a.test/docs/b@c.html"],
    ["https://b.test/", "b.test/index.html"],
  ]);
  const local = (html: string): string =>
    withLocalLinks(html, "a.test/docs/page.html", (key) => files.get(key));

  test.each([
    ['<a href="https://a.test/">', '<a href="../index.html">'],
    ['<a href="https://A.test:443/#x">', '<a href="../index.html#x">'],
    ['<a href="https://a.test/docs/b?c">', '<a href="b%40c.html">'],
    ['<a href="https://b.test/">', '<a href="../../b.test/index.html">'],
    ['<a href="https://c.test/">', '<a href="https://c.test/">'],
    ["<a href=../x><a href=#y>", "<a href=../x><a href=#y>"],
  ])("makes %s %s", (html, expected) => {
    expect(local(html)).toBe(expected);
    expect(local(expected)).toBe(expected);
  });

  test("goes with absolute links to what was saved, and with all others back to where they led", () => {
    const html = withAbsoluteLinks(
      "<base href=/><a href=docs/b?c><a href=x><img srcset='/ 2x'>",
      URL_OF_PAGE,
    );
    expect(local(html)).toBe(
      '\uFEFF<base ><a href="b%40c.html"><a href="https://a.test/x"><img srcset="../index.html 2x">',
    );
    expect(files.has(canonicalKey("https://a.test/x"))).toBe(false);
  });
});

describe("relativePath()", () => {
  test.each([
    ["a/b.html", "a/c.html", "c.html"],
    ["a/b.html", "a/b.html", "b.html"],
    ["a/b/c.html", "a/d.html", "../d.html"],
    ["a/b.html", "c/d/e.html", "../c/d/e.html"],
    ["a/b.html", "a/b/c.html", "b/c.html"],
    ["a/b.html", "a/50% #1?:é.html", "50%25%20%231%3F%3A%C3%A9.html"],
  ])("leads from %s to %s by %s", (from, to, path) => {
    expect(relativePath(from, to)).toBe(path);
  });
});
