import { describe, expect, it } from "vitest";
import { parseRobots, type Robots } from "../../src/web/robots.ts";

const ORIGIN = "http://site.test";

function read(body: string | Uint8Array): Robots {
  return parseRobots(body, `${ORIGIN}/robots.txt`);
}

function isAllowed(body: string | Uint8Array, path: string, agent = "otterbot"): boolean {
  return read(body).isAllowed(ORIGIN + path, agent);
}

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
