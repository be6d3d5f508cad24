import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rewriteLinks } from "../../src/output/tag_links.ts";

const mark = (html: string, keepBase = false): string =>
  rewriteLinks(html, (href) => `[${href}]`, { keepBase });

describe("rewriteLinks()", () => {
  test.each([
    ['<a href="x">', '<a href="[x]">'],
    ["<A\nclass=b HREF = 'x' id=c>", '<A\nclass=b HREF="[x]" id=c>'],
    ["<a href=x/>", '<a href="[x/]">'],
    ["<a href=x>y</a>", '<a href="[x]">y</a>'],
    ["<a href=1 href=2>", '<a href="[1]" href=2>'],
    ["<a =href=1 href=2>", '<a =href=1 href="[2]">'],
    ['<a title=">" href=x>', '<a title=">" href="[x]">'],
    ["<a href='a&amp;b\"<c>'>", '<a href="[a&amp;b&quot;&lt;c>]">'],
    ["<a href=x /><br/>", '<a href="[x]" /><br/>'],
    ["<img src=a srcset='b 1x, c 2x'>", `<img src="[a]" srcset="[b] 1x, [c] 2x">`],
    ["<source srcset='a,b, c 2x'>", `<source srcset="[a,b], [c] 2x">`],
    ["<meta http-equiv=Refresh content='3; url=x'>", '<meta http-equiv=Refresh content="3; url=[x]">'],
    ["<form action=a><button formaction=b>", '<form action="[a]"><button formaction="[b]">'],
    ["<video poster=p src=v></video>", '<video poster="[p]" src="[v]"></video>'],
    [
      "<svg><use xlink:href='#a'/><image href=b /></svg>",
      `<svg><use xlink:href="[#a]"/><image href="[b]" /></svg>`,
    ],
    ["<template><a href=x></a></template>", '<template><a href="[x]"></a></template>'],
  ])("rewrites %s", (html, rewritten) => {
    expect(mark(html)).toBe(rewritten);
  });

  test.each([
    "<p title=x>text <!-- <a href=x> --> &amp; &copy",
    "<script>'<a href=x>'</script><style>a{}</style><title><a href=x></title>",
    "<a name=x><img src=''><a href>",
    "<a href=x",
    "<meta name=refresh content='0; url=x'><meta http-equiv=refresh content=5>",
    "",
  ])("leaves %j as it is written", (html) => {
    expect(mark(html)).toBe(html);
  });

  test("leaves a reference as it is written for which there is no other", () => {
    expect(rewriteLinks("<a href=x><a href='y'>", () => undefined, { keepBase: true })).toBe(
      "<a href=x><a href='y'>",
    );
  });

  test("takes the href of a base away, unless it is to stay", () => {
    expect(mark("<base href=/x/ target=_top><a href=y>")).toBe('<base  target=_top><a href="[y]">');
    expect(mark("<base href=/x/><a href=y>", true)).toBe('<base href=/x/><a href="[y]">');
  });

  test("changes no text at all where it changes no link", () => {
    const markup = fc.constantFrom(
      "<",
      ">",
      "a",
      "<a ",
      "href",
      "=",
      '"',
      "'",
      "/",
      " ",
      "x",
      "<!--",
      "-->",
      "<script>",
      "&",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(markup, { maxLength: 40 }), (pieces) => {
        const html = pieces.join("");
        expect(rewriteLinks(html, (href) => href, { keepBase: true })).toBe(html);
        const once = rewriteLinks(html, () => "z", { keepBase: true });
        expect(rewriteLinks(once, () => "z", { keepBase: true })).toBe(once);
      }),
      { numRuns: 1_000 },
    );
  });
});
