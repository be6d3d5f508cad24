import { beforeAll, describe, expect, test } from "vitest";
import { loadCookies } from "../src/cookies.ts";
import type { FakePage } from "../src/testing/fake_web.ts";
import { type FakeCrawlOptions, fakeCrawl, gather, HOME, linksTo, told } from "./support/fake_crawl.ts";

// The jar is loaded at its first use, which no fake clock waits for.
beforeAll(async () => {
  await loadCookies();
});

function setting(...cookies: string[]): Headers {
  const headers = new Headers();
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return headers;
}

describe("loadCookies()", () => {
  test("gives back what a host set, to that host, by path and scheme", async () => {
    const jar = await loadCookies();
    jar.store("https://a.test/x/y", setting("all=1; Path=/", "here=2", "safe=3; Path=/; Secure"));
    expect(jar.header("https://a.test/")).toBe("all=1; safe=3");
    expect(jar.header("https://a.test/x/z")).toBe("here=2; all=1; safe=3");
    expect(jar.header("http://a.test/")).toBe("all=1");
    expect(jar.header("https://a.test:8443/")).toBe("all=1; safe=3");
  });

  test("never crosses sites: not to another host, nor up, nor down unless the domain says so", async () => {
    const jar = await loadCookies();
    jar.store("https://www.a.example/", setting("own=1", "wide=2; Domain=a.example"));
    expect(jar.header("https://www.a.example/")).toBe("own=1; wide=2");
    expect(jar.header("https://shop.a.example/")).toBe("wide=2");
    expect(jar.header("https://a.example/")).toBe("wide=2");
    for (const url of ["https://b.example/", "https://nota.example/", "https://www.a.example.b.test/"]) {
      expect(jar.header(url)).toBeUndefined();
    }
  });

  test("takes no cookie that its host may not set, and never throws", async () => {
    const jar = await loadCookies();
    jar.store(
      "https://a.co.uk/",
      setting(
        "x=1; Domain=co.uk",
        "x=2; Domain=uk",
        "x=3; Domain=b.co.uk",
        "",
        ";",
        "=",
        "\u00e9=\u00ff",
        "a".repeat(10_000),
      ),
    );
    expect(jar.header("https://b.co.uk/")).toBeUndefined();
    jar.store("http://127.0.0.1/", setting("ip=1", "ip=2; Domain=0.1"));
    expect(jar.header("http://127.0.0.1/")).toBe("ip=1");
    expect(jar.header("http://10.0.0.1/")).toBeUndefined();
  });

  test("forgets what has run out", async () => {
    const jar = await loadCookies();
    jar.store("https://a.test/", setting("a=1", "b=2"));
    jar.store("https://a.test/", setting("a=; Max-Age=0", "b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"));
    expect(jar.header("https://a.test/")).toBeUndefined();
  });
});

describe("cookies of a crawl", () => {
  const QUICK: FakeCrawlOptions = { delayMs: 0, robots: false, hostConcurrency: 1 };
  const gate: FakePage = (_, { headers }) =>
    headers.get("cookie") === "seen=1"
      ? "in"
      : { status: 302, location: "/gate", headers: { "set-cookie": "seen=1" } };

  test("s-10: with a jar, a redirect to the same URL that sets one comes to its page", async () => {
    const fake = fakeCrawl({ [`${HOME}gate`]: gate }, { ...QUICK, seeds: `${HOME}gate`, cookies: true });
    const results = await gather(fake.crawl);
    expect(told(results)).toEqual(["page /gate 200"]);
    expect(fake.web.log).toHaveLength(2);
    expect(results[0]).toMatchObject({ redirects: [{ url: `${HOME}gate`, status: 302 }], text: "in" });
  });

  test("s-10: without one it is a failure, at once, which is not tried again", async () => {
    const fake = fakeCrawl({ [`${HOME}gate`]: gate }, { ...QUICK, seeds: `${HOME}gate` });
    expect(told(await gather(fake.crawl))).toEqual(["failure /gate redirect"]);
    expect(fake.web.log).toHaveLength(1);
  });

  test("s-10: with a jar, one that never lets in ends at maxRedirects", async () => {
    const never: FakePage = { status: 302, location: "/gate", headers: { "set-cookie": "seen=1" } };
    const fake = fakeCrawl({ [`${HOME}gate`]: never }, { ...QUICK, seeds: `${HOME}gate`, cookies: true });
    expect(told(await gather(fake.crawl))).toEqual(["failure /gate redirect"]);
    expect(fake.web.log).toHaveLength(11);
  });

  test("are kept from page to page of one site, and never sent to another", async () => {
    const pages: Record<string, FakePage> = {
      [HOME]: {
        body: linksTo("/1", "https://b.test/", "https://sub.a.test/"),
        headers: { "set-cookie": "id=a" },
      },
      "https://b.test/": { body: "", headers: { "set-cookie": "id=b; Domain=a.test" } },
    };
    const fake = fakeCrawl(pages, {
      ...QUICK,
      scope: "any",
      cookies: true,
      seeds: [HOME, `${HOME}2`, `${HOME}3`],
    });
    await gather(fake.crawl);
    const sent = Object.fromEntries(fake.web.log.map(({ url, headers }) => [url, headers.get("cookie")]));
    expect(sent).toEqual({
      [HOME]: null,
      [`${HOME}1`]: "id=a",
      [`${HOME}2`]: "id=a",
      [`${HOME}3`]: "id=a",
      "https://b.test/": null,
      "https://sub.a.test/": null,
    });
  });

  test("that an error or a redirect sets are kept too", async () => {
    const pages: Record<string, FakePage> = {
      [HOME]: { status: 404, headers: { "set-cookie": "a=1" } },
      [`${HOME}2`]: { status: 302, location: "/3", headers: { "set-cookie": "b=2" } },
    };
    const fake = fakeCrawl(pages, { ...QUICK, cookies: true, seeds: [HOME, `${HOME}2`] });
    await gather(fake.crawl);
    expect(fake.web.log.at(-1)!.headers.get("cookie")).toBe("a=1; b=2");
  });

  test("are not kept where nobody asks for a jar", async () => {
    const fake = fakeCrawl({ [HOME]: { body: linksTo("/1"), headers: { "set-cookie": "id=a" } } }, QUICK);
    await gather(fake.crawl);
    expect(fake.web.log.map(({ headers }) => headers.get("cookie"))).toEqual([null, null]);
  });
});
