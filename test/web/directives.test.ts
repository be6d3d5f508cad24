import { describe, expect, it } from "vitest";
import { directivesOf, readDirectives } from "../../src/web/directives.ts";
import { readHtml } from "../../src/web/links.ts";

const AGENT = "OtterBot/2.1 (+https://otter.test/bot)";
const PAGE = "http://site.test/dir/page.html";

function allowed(headers: HeadersInit, html = "", userAgent = AGENT): { index: boolean; follow: boolean } {
  const { index, follow } = readDirectives(new Headers(headers), html, userAgent, PAGE);
  return { index, follow };
}

function robotsMeta(content: string, name = "robots"): string {
  return `<meta name="${name}" content="${content}">`;
}

describe("readDirectives()", () => {
  it("allows what nobody asks to leave", () => {
    expect(readDirectives(new Headers(), "", AGENT)).toEqual({
      index: true,
      follow: true,
      rules: [],
      unavailableAfter: undefined,
      canonical: undefined,
      canonicals: [],
      refresh: undefined,
    });
    expect(allowed({}, robotsMeta("index, follow, all, noarchive"))).toEqual({ index: true, follow: true });
  });

  it.each([
    ["noindex", false, true],
    ["nofollow", true, false],
    ["none", false, false],
    ["noindex,follow", false, true],
    ["NOINDEX, NOFOLLOW", false, false],
    ["index, noindex", false, true],
    ["noindex nofollow", false, false],
    ["noindex; nofollow", false, false],
    ["noindexed", true, true],
    ["max-snippet: 0", true, true],
  ])("reads %j alike in a header and in a meta", (rules, index, follow) => {
    expect(allowed({ "x-robots-tag": rules })).toEqual({ index, follow });
    expect(allowed({}, robotsMeta(rules))).toEqual({ index, follow });
  });

  it("hears what is for all crawlers and what is for its own product token", () => {
    expect(allowed({ "x-robots-tag": "otterbot: noindex, nofollow" })).toEqual({
      index: false,
      follow: false,
    });
    expect(allowed({ "x-robots-tag": "heron: none" })).toEqual({ index: true, follow: true });
    expect(allowed({}, robotsMeta("nofollow", "OTTERBOT"))).toEqual({ index: true, follow: false });
    expect(allowed({}, robotsMeta("none", "heron"))).toEqual({ index: true, follow: true });
    expect(allowed({}, robotsMeta("none", "otter"))).toEqual({ index: true, follow: true });
    expect(allowed({}, robotsMeta("none", ""), "")).toEqual({ index: true, follow: true });
  });

  it("takes the most restrictive of what it hears", () => {
    const html = robotsMeta("index, follow", "otterbot") + robotsMeta("noindex") + robotsMeta("all");
    expect(allowed({ "x-robots-tag": "nofollow" }, html)).toEqual({ index: false, follow: false });
  });

  it("reads several headers that fetch has joined", () => {
    const headers = new Headers();
    headers.append("x-robots-tag", "unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT");
    headers.append("x-robots-tag", "otterbot: noindex");
    headers.append("x-robots-tag", "heron: nofollow");
    const { index, follow, rules, unavailableAfter } = readDirectives(headers, "", AGENT);
    expect({ index, follow }).toEqual({ index: false, follow: true });
    expect(rules).toEqual(["unavailable_after: wed, 25 jun 2031 15:00:00 gmt", "noindex"]);
    expect(unavailableAfter).toBe("wed, 25 jun 2031 15:00:00 gmt");
  });

  it("hears nothing from comments, templates and scripts", () => {
    const meta = robotsMeta("none");
    expect(allowed({}, `<!--${meta}--><template>${meta}</template><script>${meta}</script>`)).toEqual({
      index: true,
      follow: true,
    });
  });

  describe("canonical", () => {
    it("is absolute, and may be the page itself", () => {
      // s-31: one that resolves to the page changes nothing.
      const { canonical, canonicals } = readDirectives(
        new Headers(),
        "<link rel=canonical href=page.html>",
        AGENT,
        PAGE,
      );
      expect([canonical, canonicals]).toEqual([PAGE, [PAGE]]);
    });

    it("is the first of several, and the conflict shows", () => {
      const html =
        "<link rel=canonical href=/a><link rel=canonical href=http://other.test/b><link rel=canonical href=/a>";
      const { canonical, canonicals } = readDirectives(new Headers(), html, AGENT, PAGE);
      expect(canonical).toBe("http://site.test/a");
      expect(canonicals).toEqual(["http://site.test/a", "http://other.test/b"]);
    });

    it("comes from a Link header too, which resolves against the page and not its base", () => {
      const headers = new Headers({ link: "<x>; rel=canonical, <y>; rel=next" });
      const html = "<base href=/b/><link rel=canonical href=x>";
      expect(readDirectives(headers, html, AGENT, PAGE).canonicals).toEqual([
        "http://site.test/dir/x",
        "http://site.test/b/x",
      ]);
    });

    it("is known without the page's URL where it is absolute itself", () => {
      const html = "<link rel=canonical href=/a><link rel=canonical href=http://site.test/b>";
      expect(readDirectives(new Headers(), html, AGENT).canonicals).toEqual(["http://site.test/b"]);
    });
  });

  describe("refresh", () => {
    it("comes from a header before it comes from a meta", () => {
      const html = "<meta http-equiv=refresh content='1;url=m'>";
      const refresh = (value?: string) =>
        readDirectives(new Headers(value === undefined ? {} : { refresh: value }), html, AGENT, PAGE).refresh;
      expect(refresh("0;url=h")).toEqual({ url: "http://site.test/dir/h", delayMs: 0 });
      expect(refresh("7")).toEqual({ url: PAGE, delayMs: 7_000 });
      for (const value of [undefined, "x", "0;url=javascript:x", "0;url=http://[x"]) {
        expect(refresh(value)).toEqual({ url: "http://site.test/dir/m", delayMs: 1_000 });
      }
    });
  });
});

describe("directivesOf()", () => {
  it("reads a document no second time, and none at all where there is none", () => {
    const headers = new Headers({ "x-robots-tag": "noarchive" });
    const html = `${robotsMeta("noindex,follow")}<a href=child>`;
    const reading = readHtml(html, PAGE);
    expect(directivesOf({ headers, reading, userAgent: AGENT, url: PAGE })).toEqual(
      readDirectives(headers, html, AGENT, PAGE),
    );
    expect(directivesOf({ headers, reading: undefined, userAgent: AGENT, url: PAGE }).rules).toEqual([
      "noarchive",
    ]);
  });
});
