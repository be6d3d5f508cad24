import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findAddresses, SEAM } from "../../src/web/email_address.ts";

const addresses = (text: string): string[] => findAddresses(text).map(({ address }) => address);

describe("findAddresses()", () => {
  it.each([
    ["me@site.test", "me@site.test"],
    ["Write to me@site.test.", "me@site.test"],
    ["(me@site.test)", "me@site.test"],
    ["<me@site.test>", "me@site.test"],
    ["'me@site.test'", "me@site.test"],
    ['"me@site.test",', "me@site.test"],
    ["E-Mail:me@site.test;", "me@site.test"],
    ["mailto:me@site.test?subject=x", "me@site.test"],
    ["me@site.test/home", "me@site.test"],
    ["first.last+tag@sub.site.co.test", "first.last+tag@sub.site.co.test"],
    ["o'neill_7@my-site.test", "o'neill_7@my-site.test"],
    ["Me@Site.TEST", "Me@site.test"],
    ["x@163.com", "x@163.com"],
    ["contact...me@site.test", "me@site.test"],
    [".me@site.test", "me@site.test"],
    ["-me@site.test", "me@site.test"],
    ["%20me@site.test", "me@site.test"],
    ["me@site.test--the best", "me@site.test"],
    ["me@site.test- the best", "me@site.test"],
    ["me@site.test.Please write", "me@site.test"],
    ["me@site.test.2024", "me@site.test"],
    ["me@xn--bcher-kva.xn--p1ai", "me@xn--bcher-kva.xn--p1ai"],
    [`${"a".repeat(64)}@site.test`, `${"a".repeat(64)}@site.test`],
  ])("finds in %j the address %s", (text, address) => {
    expect(addresses(text)).toEqual([address]);
  });

  it.each([
    ["jürgen.müller@bücher.test", "jürgen.müller@bücher.test"],
    ["用户@例子.广告", "用户@例子.广告"],
    ["иван2@почта.рф", "иван2@почта.рф"],
    ["θσερ@εχαμπλε.ψομ", "θσερ@εχαμπλε.ψομ"],
    ["メールはinfo@site.testまでどうぞ", "info@site.test"],
    ["联系abc@site.test。", "abc@site.test"],
    ["邮箱123456@qq.com。", "123456@qq.com"],
    ["почта:info@site.testили", "info@site.test"],
    ["me@Bücher.Test", "me@bücher.test"],
    ["e\u0301cole@site.test", "e\u0301cole@site.test"],
  ])("reads Unicode: %s", (text, address) => {
    expect(addresses(text)).toEqual([address]);
  });

  it.each([
    ...["image@2x.png", "icon@3x.min.svg", "a@b.css", "logo@2x-dark.webp", "bundle@next.js", "me@site.html"],
    ...[
      "pkg@1.2.3",
      "@scope/pkg@1.2.3",
      "pkg@1.2.3-beta.rc",
      "pkg@v1.2.x",
      "pkg@^1.0.0",
      "react@18.x",
      "pkg@latest",
    ],
    ...[
      "IDOL@STAR",
      "/@theme/main.css",
      "me@localhost",
      "@",
      "@@",
      "a@",
      "@b.test",
      "a@.test",
      "a@b.",
      "a@b.c",
      "a@b..test",
    ],
    ...[
      "a@-b.test",
      "a@b-.test",
      "a@b.1",
      "a@1.2.3.4",
      "a@b_c.test",
      "me.@site.test",
      "a @ b.test",
      "met @home.test",
    ],
    ...[
      "https://user@site.test/",
      "https://user:secret@site.test/",
      "ssh://git@site.test",
      "git@site.test:me/project.git",
    ],
    ...["@me@social.test", "https://social.test/@me.you", "https://maps.test/@48.85,2.35"],
    ...[
      `${"a".repeat(65)}@site.test`,
      `a@${"b".repeat(64)}.test`,
      `a@${"b.".repeat(130)}test`,
      "a@\u00ad.test",
      "a@xn--.x",
    ],
  ])("finds none in %j", (text) => {
    expect(addresses(text)).toEqual([]);
  });

  it.each([
    "me [at] site [dot] test",
    "me(at)site(dot)test",
    "me {at} site {dot} test",
    "me <at> site <dot> test",
    "me [ AT ] site [ DOT ] test",
    "me [at] site.test",
    "me(at)site.test",
    "me [@] site [.] test",
    "me@site[dot]test",
    "me@site (dot) test",
    "me [at] site dot test",
    "me AT site DOT test",
    "me arroba site punto test".replace("arroba", "(arroba)").replace("punto", "(punto)"),
    "me [ät] site [punkt] test",
    "me＠site.test",
    "Write to: me [at] site [dot] test!",
  ])("reads the spelling %j", (text) => {
    expect(findAddresses(text)).toMatchObject([{ address: "me@site.test", obfuscated: true }]);
  });

  it("reads spelled dots in the local part and in longer domains", () => {
    expect(addresses("first [dot] last [at] mail [dot] site [dot] co [dot] test")).toEqual([
      "first.last@mail.site.co.test",
    ]);
    expect(addresses("first dot last [at] site dot test or call")).toEqual(["first.last@site.test"]);
  });

  it.each([
    ...[
      "look at this dot com",
      "meet us at site.test",
      "we met at amazon dot com",
      "MEET US AT SITE DOT COM",
      "You AT home",
    ],
    ...[
      "[at] site [dot] test",
      "me [at] site",
      "me [at]",
      "see [at] [dot]",
      "array[at].length",
      "x (at) 5.30",
      "follow us @ site.test",
    ],
    ...[
      "sat(urday) at site.test",
      "f(a)b.test",
      "me [cat] site.test",
      "me [at]       site.test",
      "10 (at) 2.50",
    ],
  ])("takes %j for no spelling of an address", (text) => {
    expect(addresses(text)).toEqual([]);
  });

  it("finds several, one after the other", () => {
    expect(addresses("a@x.test,b@y.test;c@z.test d (at) w.test a@x.test")).toEqual([
      ...["a@x.test", "b@y.test", "c@z.test", "d@w.test", "a@x.test"],
    ]);
    expect(addresses("a@b.test@c.test")).toEqual(["a@b.test"]);
  });

  it("goes over a seam only where the address would not be whole without", () => {
    const seamed = (text: string): string[] => addresses(text.replaceAll("|", SEAM));
    expect(seamed("me|@|site.test")).toEqual(["me@site.test"]);
    expect(seamed("|me|@|site|.|test|")).toEqual(["me@site.test"]);
    expect(seamed("Mail|me@site.test|Phone")).toEqual(["me@site.test"]);
    expect(seamed("first|.last@site.co|.test")).toEqual(["first.last@site.co.test"]);
    expect(seamed("me@si|te.t|est")).toEqual(["me@site.test"]);
    expect(seamed("me |[at]| site |[dot]| test")).toEqual(["me@site.test"]);
  });

  it("tells where an address stands", () => {
    const text = "to 'me@site.test'.";
    const [found] = findAddresses(text);
    expect(text.slice(found!.start, found!.end)).toBe("me@site.test");
  });

  it("takes more characters where nothing else is near", () => {
    expect(findAddresses("a/b=c!d@site.test", "atom")).toMatchObject([{ address: "a/b=c!d@site.test" }]);
    expect(findAddresses("a/b=c!d@site.test")).toMatchObject([{ address: "d@site.test" }]);
  });

  it("finds what it found again, and never throws", () => {
    const part = fc.constantFrom(
      ...[
        "@",
        "[at]",
        "(dot)",
        " dot ",
        " AT ",
        ".",
        "..",
        "-",
        "--",
        "me",
        "site",
        "test",
        "com",
        "2x",
        "png",
        " ",
        "\n",
      ],
      ...[SEAM, "é", "例", "xn--", "1", "//", ":", "%20", "＠", "'", "<", ">", "😀", "\ud800", "A"],
    );
    const nasty = fc.oneof(
      fc.array(part, { maxLength: 20 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(nasty, (text) => {
        let end = 0;
        for (const found of findAddresses(text)) {
          expect(addresses(found.address)).toEqual([found.address]);
          expect(found.start).toBeGreaterThanOrEqual(end);
          expect(found.end).toBeGreaterThan(found.start);
          end = found.end;
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
