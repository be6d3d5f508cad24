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
