import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Traps } from "../../src/frontier/traps.ts";

const NOW_MS = Date.UTC(2026, 10, 30);

function check(path: string, traps = new Traps()): string | undefined {
  return traps.check(`https://a.test${path}`, "a.test", NOW_MS);
}

describe("Traps", () => {
  it.each([
    "/e/1/www.partner.test/www.partner.test/www.partner.test/",
    "/a/b/a/b/a/b/",
    "/x/a/b/c/a/b/c/a/b/c/y",
    `/${Array.from({ length: 21 }, (_, i) => `d${i}`).join("/")}`,
    `/${"long".repeat(600)}`,
    `/list?${Array.from({ length: 17 }, (_, i) => `f${i}=1`).join("&")}`,
    "/list?color=red&size=1&color=red&size=2&color=red",
    "/cal/2031/04",
    "/cal/1931/4/",
    "/events?year=2040&month=2",
    "/events/2029-05-01",
    "/events?month=3&year=2029",
    "/week/2031-07",
  ])("refuse %s, and say why", (path) => {
    expect(check(path)).toMatch(/\w/);
  });

  it.each([
    "/",
    "/a/a/b/b/c/c",
    "/docs/api/api/reference/api/",
    "/2019/04/a-post-of-long-ago",
    "/archive/2026/11/30/",
    "/cal/2027/04",
    "/item/1999999/04",
    "/library/1/2031",
    "/doc/15/functions-datetime.html",
    "/rfc/rfc9309.html?year=2022",
    "/find?q=spider&page=2&sort=new",
    "/part/2850-12",
    "/std/primitive.u32.html",
  ])("leave %s alone", (path) => {
    expect(check(path)).toBeUndefined();
  });

  it("take the first eight values of a session parameter, and only those", () => {
    const traps = new Traps();
    const session = (n: number): string | undefined => check(`/page;jsessionid=0123456789abcdef${n}`, traps);
    for (let n = 0; n < 8; n++) expect(session(n)).toBeUndefined();
    expect(session(8)).toContain("jsessionid");
    expect(session(8)).toContain("jsessionid");
    expect(session(3)).toBeUndefined();
    expect(traps.check("https://b.test/?PHPSESSID=0123456789abcdef", "b.test", NOW_MS)).toBeUndefined();
  });

  it("bound the queries of one path, and leave other paths alone", () => {
    const traps = new Traps();
    for (let n = 0; n < 5_000; n++) expect(check(`/find?q=${n}`, traps)).toBeUndefined();
    expect(check("/find?q=one-more", traps)).toContain("5000 queries");
    expect(check("/other?q=1", traps)).toBeUndefined();
  });

  it("bound the URLs that differ in numbers alone", () => {
    const traps = new Traps();
    for (let n = 0; n < 20_000; n++) check(`/item/${n}`, traps);
    expect(check("/item/20001", traps)).toContain("20000 URLs");
    expect(check("/thing/20001", traps)).toBeUndefined();
    expect(traps.check("https://b.test/item/1", "b.test", NOW_MS)).toBeUndefined();
  });

  it("take any URL", () => {
    const path = fc.webUrl({ withQueryParameters: true });
    fc.assert(
      fc.property(path, fc.string(), (url, tail) => {
        const why = new Traps().check(`${url}${tail}`, "a.test", NOW_MS);
        expect(why === undefined || why.length > 0).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
