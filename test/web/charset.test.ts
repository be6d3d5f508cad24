import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText, detectCharset } from "../../src/web/charset.ts";

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const octets = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...ascii(part)] : part)));
const utf16 = (text: string, order: "le" | "be"): Uint8Array =>
  Uint8Array.from(
    [...text].flatMap((char) => {
      const [low, high] = [char.charCodeAt(0) & 255, char.charCodeAt(0) >> 8];
      return order === "le" ? [low, high] : [high, low];
    }),
  );

describe("detectCharset()", () => {
  it.each([
    ["EF BB BF", [0xef, 0xbb, 0xbf], "utf-8"],
    ["FE FF", [0xfe, 0xff], "utf-16be"],
    ["FF FE", [0xff, 0xfe], "utf-16le"],
  ])("lets the byte order mark %s win over all else", (_, mark, charset) => {
    const document = octets(mark, "<meta charset=koi8-r>");
    expect(detectCharset(document, "text/html; charset=shift_jis")).toBe(charset);
  });

  it.each([
    ["text/html; charset=Shift_JIS", "shift_jis"],
    ['text/html;charset="Shift_JIS"', "shift_jis"],
    ["text/html; charset='shift_jis'", "shift_jis"],
    ["text/html; Charset = sjis ; x=y", "shift_jis"],
    ["text/html; x=y; charset=latin1", "windows-1252"],
    ["text/html; charset=koi8-r, text/html", "koi8-r"],
    ["text/html; charset=UTF-16", "utf-16le"],
    ["text/plain; charset=x-user-defined", "x-user-defined"],
    ["charset=big5", "big5"],
  ])("lets the header %s win over the document", (contentType, charset) => {
    expect(detectCharset(ascii("<meta charset=utf-8>"), contentType)).toBe(charset);
  });

  it.each([
    "text/html; charset=wrong",
    "text/html; charset=",
    'text/html; charset="',
    "text/html; xcharset=big5",
    "text/html",
  ])("passes over the header %s", (contentType) => {
    expect(detectCharset(ascii("<meta charset=koi8-r>"), contentType)).toBe("koi8-r");
  });

  it.each([
    "<meta charset=koi8-r>",
    "<META CHARSET='KOI8-R' >",
    '<meta/charset="koi8-r"/>',
    "<meta x=y charset = koi8-r x>",
    "<meta name=x charset=koi8-r charset=big5>",
    "<!doctype html><html lang=ru><head><meta charset=koi8-r>",
    "<!-- <meta charset=big5> --><meta charset=koi8-r>",
    "<!--><meta charset=koi8-r>",
    "<a title='<meta charset=big5>'><meta charset=koi8-r>",
    "</p title='<meta charset=big5>'><meta charset=koi8-r>",
    "<?php <meta charset=big5 ?><meta charset=koi8-r>",
    "<</><1><meta charset=koi8-r>",
    "<meta charset=wrong><meta charset=koi8-r>",
    "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>",
    '<meta content=\'text/html; CHARSET = "koi8-r"\' http-equiv="content-type">',
    "<meta http-equiv=content-type content='charset koi8-r; charset=koi8-r;x'>",
    "<meta content='charset=big5' charset=koi8-r>",
    "<meta content='charset=big5'><meta charset=koi8-r>",
    "<metax charset=big5><meta charset=koi8-r>",
    "<meta charset><meta charset=''><meta charset=koi8-r>",
    "<meta =charset=big5 charset=koi8-r>",
    "<?xml version='1.0' encoding='big5'?><meta charset=koi8-r>",
    "<?xml version='1.0' encoding='koi8-r'?><html>",
  ])("finds the declaration in %s", (html) => {
    expect(detectCharset(octets(html, [0xff]), "text/html")).toBe("koi8-r");
  });

  it.each([
    "<meta charset=koi8-r",
    '<meta charset="koi8-r>',
    "<meta charset=",
    "<!-- <meta charset=koi8-r>",
    '<a title="<meta charset=koi8-r>',
    "<meta http-equiv=refresh content='charset=koi8-r'>",
    "<meta http-equiv=content-type content='charset=\"koi8-r'>",
    "<meta charset=wrong http-equiv=content-type content='charset=koi8-r'>",
    "<! <meta charset=koi8-r",
    "<p>&lt;meta charset=koi8-r&gt;",
    "<? x",
    "<",
  ])("finds none in %s", (html) => {
    expect(detectCharset(octets(html, [0xff]), "text/html")).toBe("windows-1252");
  });

  it("searches the first 1,024 octets for a declaration and no more", () => {
    const declaration = "<meta charset=koi8-r>";
    const inside = `${" ".repeat(1_024 - declaration.length)}${declaration}`;
    expect(detectCharset(octets(inside, [0xff]), "text/html")).toBe("koi8-r");
    expect(detectCharset(octets(` ${inside}`, [0xff]), "text/html")).toBe("windows-1252");
  });

  it("takes a declared UTF-16 for UTF-8, and x-user-defined for windows-1252", () => {
    for (const label of ["utf-16", "UTF-16BE", "utf-16le"]) {
      expect(detectCharset(ascii(`<meta charset=${label}>`), "text/html")).toBe("utf-8");
      expect(detectCharset(ascii(`<?xml version="1.0" encoding="${label}"?>`), "text/xml")).toBe("utf-8");
    }
    expect(detectCharset(ascii("<meta charset=x-user-defined>é"), "text/html")).toBe("windows-1252");
  });

  it.each([
    "text/xml",
    "application/xml; x=y",
    "application/rss+xml",
    "application/xhtml+xml",
    "image/svg+xml",
  ])("reads the XML declaration under %s", (contentType) => {
    const declare = (declaration: string): string => detectCharset(octets(declaration, [0xff]), contentType);
    expect(declare('<?xml version="1.0" encoding="koi8-r"?>')).toBe("koi8-r");
    expect(declare("\n<?xml version = '1.0' encoding = 'KOI8-R' standalone='no'?>")).toBe("koi8-r");
    expect(declare('<?xml version="1.0"?><x encoding="koi8-r">')).toBe("windows-1252");
    expect(declare("<?xml encoding='koi8-r\"?>")).toBe("windows-1252");
  });

  it("reads <meta> in HTML and XHTML, but not in XML or plain text", () => {
    const document = octets("<meta charset=koi8-r>", [0xff]);
    expect(detectCharset(document, undefined)).toBe("koi8-r");
    expect(detectCharset(document, "")).toBe("koi8-r");
    expect(detectCharset(document, "application/xhtml+xml")).toBe("koi8-r");
    expect(detectCharset(document, "text/xml")).toBe("windows-1252");
    expect(detectCharset(document, "text/plain")).toBe("windows-1252");
  });

  it("knows UTF-16 without a mark by its zeros", () => {
    for (const order of ["le", "be"] as const) {
      expect(detectCharset(utf16("<!doctype html><p>тест</p>", order), "text/html")).toBe(`utf-16${order}`);
      expect(detectCharset(utf16("User-agent: *\nDisallow: /", order), "text/plain")).toBe(`utf-16${order}`);
      expect(detectCharset(utf16('<?xml version="1.0"?><urlset>', order), "text/xml")).toBe(`utf-16${order}`);
    }
    expect(detectCharset(octets("a\0b and a long text with a stray zero in it"), undefined)).toBe("utf-8");
  });

  it("takes what is valid for UTF-8, however it was cut", () => {
    const whole = ascii("é€😀");
    for (let end = 0; end <= whole.length; end++) {
      expect(detectCharset(whole.subarray(0, end), undefined)).toBe("utf-8");
    }
    expect(detectCharset(octets("caf", [0xe9]), undefined)).toBe("utf-8"); // It may be a start that was cut.
    expect(detectCharset(octets("caf", [0xe9], "s"), undefined)).toBe("windows-1252");
  });

  it("never throws, and names a charset", () => {
    const part = fc.constantFrom(
      "<meta ",
      "charset=",
      "koi8-r",
      "'",
      '"',
      ">",
      "<!--",
      "-->",
      "<?xml ",
      "encoding=",
      "\0",
      " ",
      "=",
    );
    const document = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(part, { maxLength: 20 }).map((parts) => ascii(parts.join(""))),
    );
    const contentType = fc.oneof(
      fc.constantFrom("text/html", "text/xml", undefined),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(document, contentType, (bytes, type) => {
        const charset = detectCharset(bytes, type);
        expect(charset).toMatch(/^[a-z0-9_-]+$/);
        expect(decodeText(bytes, type).charset).toBe(charset);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("decodeText()", () => {
  it("reads Shift_JIS that only the page declares", () => {
    const page = octets(
      '<meta charset="Shift_JIS"><title>',
      [0x96, 0x7b, 0x82, 0xcc, 0x8a, 0x58],
      "</title><a href=/next>",
    );
    expect(decodeText(page, "text/html")).toEqual({
      text: '<meta charset="Shift_JIS"><title>本の街</title><a href=/next>',
      charset: "shift_jis",
    });
  });

  it("leaves a byte order mark out", () => {
    expect(decodeText(octets([0xef, 0xbb, 0xbf], "é"))).toEqual({ text: "é", charset: "utf-8" });
    expect(decodeText(octets([0xff, 0xfe], [...utf16("é", "le")])).text).toBe("é");
    expect(decodeText(octets([0xfe, 0xff], [...utf16("é", "be")])).text).toBe("é");
  });

  it("reads windows-1252 with its quotes and its euro", () => {
    const page = octets([0x93], "5", [0x80, 0x94, 0x85, 0xe9, 0x81], "x");
    expect(decodeText(page, "text/html; charset=iso-8859-1").text).toBe("“5€”…é\u0081x");
    expect(decodeText(page).text).toBe("“5€”…é\u0081x");
  });

  it("replaces what is cut off or no character, and loses nothing else", () => {
    expect(decodeText(ascii("aé€").subarray(0, -1)).text).toBe("aé\ufffd");
    expect(decodeText(octets("a", [0xff], "b"), "text/html; charset=utf-8").text).toBe("a\ufffdb");
  });

  it("reads UTF-8 of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const plain = text.replace(/[\0\ufeff<]/g, "");
        expect(decodeText(ascii(plain), "text/plain")).toEqual({ text: plain, charset: "utf-8" });
      }),
    );
  });

  it("reads ten megabytes of anything", () => {
    for (const octet of [0x00, 0x20, 0x3c, 0x80, 0xe9]) {
      const bytes = new Uint8Array(10_000_000).fill(octet);
      expect(decodeText(bytes, "text/html").text.length).toBeGreaterThan(1_000_000);
    }
  });
});
