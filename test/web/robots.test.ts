import { describe, expect, it, vi } from "vitest";
import { allowAllRobots, parseRobots, type Robots, robotsPolicy } from "../../src/web/robots.ts";
import { Wildcard } from "../../src/web/robots_wildcard.ts";

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
      // One octet more, and the last line would read "Disallow: /las" where it is cut.
      const cut = read(encode(`${head}#x${filler.slice(1)}Disallow: /late\n`));
      expect(cut.isAllowed(`${ORIGIN}/las`, "a")).toBe(true);
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

describe("parseRobots() forms groups", () => {
  it("that only Allow and Disallow lines end", () => {
    for (const other of [
      "Crawl-delay: 1",
      "Sitemap: /s.xml",
      "Host: site.test",
      "Odd_key: 1",
      "",
      "no colon here",
    ]) {
      const body = `User-agent: heron\n${other}\nUser-agent: wren\nDisallow: /\n`;
      expect(isAllowed(body, "/", "heron")).toBe(false);
      expect(isAllowed(body, "/", "wren")).toBe(false);
    }
    for (const rule of ["Allow: /a", "Disallow: /a", "Disallow:", "Allow:", "Disallow: a"]) {
      const body = `User-agent: heron\n${rule}\nUser-agent: wren\nDisallow: /\n`;
      expect(isAllowed(body, "/b", "heron")).toBe(true);
      expect(isAllowed(body, "/b", "wren")).toBe(false);
    }
  });

  it("that are merged where they name the same agent", () => {
    const body =
      "User-agent: heron\nDisallow: /1\nUser-agent: wren\nDisallow: /2\nUser-agent: wren\nUser-agent: heron\nDisallow: /*3";
    expect(["/1", "/2", "/a3"].map((path) => isAllowed(body, path, "heron"))).toEqual([false, true, false]);
    expect(["/1", "/2", "/a3"].map((path) => isAllowed(body, path, "wren"))).toEqual([true, false, false]);
  });

  it("of which an empty one still stands in for `*`", () => {
    for (const end of ["", "Disallow:\n", "Crawl-delay: 1\n", "Sitemap: /s.xml\n"]) {
      const body = `User-agent: *\nDisallow: /\n\nUser-agent: heron\n${end}`;
      expect(isAllowed(body, "/x", "heron")).toBe(true);
      expect(isAllowed(body, "/x", "wren")).toBe(false);
    }
  });

  it("of which rules before the first agent are not part", () => {
    const body = "Disallow: /\nCrawl-delay: 3\nUser-agent: heron\nDisallow: /h\n";
    expect(isAllowed(body, "/", "heron")).toBe(true);
    expect(isAllowed(body, "/", "wren")).toBe(true);
    expect(read(body).crawlDelayMs("heron")).toBeUndefined();
  });

  it("by a product token: whole, without case, up to its first odd character", () => {
    for (const name of [
      "otter",
      "OTTER",
      "otter/2.1",
      "otter fisher",
      "otter, heron",
      "otter; x",
      "otter<br>",
      "otter*",
    ]) {
      const body = `User-agent: ${name}\nDisallow: /`;
      expect(isAllowed(body, "/", "otter"), name).toBe(false);
      expect(isAllowed(body, "/", "otterbot"), name).toBe(true);
      expect(isAllowed(body, "/", "ott"), name).toBe(true);
    }
    expect(isAllowed("User-agent: otter-news\nDisallow: /", "/", "otter")).toBe(true);
    expect(isAllowed("User-agent: otter2\nDisallow: /", "/", "otter")).toBe(true);
    expect(isAllowed("User-agent: otter_2\nDisallow: /", "/", "Otter_2")).toBe(false);
  });

  it("by each item of a list with commas", () => {
    const body = "User-agent: otter, heron ,wren/1.0,*\nDisallow: /";
    for (const agent of ["otter", "heron", "wren", "somebody"])
      expect(isAllowed(body, "/", agent)).toBe(false);
  });

  it("by `*` alone or before a space, and by no other use of it", () => {
    for (const name of ["*", "* # all", "*  everybody"]) {
      expect(isAllowed(`User-agent: ${name}\nDisallow: /`, "/")).toBe(false);
    }
    for (const name of ["*bot", "**", "*/*", "", "/"]) {
      expect(isAllowed(`User-agent: ${name}\nDisallow: /`, "/")).toBe(true);
    }
  });

  it("by names that an object already has", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(isAllowed("User-agent: heron\nDisallow: /", "/", name)).toBe(true);
      expect(isAllowed(`User-agent: ${name}\nDisallow: /`, "/", name)).toBe(false);
      expect(isAllowed(`User-agent: ${name}\nDisallow: /`, "/", "heron")).toBe(true);
    }
  });
});

describe("isAllowed()", () => {
  it("takes a full User-Agent header and matches its product token", () => {
    const body = "User-agent: MyBot\nDisallow: /";
    for (const agent of [
      "MyBot",
      "mybot/1.0 (+https://example.com/bot)",
      "MyBot/1.0",
      "Mozilla/5.0 (compatible; MyBot/0.1; https://example.com/bot.html)",
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MyBot/2.1) Chrome/120 Safari/537.36",
    ]) {
      expect(isAllowed(body, "/", agent), agent).toBe(false);
    }
    for (const agent of ["", "(MyBot)", "Other/1.0 (compatible; MyBot)", "Mozilla/5.0 (X11) MyBot"]) {
      expect(isAllowed(body, "/", agent), agent).toBe(true);
    }
    expect(isAllowed("User-agent: Mozilla\nDisallow: /", "/", "Mozilla/5.0 (X11)")).toBe(false);
  });

  it("answers for one agent after another", () => {
    const robots = read("User-agent: heron\nDisallow: /\nUser-agent: *\nDisallow: /s");
    const agents = ["heron", "wren", "heron", "", "heron"];
    expect(agents.map((agent) => robots.isAllowed(`${ORIGIN}/x`, agent))).toEqual([
      false,
      true,
      false,
      true,
      false,
    ]);
  });

  it("follows the longest rule, and Allow in a tie", () => {
    const body =
      "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /*/c\nDisallow: /d$\nAllow: /d";
    const expected = { "/a": false, "/a/b": true, "/a/b/c": false, "/z/c": true, "/d": false, "/dd": true };
    for (const [path, allowed] of Object.entries(expected)) expect(isAllowed(body, path), path).toBe(allowed);
    expect(isAllowed("User-agent: *\nDisallow: /t\nAllow: /t\nDisallow: /t", "/t")).toBe(true);
    expect(isAllowed("User-agent: *\nDisallow: /*t\nAllow: /*t", "/t")).toBe(true);
    expect(isAllowed("User-agent: *\nAllow: /a*\nDisallow: /?b", "/a")).toBe(true);
  });

  it("counts each star for the length of a rule", () => {
    expect(isAllowed("User-agent: *\nAllow: /\nDisallow: /*", "/x")).toBe(false);
    expect(isAllowed("User-agent: *\nAllow: /abc\nDisallow: /a***", "/abc")).toBe(false);
    expect(isAllowed("User-agent: *\nAllow: /abc\nDisallow: /a**", "/abc")).toBe(true);
    expect(isAllowed("User-agent: *\nAllow: /abc\nDisallow: /****c", "/abc")).toBe(false);
    expect(isAllowed("User-agent: *\nAllow: /abc\nDisallow: /a*$", "/abc")).toBe(true);
  });

  it("always allows /robots.txt itself, and nothing else by that name", () => {
    const body = "User-agent: *\nDisallow: /\nDisallow: /robots.txt\nDisallow: /*";
    expect(["/robots.txt", "/%72obots.txt", "/robots.txt#x"].map((path) => isAllowed(body, path))).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      ["/robots.txt?x", "/robots.txt/", "/a/robots.txt", "/Robots.txt"].some((path) => isAllowed(body, path)),
    ).toBe(false);
  });

  it("holds a rule against a URL in the same spelling, whatever the character", () => {
    for (const character of "!\"%&'()+,-.:;<=>@[\\]^_`{|}~ äぬ😀") {
      expect(isBlocked(`/x${character}y`, `/x${character}y/1`), `${character} in a path`).toBe(true);
      expect(isBlocked(`/x?a${character}b`, `/x?a${character}b=1`), `${character} in a query`).toBe(true);
      expect(isBlocked(`/*?${character}=`, `/x?${character}=1`), `${character} behind a star`).toBe(true);
      expect(isBlocked(`/x${character}y$`, `/x${character}y`), `${character} before the end`).toBe(true);
    }
  });

  it("knows an octet by its escape, of either case, unless it is reserved", () => {
    for (const character of "AZaz09-._~\"'<>[]^`{|} ä") {
      const escaped = [...new TextEncoder().encode(character)]
        .map((octet) => `%${octet.toString(16)}`)
        .join("");
      const spellings = [character, escaped, escaped.toUpperCase()];
      for (const rule of spellings) {
        for (const spelling of spellings) {
          expect(isBlocked(`/x${rule}y`, `/x${spelling}y`), `${rule} against ${spelling}`).toBe(true);
        }
      }
    }
    for (const character of "/?:@!&()+,;=") {
      const escaped = `%${character.charCodeAt(0).toString(16)}`;
      expect(isBlocked(`/x${character}y`, `/x${escaped}y`), character).toBe(false);
      expect(isBlocked(`/x${escaped}y`, `/x${character}y`), character).toBe(false);
      expect(isBlocked(`/x${escaped}y`, `/x${escaped.toUpperCase()}y`), character).toBe(true);
    }
  });

  it("decodes once only", () => {
    expect(isBlocked("/a%2541", "/a%2541")).toBe(true);
    expect(isBlocked("/a%2541", "/a%41")).toBe(false);
    expect(isBlocked("/a%2541", "/aA")).toBe(false);
  });

  it("takes a stray percent sign as itself", () => {
    for (const value of ["/100%", "/a%2", "/%zz", "/%%41", "/%"]) {
      expect(isBlocked(value, value), value).toBe(true);
      expect(isBlocked(`${value}$`, value), value).toBe(true);
    }
  });

  it("takes data in a query by either spelling, as the table of RFC 9309 §2.2.2 has it", () => {
    const raw = "/foo/bar?baz=https://foo.bar";
    const escaped = "/foo/bar?baz=https%3A%2F%2Ffoo.bar";
    for (const rule of [
      raw,
      escaped,
      `${raw}$`,
      "/*?*=https%3A//",
      "*baz=https%3a%2f%2f*bar$".replace("*", "/*?"),
    ]) {
      for (const path of [raw, escaped, "/foo/bar?baz=https%3a//foo.bar"]) {
        expect(isBlocked(rule, path), `${rule} against ${path}`).toBe(true);
      }
    }
    expect(isBlocked("/foo?a=1&b", "/foo?a=1%26b")).toBe(false);
  });

  it("tells the literal `*` and `$` from the operators", () => {
    expect(isBlocked("/x%2Ay", "/x*y")).toBe(true);
    expect(isBlocked("/x%2ay", "/x%2Ay")).toBe(true);
    expect(isBlocked("/x%2Ay", "/xzy")).toBe(false);
    expect(isBlocked("/x*y", "/x*y")).toBe(true);
    expect(isBlocked("/x%24", "/x$")).toBe(true);
    expect(isBlocked("/x%24", "/x")).toBe(false);
    expect(isBlocked("/x$", "/x$")).toBe(false);
    expect(isBlocked("/x$", "/x%24")).toBe(false);
    for (const path of ["/x$/y", "/x%24/y"]) {
      expect(isBlocked("/x$/y", path)).toBe(true);
      expect(isBlocked("/x$/*y", path)).toBe(true);
      expect(isBlocked("/*$/y$", path)).toBe(true);
    }
    expect(isBlocked("/x$$", "/x$")).toBe(true);
    expect(isBlocked("/x$*", "/x$")).toBe(true);
    expect(isBlocked("/x$*", "/xy")).toBe(false);
  });

  it("matches wildcards wherever they stand", () => {
    expect(isBlocked("*", "/")).toBe(true);
    expect(isBlocked("*$", "/")).toBe(true);
    expect(isBlocked("/*/", "/x")).toBe(false);
    expect(isBlocked("/*/", "//")).toBe(true);
    expect(isBlocked("*.gif$", "/a.gif.gif")).toBe(true);
    expect(isBlocked("/a*a$", "/a")).toBe(false);
    expect(isBlocked("/a*a$", "/aa")).toBe(true);
    expect(isBlocked("/ab*ba*$", "/aba")).toBe(false);
    expect(isBlocked("/a*bc*bc$", "/abcabc")).toBe(true);
    expect(isBlocked("/a*bc*bc$", "/abc")).toBe(false);
    expect(isBlocked("/*abcabcabd", "/abcabcabcabd")).toBe(true);
  });

  it("ignores a value that is no path", () => {
    for (const value of ["x", "http://site.test/", "?q", "$", "", "%2Fx"]) {
      for (const path of ["/", "/x", "/http://site.test/", "/?q"]) expect(isBlocked(value, path)).toBe(false);
    }
  });

  it("keeps the `?` of an empty query and drops the fragment", () => {
    expect(isBlocked("/p?", "/p?")).toBe(true);
    expect(isBlocked("/p?", "/p")).toBe(false);
    expect(isBlocked("/p?$", "/p?#x")).toBe(true);
    expect(isBlocked("/p$", "/p#?")).toBe(true);
    expect(isBlocked("/?", "?a")).toBe(true);
  });

  it("takes the URL as the URL parser does, as text or as URL", () => {
    const robots = read("User-agent: *\nDisallow: /off/");
    for (const url of [
      `${ORIGIN}/off/`,
      `${ORIGIN}/a/../off/`,
      `${ORIGIN}/./off/`,
      `${ORIGIN}/%2e/off/`,
      `${ORIGIN}\\off\\`,
      "HTTP://SITE.test:80/off/",
      "http://me:pw@site.test/off/",
      ` ${ORIGIN}/o\nff/ `,
    ]) {
      expect(robots.isAllowed(url, "otterbot"), url).toBe(false);
      expect(robots.isAllowed(new URL(url), "otterbot"), url).toBe(false);
    }
  });

  it("refuses a URL of another origin, or none, as the caller's fault", () => {
    const robots = read("User-agent: heron\nDisallow: /");
    for (const url of [
      "https://site.test/",
      "http://site.test:8080/",
      "http://www.site.test/",
      "http://site.test.evil.test/",
      "http://site.test@evil.test/",
      "blob:http://site.test/1-2",
      "mailto:me@site.test",
      "/relative",
      "",
    ]) {
      expect(() => robots.isAllowed(url, "otterbot"), url).toThrow(TypeError);
      expect(() => robots.isAllowed(url, "otterbot"), url).toThrow(
        `origin http://site.test: received ${url}`,
      );
    }
  });

  it("answers exactly where one pattern has thousands of stars", () => {
    const path = `/${"a".repeat(60_000)}`;
    expect(isBlocked(`/${"*a".repeat(10_000)}*b`, path)).toBe(false);
    expect(isBlocked(`/${"*a".repeat(10_000)}*b$`, path)).toBe(false);
    expect(isBlocked(`/${"*a".repeat(10_000)}*b$`, `${path}b`)).toBe(true);
    expect(isBlocked(`/*${"a".repeat(30_000)}b`, path)).toBe(false);
    expect(isBlocked(`/*${"a".repeat(30_000)}b`, `${path}b`)).toBe(true);
    expect(isBlocked(`/${"*".repeat(400_000)}b`, path)).toBe(false);
  });

  it("ends a lookup that would take too long with the polite answer", () => {
    const rules = Array.from({ length: 20_000 }, (_, index) => `Disallow: /*aab*${index}z`).join("\n");
    const matches = vi.spyOn(Wildcard.prototype, "matches");
    const path = `/${"aab".repeat(20_000)}${"0123456789z".repeat(10)}`;
    expect(isAllowed(`User-agent: *\n${rules}`, path)).toBe(false);
    // Half a million octets are what a lookup may look at; each of these takes a pass over the path.
    expect(matches.mock.calls.length).toBeLessThanOrEqual(2 ** 19 / path.length);
    matches.mockClear();
    expect(isAllowed(`User-agent: *\n${rules}`, "/aabaabz")).toBe(true);
    expect(matches.mock.calls.length).toBe(0);
    matches.mockRestore();
  });
});

describe("crawlDelayMs()", () => {
  const delayOf = (value: string): number | undefined =>
    read(`User-agent: *\nCrawl-delay: ${value}`).crawlDelayMs("otterbot");

  it("is the number of seconds in milliseconds", () => {
    const expected = {
      "1": 1000,
      "0": 0,
      "0.5": 500,
      ".25": 250,
      "2.": 2000,
      "+3": 3000,
      "0.07": 70,
      "1e1": 10_000,
    };
    for (const [value, ms] of Object.entries(expected)) expect(delayOf(value), value).toBe(ms);
    expect(delayOf("86400")).toBe(86_400_000);
  });

  it("is unknown where the value is no number of seconds", () => {
    for (const value of [
      "",
      "-5",
      "-0.1",
      "1e9999",
      "Infinity",
      "NaN",
      "soon",
      "5 s",
      "1,5",
      "0x10",
      "--1",
      "1.2.3",
    ]) {
      expect(delayOf(value), value).toBeUndefined();
    }
    expect(delayOf(`1${"0".repeat(400)}`)).toBeUndefined();
  });

  it("belongs to the agents named just before it, and does not end their group", () => {
    const robots = read(
      "User-agent: a\nUser-agent: b\nCrawl-delay: 1\nUser-agent: c\nCrawl-delay: 2\nUser-agent: d\nDisallow: /x\nCrawl-delay: 3\nUser-agent: *\nDisallow: /",
    );
    expect(["a", "b", "c", "d", "e"].map((agent) => robots.crawlDelayMs(agent))).toEqual([
      1000,
      1000,
      2000,
      3000,
      undefined,
    ]);
    expect(["a", "b", "c", "d"].every((agent) => !robots.isAllowed(`${ORIGIN}/x`, agent))).toBe(true);
  });

  it("is the longest of several", () => {
    expect(delayOf("2\nCrawl-delay: 7\nCrawl-delay: 3")).toBe(7000);
    const robots = read(
      "User-agent: a\nCrawl-delay: 2\nAllow: /\nUser-agent: a\nCrawl-delay: 1\nCrawl-delay: x",
    );
    expect(robots.crawlDelayMs("a")).toBe(2000);
  });

  it("is not taken from `*` by an agent with a group of its own", () => {
    const robots = read("User-agent: *\nCrawl-delay: 5\nDisallow: /x\nUser-agent: a\nDisallow: /y");
    expect(robots.crawlDelayMs("a")).toBeUndefined();
    expect(robots.crawlDelayMs("b")).toBe(5000);
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

describe("parseRobots()", () => {
  it("refuses an address that is no absolute http or https URL", () => {
    for (const url of [
      "/robots.txt",
      "",
      "file:///robots.txt",
      "ftp://site.test/robots.txt",
      "blob:http://a.test/1",
    ]) {
      expect(() => parseRobots("", url), url).toThrow(TypeError);
      expect(() => parseRobots("", url), url).toThrow(
        `'robotsUrl' must be an absolute http or https URL: received ${url}`,
      );
    }
  });

  it("holds for the scheme, host and port of its address", () => {
    const robots = parseRobots("User-agent: *\nDisallow: /x", new URL("https://a.test:8443/robots.txt"));
    expect(robots.isAllowed("https://a.test:8443/x", "otterbot")).toBe(false);
    expect(() => robots.isAllowed("https://a.test/x", "otterbot")).toThrow(TypeError);
  });
});

describe("robotsPolicy()", () => {
  it("parses what was found, allows all where there is nothing, and waits for all else", () => {
    const statuses = {
      parse: [200, 203, 204, 206, 299],
      "allow-all": [400, 401, 403, 404, 410, 418, 451, 499],
      unreachable: [429, 500, 502, 503, 504, 599, 301, 304, 307, 100, 0, 600, 999, -1, Number.NaN],
    };
    for (const [policy, of] of Object.entries(statuses)) {
      for (const status of of) expect(robotsPolicy(status), `${status}`).toBe(policy);
    }
  });
});

describe("allowAllRobots", () => {
  it("allows any URL to any agent, without a delay", () => {
    expect(allowAllRobots.isAllowed("https://anywhere.test/x", "otterbot")).toBe(true);
    expect(allowAllRobots.crawlDelayMs("otterbot")).toBeUndefined();
    expect(allowAllRobots.sitemaps).toEqual([]);
  });
});

describe("the case", () => {
  it("s-11: groups do not flow into each other, with a byte order mark or without", () => {
    const text =
      "User-agent: *\nAllow: /\n\nUser-agent: BulkBot\nDisallow: /\n\nUser-agent: otter\nDisallow: /den\n";
    for (const body of [text, new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(text)])]) {
      expect(isAllowed(body, "/den", "otter/2.0")).toBe(false);
      for (const path of ["/", "/x", "/de"]) expect(isAllowed(body, path, "otter/2.0")).toBe(true);
      for (const path of ["/", "/x", "/den"]) expect(isAllowed(body, path, "lynx/1")).toBe(true);
      expect(isAllowed(body, "/", "BulkBot/3")).toBe(false);
    }
  });

  it("s-12: the status decides, and rules hold for one scheme, host and port", () => {
    expect([404, 403, 500, 200].map(robotsPolicy)).toEqual([
      "allow-all",
      "allow-all",
      "unreachable",
      "parse",
    ]);
    const robots = parseRobots("User-agent: *\nDisallow: /x", "http://site.test:8001/robots.txt");
    expect(robots.isAllowed("http://site.test:8001/x", "otter")).toBe(false);
    expect(() => robots.isAllowed("http://site.test:8002/x", "otter")).toThrow(TypeError);
  });

  it("s-13: an escaped slash in a rule is no slash, also in a query", () => {
    const paths = ["/doc/print", "/doc%2Fprint", "/doc%2fprint", "/find?q=a%2Fprint"];
    expect(paths.filter((path) => !isBlocked("/*%2Fprint", path))).toEqual(["/doc/print"]);
  });
});
