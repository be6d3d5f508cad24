import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Email, extractEmails } from "../../src/web/emails.ts";

const addresses = (html: string): string[] => extractEmails(html).map(({ address }) => address);
const sources = (html: string): string[] =>
  extractEmails(html).map(({ address, how }) => `${how} ${address}`);

/** As Cloudflare writes an address: the key, then each octet under it. */
function protect(text: string, key = 0x5a): string {
  const octets = [key, ...[...new TextEncoder().encode(text)].map((octet) => octet ^ key)];
  return octets.map((octet) => octet.toString(16).padStart(2, "0")).join("");
}

describe("extractEmails()", () => {
  it("finds what Cloudflare hides, and takes neither files nor paths nor words for addresses", () => {
    const code = "5a3e3f29311a34353531743f223b372a363f";
    const html = `<img src="/i/banner@2x.png"><link href="/@theme/main.css">IDOL@STAR
      <a href="/cdn-cgi/l/email-protection#${code}"><span class="__cf_email__" data-cfemail="${code}">[email&#160;protected]</span></a>`;
    const expected: Email[] = [{ address: "desk@nook.example", how: "cloudflare", placeholder: true }];
    expect(extractEmails(html)).toEqual(expected);
  });

  it.each(["5a3", "", "5a", "zz", "5a3e3f", "00ff", `${"5a".repeat(3_000)}`])(
    "finds nothing in the broken code %s, and throws nothing",
    (code) => {
      expect(
        extractEmails(
          `<span data-cfemail="${code}"></span><a href="/cdn-cgi/l/email-protection#${code}">x</a>`,
        ),
      ).toEqual([]);
    },
  );

  it("reads Cloudflare's links with headers, absolute links and UTF-8", () => {
    const link = protect("me@site.test?subject=a@b.test&cc=you@site.test", 0x07);
    expect(sources(`<a href="https://site.test/cdn-cgi/l/email-protection#${link}">x</a>`)).toEqual([
      "cloudflare me@site.test",
      "cloudflare you@site.test",
    ]);
    expect(sources(`<SPAN DATA-CFEMAIL="${protect("ü@bücher.test")}">`)).toEqual([
      "cloudflare ü@bücher.test",
    ]);
  });

  it.each([
    ["mailto:me@site.test", ["me@site.test"]],
    [" MAILTO:me@site.test ", ["me@site.test"]],
    ["mailto:me@site.test,you@site.test", ["me@site.test", "you@site.test"]],
    ["mailto:me@site.test; you@site.test", ["me@site.test", "you@site.test"]],
    ["mailto:me@site.test?subject=to%20x@y.test&body=z@y.test", ["me@site.test"]],
    [
      "mailto:me@site.test?cc=you@site.test&amp;bcc=all@site.test",
      ["me@site.test", "you@site.test", "all@site.test"],
    ],
    ["mailto:?to=me%40site.test%2Cyou@site.test", ["me@site.test", "you@site.test"]],
    [
      "mailto:me@site.test?Cc=you@site.test&amp;amp;BCC=all@site.test",
      ["me@site.test", "you@site.test", "all@site.test"],
    ],
    ["mailto:Me%20%3Cme@site.test%3E", ["me@site.test"]],
    ["mailto://me@site.test", ["me@site.test"]],
    ["mailto:%6De%40site.test", ["me@site.test"]],
    ["mailto:unlikely%3Faddress@site.test", ["unlikely?address@site.test"]],
    ["mailto:gorby%25kremvax@site.test", ["gorby%kremvax@site.test"]],
    ["mailto:user@example.com%E3%81%AF", ["user@example.com"]],
    ["mailto:me@%E4%BE%8B%E5%AD%90.test", ["me@例子.test"]],
    ["mailto:%ff%@site.test", []],
    [" me@site.test ", ["me@site.test"]],
    ["/lists/me@site.test", []],
    ["me@site.test.html", []],
    ["mailto:", []],
    ["mailto:nobody", []],
    ["https://site.test/?mail=me@site.test", []],
  ])("reads the link %s", (href, expected) => {
    expect(sources(`<a href="${href}">write</a>`)).toEqual(expected.map((address) => `mailto ${address}`));
    expect(sources(`<map><area href='${href}'></map>`)).toEqual(
      expected.map((address) => `mailto ${address}`),
    );
  });

  it("reads who made a page", () => {
    expect(sources('<link rev=made href="mailto:me@site.test">')).toEqual(["mailto me@site.test"]);
  });

  it("decodes character references, and says where they hid an address", () => {
    expect(sources("me&#64;site.test")).toEqual(["entity me@site.test"]);
    expect(sources("&#109;&#x65;&commat;site&period;test")).toEqual(["entity me@site.test"]);
    expect(sources("Tom &amp; Jerry: me@site.test &copy;")).toEqual(["text me@site.test"]);
    expect(sources("a&#64;x.test b@y.test c&#64;z.test")).toEqual([
      "entity a@x.test",
      "text b@y.test",
      "entity c@z.test",
    ]);
    expect(sources('<a href="&#109;ailto:me&#64;site.test">x</a>')).toEqual(["mailto me@site.test"]);
    expect(addresses("&lt;me@site.test&gt;&nbsp;you@site.test")).toEqual(["me@site.test", "you@site.test"]);
  });

  it("reads spellings that hide an address", () => {
    expect(sources("<p>me [at] site (dot) test</p><p>you <b>&#91;at&#93;</b> site.test</p>")).toEqual([
      "obfuscated me@site.test",
      "obfuscated you@site.test",
    ]);
    expect(sources('<a href="mailto:me(at)site.test">x</a>')).toEqual(["obfuscated me@site.test"]);
  });

  it("goes over inline markup, comments and invisible marks", () => {
    expect(addresses("me<span>@</span>site<!-- x -->.<b>test</b>")).toEqual(["me@site.test"]);
    expect(addresses("me@\u200bsite&shy;.<wbr>test")).toEqual(["me@site.test"]);
    expect(addresses("<span>Mail</span><span>me@site.test</span><span>Phone</span>")).toEqual([
      "me@site.test",
    ]);
  });

  it.each(["p", "div", "li", "td", "br", "a", "sup", "h1", "option", "custom-block"])(
    "never glues an address across <%s>",
    (name) => {
      expect(addresses(`Mail<${name}>me@site.test</${name}><${name}>or you`)).toEqual(["me@site.test"]);
      expect(addresses(`me@site.test<${name}>or</${name}>`)).toEqual(["me@site.test"]);
      expect(addresses(`me<${name}>@site.test</${name}>me@site<${name}>.test`)).toEqual([]);
    },
  );

  it("reads what a reader sees, and no scripts, styles, comments or templates", () => {
    const shown = "<title>a@x.test</title><textarea>b@x.test</textarea><noscript>c@x.test</noscript>";
    const hidden = `<script>d@x.test</script><style>e@x.test</style><!-- f@x.test --><template>g@x.test</template>
      <iframe>h@x.test</iframe><input placeholder="i@x.test" value=j@x.test><p data-x="k@x.test">`;
    expect(addresses(shown + hidden)).toEqual(["a@x.test", "b@x.test", "c@x.test"]);
  });

  it("reads text attributes, meta elements and JSON-LD", () => {
    const html = `<meta name=author content="Me <a@x.test>"><img alt="b@x.test"><p title="c&#64;x.test" aria-label="d@x.test">
      <script type="application/ld+json; charset=utf-8">{"email":"mailto:e@x.test","f":"\\nf\\u0040x.test"}</script>
      <script type="text/javascript">"g@x.test"</script>`;
    expect(addresses(html)).toEqual(
      ["a@x.test", "c@x.test", "d@x.test", "b@x.test", "e@x.test", "f@x.test"].sort(),
    );
  });

  it("gives each address once, as it stood first", () => {
    const html = `<a href="mailto:Me@Site.test">me@site.test</a> ME@SITE.TEST x@bücher.test x@xn--bcher-kva.test`;
    expect(sources(html)).toEqual(["mailto Me@site.test", "text x@bücher.test"]);
  });

  it("marks the domains that are reserved for examples", () => {
    const real = ["site.com", "example.de", "myexample.com", "example.com.br", "test.com", "latest.org"];
    const reserved = [
      "a.test",
      "a.example",
      "a.invalid",
      "a.localhost",
      "example.com",
      "example.net",
      "example.org",
      "mail.example.com",
    ];
    for (const domain of real) expect(extractEmails(`me@${domain}`)).toMatchObject([{ placeholder: false }]);
    for (const domain of reserved)
      expect(extractEmails(`me@${domain}`)).toMatchObject([{ placeholder: true }]);
  });

  it("never throws, and finds its own addresses again", () => {
    const part = fc.constantFrom(
      ...[
        "<p>",
        "</p>",
        "<b>",
        "<a href='mailto:",
        "'>",
        "<script>",
        "</script>",
        "<template>",
        "<!--",
        "-->",
        "&#64;",
        "&",
      ],
      ...[
        "me",
        "@",
        "site.test",
        "[at]",
        "(dot)",
        " ",
        "data-cfemail=5a3",
        "<span ",
        ">",
        "%",
        "?cc=",
        "\0",
        "é",
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        for (const { address } of extractEmails(parts.join(""))) {
          expect(addresses(`<p>${address.replace(/[&<]/g, "x")}</p>`)).toHaveLength(1);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ...[
      "@",
      "a@",
      "a@b",
      "a@b.",
      "a.",
      "a@b.c ",
      "<b>",
      "<b>@",
      "&#64;",
      "&",
      "a@b.test ",
      "[at]",
      "a [at] b [dot] ",
      " AT ",
    ],
    ...[
      "<a href=mailto:",
      "<a href=mailto:a@b.test>",
      "%61",
      "\u0001",
      "<span data-cfemail=5a>",
      "--",
      "例",
      "a@例.",
      "&#97;@b.test ",
    ],
  ])("reads a megabyte of %j", (unit) => {
    const megabyte = unit.repeat(Math.ceil(1_000_000 / unit.length));
    expect(extractEmails(megabyte).length).toBeLessThan(3);
    expect(extractEmails(`<a href="mailto:${megabyte.slice(0, 100_000)}">`).length).toBeLessThan(3);
  });
});
