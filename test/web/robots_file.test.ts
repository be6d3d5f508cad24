import { describe, expect, it } from "vitest";
import { parseRobots, type Robots } from "../../src/web/robots.ts";

const ORIGIN = "http://site.test";

function read(body: string | Uint8Array): Robots {
  return parseRobots(body, `${ORIGIN}/robots.txt`);
}

function isAllowed(body: string | Uint8Array, path: string, agent = "otterbot"): boolean {
  return read(body).isAllowed(ORIGIN + path, agent);
}

/** Whether a Disallow of this value keeps everybody from the path. */
function isBlocked(value: string, path: string): boolean {
  return !isAllowed(`User-agent: *\nDisallow: ${value}\n`, path);
}

function utf16(text: string, isLittleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), isLittleEndian);
  return new Uint8Array(view.buffer);
}

describe("parseRobots() reads the file", () => {
  const text = "User-agent: *\nDisallow: /söl\n";

  it("in UTF-8 with a byte order mark and without, as octets and as text", () => {
    for (const body of [text, `\uFEFF${text}`]) {
      expect(isAllowed(body, "/söl/1")).toBe(false);
      expect(isAllowed(new TextEncoder().encode(body), "/söl/1")).toBe(false);
    }
  });

  it("in UTF-16 of either order, with a mark and without", () => {
    for (const body of [text, `\uFEFF${text}`]) {
      expect(isAllowed(utf16(body, true), "/söl/1")).toBe(false);
      expect(isAllowed(utf16(body, false), "/söl/1")).toBe(false);
      expect(isAllowed(utf16(body, true), "/sol/1")).toBe(true);
    }
  });

  it("from a view into a larger buffer", () => {
    const larger = new Uint8Array([0x23, ...utf16(`\uFEFF${text}`, true), 0x23]);
    expect(isAllowed(larger.subarray(1, -1), "/söl/1")).toBe(false);
  });

  it("with octets that are no UTF-8 as themselves", () => {
    const latin1 = Uint8Array.from("User-agent: *\nDisallow: /b\u00fccher\u00a0\nDisallow: /z", (c) =>
      c.charCodeAt(0),
    );
    expect(isAllowed(latin1, "/b%FCcher%A0/1")).toBe(false);
    expect(isAllowed(latin1, "/bücher/1")).toBe(true);
    expect(isAllowed(latin1, "/z")).toBe(false);
  });

  it("with any end of line, and a last line without one", () => {
    for (const end of ["\n", "\r\n", "\r", "\n\r", "\r\r\n"]) {
      const body = ["User-agent: heron", "Disallow: /h", "User-agent: *", "Disallow: /s"].join(end);
      expect(isAllowed(body, "/h", "heron")).toBe(false);
      expect(isAllowed(body, "/s", "heron")).toBe(true);
      expect(isAllowed(body, "/s", "otterbot")).toBe(false);
    }
  });

  it("up to 500 KiB, cut behind the last whole line", () => {
    const limit = 500 * 1024;
    const head = "User-agent: *\nDisallow: /early\n";
    const tail = "Disallow: /last\n";
    const filler = `#${"x".repeat(limit - head.length - tail.length - 2)}\n`;
    for (const encode of [(body: string) => body, (body: string) => new TextEncoder().encode(body)]) {
      const full = read(encode(`${head}${filler}${tail}Disallow: /beyond\n`));
      expect(full.isAllowed(`${ORIGIN}/early`, "a")).toBe(false);
      expect(full.isAllowed(`${ORIGIN}/last`, "a")).toBe(false);
      expect(full.isAllowed(`${ORIGIN}/beyond`, "a")).toBe(true);
      // Two octets more, and what is left of the last line would read "Disallow: /lat".
      const cut = read(encode(`${head}#xx${filler.slice(1)}Disallow: /late\n`));
      expect(cut.isAllowed(`${ORIGIN}/late`, "a")).toBe(true);
      expect(cut.isAllowed(`${ORIGIN}/early`, "a")).toBe(false);
    }
  });

  it("as a file without rules where it is none at all", () => {
    for (const body of [
      "",
      "<!doctype html><title>Not found</title>",
      "{}",
      "\u0000\u0001",
      ":",
      "#",
      "\uFEFF",
    ]) {
      expect(isAllowed(body, "/")).toBe(true);
    }
  });

  it("with usual misspellings, which also begin a group of their own", () => {
    for (const name of [
      "Disalow",
      "dissallow",
      "DISSALOW",
      "diasllow",
      "disallaw",
      "desallow",
      "Disallowed",
    ]) {
      expect(isAllowed(`User-agent: *\n${name}: /x`, "/x/1")).toBe(false);
    }
    for (const name of ["useragent", "User agent", "useg-agent", "USERAGENT", "User-agents"]) {
      const body = `User-agent: *\nDisallow: /star\n${name}: heron\nDisallow: /h`;
      expect(isAllowed(body, "/h", "heron")).toBe(false);
      expect(isAllowed(body, "/star", "heron")).toBe(true);
      expect(isAllowed(body, "/h", "otterbot")).toBe(true);
    }
    expect(isAllowed("User-agent: *\nDisallow: /\nAllowed: /x", "/x")).toBe(true);
  });

  it("with lines of two words that lack the colon", () => {
    const body =
      "User-agent heron\ndisallow /wiki/Talk:a\nallow\t/wiki/Talk:ab\nDisallow /two words\nSitemap /map.xml";
    expect(isAllowed(body, "/wiki/Talk:ac", "heron")).toBe(false);
    expect(isAllowed(body, "/wiki/Talk:ab", "heron")).toBe(true);
    expect(isAllowed(body, "/two%20words", "heron")).toBe(true);
    expect(read(body).sitemaps).toEqual([`${ORIGIN}/map.xml`]);
  });

  it("with white space around names and values, but not within a character of UTF-8", () => {
    expect(isAllowed("\v User-agent\t:\f* \n\tDisallow \t: \t/x\t \n", "/x")).toBe(false);
    // The last octet of "à" is A0, that of "Å" is 85: alone they would be white space.
    expect(isBlocked("/voilà", "/voilà/1")).toBe(true);
    expect(isBlocked("/Å", "/Å/1")).toBe(true);
  });

  it("without its comments", () => {
    expect(isBlocked("/x#y", "/x/1")).toBe(true);
    expect(isBlocked("# /x", "/x/1")).toBe(false);
  });
});

describe("sitemaps", () => {
  it("are absolute, each once, in the order of the file, from anywhere in it", () => {
    const body =
      "Sitemap: /b.xml\nUser-agent: a\nSITEMAP : a.xml # main\nDisallow: /\nsite-map: //cdn.test/é.xml\nSitemap: http://SITE.test:80/b.xml\nSitemap: https://bücher.test/s?a=1&b=2";
    const expected = [
      `${ORIGIN}/b.xml`,
      `${ORIGIN}/a.xml`,
      "http://cdn.test/%C3%A9.xml",
      "https://xn--bcher-kva.test/s?a=1&b=2",
    ];
    expect(read(body).sitemaps).toEqual(expected);
    expect(read(new TextEncoder().encode(body)).sitemaps).toEqual(expected);
  });

  it("leave out what is no http or https URL", () => {
    const values = [
      "",
      "javascript:alert(1)",
      "data:,x",
      "file:///etc/passwd",
      "ftp://site.test/s",
      "http://",
      "http://[/",
    ];
    expect(read(values.map((value) => `Sitemap: ${value}`).join("\n")).sitemaps).toEqual([]);
  });
});
