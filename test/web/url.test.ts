import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalKey,
  decodeLocation,
  hostKey,
  isCrawlable,
  originOf,
  resolveUrl,
  splitCredentials,
  TRACKING_PARAMS,
  urlResolver,
  withoutFragment,
} from "../../src/web/url.ts";

const ATOMS = [
  ...[
    "http:",
    "https:",
    "/",
    "//",
    "\\",
    ".",
    "..",
    "%2e",
    "%41",
    "%7E",
    "%c3%a9",
    "%",
    "%4",
    "%2",
    "5",
    "^",
    "|",
  ],
  ...[
    "?",
    "#",
    "@",
    ":",
    ":80",
    "a",
    "B",
    "é",
    "xn--",
    "xn--bcher-kva",
    ".test",
    "127",
    "0x7f",
    " ",
    "\t",
    "\n",
  ],
  ...["\0", "\ud800", "😀", "&", "=", "utm_x=1", "+", "~", "'"],
];
const nastyText = fc.oneof(
  fc.array(fc.constantFrom(...ATOMS), { maxLength: 12 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary" }),
);
const nastyUrl = nastyText.map((rest) => `http://h.test/${rest}`);

describe("resolveUrl()", () => {
  const base = "http://127.0.0.1:8080/shop/list?page=2";

  it.each([
    [" /shop/one ", "http://127.0.0.1:8080/shop/one"],
    ["\n\thttp://127.0.0.1:8080/shop/two\n", "http://127.0.0.1:8080/shop/two"],
    ["th\nree\t", "http://127.0.0.1:8080/shop/three"],
    ["", base],
    ["#top", `${base}#top`],
    ["?d=1", "http://127.0.0.1:8080/shop/list?d=1"],
    ["./a/../b", "http://127.0.0.1:8080/shop/b"],
    ["..", "http://127.0.0.1:8080/"],
    ["a:b", "a:b"],
    ["a/b:c", "http://127.0.0.1:8080/shop/a/b:c"],
    ["//other.test", "http://other.test/"],
    ["\\\\other.test\\x", "http://other.test/x"],
    ["HTTPS://Other.test:443/x", "https://other.test/x"],
    ["http:x", "http://127.0.0.1:8080/shop/x"],
    ["mailto:me@b.test", "mailto:me@b.test"],
  ])("resolves %j as the URL standard does", (href, expected) => {
    expect(resolveUrl(href, base)).toBe(expected);
  });

  it.each([
    ["///host.test/x", "http://host.test/x"],
    ["\\\\\\/host.test/x", "http://host.test/x"],
    [" /\t//host.test/x", "http://host.test/x"],
    ["/a^b?c^d#e^f", "http://h.test/a%5Eb?c^d#e^f"],
    ["a^/b", "http://h.test/d/a%5E/b"],
    ["http://xn--zzz-.test/", undefined],
    ["http://xn--.test/", undefined],
    ["http://xn--a.test/", undefined],
    [`http://xn--${"a".repeat(100)}.test/`, undefined],
    ["http://xn--fx-3s9cx68e-jpnet.test/", undefined],
    ["//XN--BCHER-KVA.test/", "http://xn--bcher-kva.test/"],
    ["//b\u00fccher.test/", "http://xn--bcher-kva.test/"],
    ["//B\u00dcCHER.test/", "http://xn--bcher-kva.test/"],
    ["//fa\u00df.test/", "http://xn--fa-hia.test/"],
  ])("gives %j the same on runtimes whose parsers differ", (href, expected) => {
    expect(resolveUrl(href, "http://h.test/d/e?q")).toBe(expected);
  });

  it.each([
    "/50%off",
    "/D%C9PLIANT",
    "/%u011f.html",
    "/end%",
    "/img?w=120&h=60&sig=9f&h=30",
    "/cgi?2172",
    "/cgi?k=",
    "/p?",
  ])("leaves path and query of %j as written", (target) =>
    expect(resolveUrl(target, "http://h.test/d/e")).toBe(`http://h.test${target}`),
  );

  it("is undefined for what is no URL, and resolves the absolute alone where the base is none", () => {
    expect(resolveUrl("http://", base)).toBeUndefined();
    expect(resolveUrl("//h.test:99999/", base)).toBeUndefined();
    expect(resolveUrl("/x", "no base")).toBeUndefined();
    expect(resolveUrl("http://h.test/x", "no base")).toBe("http://h.test/x");
  });

  it("never throws, and what it resolves is absolute and resolves to itself", () => {
    fc.assert(
      fc.property(nastyText, nastyText, (href, from) => {
        for (const against of [from, `http://h.test/d/${from}`]) {
          const url = resolveUrl(href, against);
          if (url !== undefined) expect(resolveUrl(url, "about:blank")).toBe(url);
        }
      }),
      {
        numRuns: 1_000,
        examples: [
          ["", "http:xn--"],
          ["/x", "http:xn--"],
        ],
      },
    );
  });

  it("takes its short cuts only where the parser would give the same", () => {
    const plain = fc
      .array(
        fc.constantFrom(
          "/",
          ".",
          "..",
          "a",
          "b-c",
          "_",
          "~",
          "%2e",
          "%20",
          "?",
          "#",
          "=",
          "'",
          ":",
          "@",
          "//",
        ),
        { maxLength: 10 },
      )
      .map((parts) => parts.join(""));
    const host = fc.constantFrom(
      "h.test",
      "a.b",
      "1.2.3.4",
      "1.2.3",
      "01.2.3.4",
      "256.1.1.1",
      "a.0x7",
      "h.test:80",
      "h:443",
      "h:65535",
      "h:65536",
      "h:8080",
      "-",
      "a..b",
      "xn--a.b",
    );
    const base = "https://h.test/d/e?q=1#f";
    const reference = fc.oneof(
      plain,
      fc.tuple(fc.constantFrom("http://", "https://", "//"), host, plain).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(reference, (href) => {
        if (href.includes("xn--") || /^\/{3}/.test(href) || !URL.canParse(href, base)) return;
        expect(resolveUrl(href, base)).toBe(new URL(href, base).href);
      }),
      { numRuns: 3_000 },
    );
  });

  it("reads a reference of ten million characters", () => {
    const long = `/${"a/".repeat(5_000_000)}`;
    expect(resolveUrl(long, base)).toHaveLength(base.indexOf("/shop") + long.length);
  });
});

describe("urlResolver()", () => {
  it("resolves many references against one base", () => {
    const resolve = urlResolver(new URL("https://h.test/a/b?c#d"));
    expect(["x", "/x?y", "?y", "#z", "//i.test/"].map(resolve)).toEqual([
      "https://h.test/a/x",
      "https://h.test/x?y",
      "https://h.test/a/b?y",
      "https://h.test/a/b?c#z",
      "https://i.test/",
    ]);
  });

  it("keeps a base's credentials, as the standard does", () => {
    expect(urlResolver("https://me:pw@h.test/a/b")("c")).toBe("https://me:pw@h.test/a/c");
  });

  it("escapes a base's ^ like a reference's", () => {
    expect(urlResolver("https://h.test/a^/b")("c")).toBe("https://h.test/a%5E/c");
  });
});

describe("canonicalKey()", () => {
  it.each([
    "http://127.0.0.1:8080",
    "HTTP://127.0.0.1:8080/",
    "http://127.0.0.1:8080/x/..",
    "http://127.0.0.1:8080/./",
    "http://127.0.0.1:8080/#top",
    "http://me:secret@127.0.0.1:8080/",
    "http://0x7f.1:8080/%2e/",
  ])("counts %s as one page", (url) => {
    expect(canonicalKey(url)).toBe("http://127.0.0.1:8080/");
  });

  it.each([
    ["https://h.test:443/", "https://h.test/"],
    ["http://h.test:443/", "http://h.test:443/"],
    ["http://h.test/%7Ejoe", "http://h.test/~joe"],
    ["http://h.test/a%2fb", "http://h.test/a%2Fb"],
    ["http://h.test/%62", "http://h.test/b"],
    ["http://h.test/?q=%61%2b", "http://h.test/?q=a%2B"],
    ["http://h.test/é", "http://h.test/%C3%A9"],
    ["http://h.test/a^b", "http://h.test/a%5Eb"],
    ["http://h.test/50%off", "http://h.test/50%off"],
    ["http://h.test/%%32e", "http://h.test/%%32e"],
    ["http://h.test/%2%45", "http://h.test/%2%45"],
    ["http://h.test/%25%34%31", "http://h.test/%2541"],
    ["http://h.test/?", "http://h.test/?"],
    ["http://h.test/@a", "http://h.test/@a"],
    ["http://h.test?@a", "http://h.test/?@a"],
    ["http://bücher.test/", "http://xn--bcher-kva.test/"],
  ])("makes of %s the key %s", (url, key) => {
    expect(canonicalKey(url)).toBe(key);
    expect(canonicalKey(new URL(url))).toBe(key);
  });

  it("decodes the escape of each unreserved octet, and spells the others with upper-case digits", () => {
    for (let octet = 0; octet < 256; octet++) {
      const upper = `%${octet.toString(16).toUpperCase().padStart(2, "0")}`;
      const character = String.fromCharCode(octet);
      const expected = /[\w\-.~]/.test(character) ? character : upper;
      for (const spelled of [upper, upper.toLowerCase()])
        expect(canonicalKey(`http://h.test/?a${spelled}b`)).toBe(`http://h.test/?a${expected}b`);
    }
  });

  it("keeps the query's order and values", () => {
    const url = "http://h.test/img?w=120&h=60&sig=9f&h=30&&utm_source=x";
    expect(canonicalKey(url)).toBe(url);
  });

  it("leaves tracking parameters out when asked to", () => {
    const options = { stripTrackingParams: true } as const;
    expect(canonicalKey("http://h.test/?a=1&UTM_Source=x&b=2&gclid=3#f", options)).toBe(
      "http://h.test/?a=1&b=2",
    );
    expect(canonicalKey("http://h.test/p?utm_medium=x", options)).toBe("http://h.test/p");
    expect(canonicalKey("http://h.test/p?", options)).toBe("http://h.test/p?");
    expect(canonicalKey("http://h.test/p?gclid", options)).toBe("http://h.test/p");
    for (const name of TRACKING_PARAMS) {
      expect(canonicalKey(`http://h.test/?${name.replace("*", "x")}=1`, options)).toBe("http://h.test/");
    }
  });

  it("takes a list of parameters in place of its own", () => {
    const stripTrackingParams = ["ref", "s_*"];
    expect(canonicalKey("http://h.test/?ref=1&gclid=2&s_id=3&refs=4", { stripTrackingParams })).toBe(
      "http://h.test/?gclid=2&refs=4",
    );
  });

  it("sorts the query by name alone when asked to", () => {
    expect(canonicalKey("http://h.test/?b=2&a=9&b=1&a=3", { sortQuery: true })).toBe(
      "http://h.test/?a=9&a=3&b=2&b=1",
    );
  });

  it("drops slashes at the path's end when asked to, but never the root", () => {
    const options = { trailingSlash: "drop" } as const;
    expect(canonicalKey("http://h.test/a/?q=/", options)).toBe("http://h.test/a?q=/");
    expect(canonicalKey("http://h.test/a//", options)).toBe("http://h.test/a");
    expect(canonicalKey("http://h.test/", options)).toBe("http://h.test/");
    expect(canonicalKey("http://h.test//?q", options)).toBe("http://h.test/?q");
  });

  it("throws where there is no absolute URL", () => {
    expect(() => canonicalKey("/relative")).toThrow(TypeError);
  });

  it("is the key of itself, whatever the options", () => {
    const options = fc.record({
      stripTrackingParams: fc.boolean(),
      sortQuery: fc.boolean(),
      trailingSlash: fc.constantFrom("keep" as const, "drop" as const),
    });
    fc.assert(
      fc.property(nastyUrl, options, (url, chosen) => {
        const key = canonicalKey(url, chosen);
        expect(canonicalKey(key, chosen)).toBe(key);
        expect(canonicalKey(new URL(key), chosen)).toBe(key);
        expect(key).not.toContain("#");
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("hostKey()", () => {
  it.each([
    ["http://Example.test/a", "example.test"],
    ["https://example.test:443/a", "example.test"],
    ["http://example.test:80/a", "example.test"],
    ["http://example.test:8080/a", "example.test:8080"],
    ["https://example.test./", "example.test"],
    ["https://example.test.:8443/", "example.test:8443"],
    ["https://me:pw@example.test/", "example.test"],
    ["http://[::1]:81/", "[::1]:81"],
    ["http://bücher.test/", "xn--bcher-kva.test"],
  ])("of %s is %s", (url, key) => {
    expect(hostKey(url)).toBe(key);
    expect(hostKey(new URL(url))).toBe(key);
  });

  it("throws where there is no absolute URL", () => {
    expect(() => hostKey("example.test")).toThrow(TypeError);
  });
});

describe("originOf()", () => {
  it.each([
    ["http://Example.test:80/a?b#c", "http://example.test"],
    ["http://example.test:8080/a", "http://example.test:8080"],
    ["https://me@example.test/", "https://example.test"],
  ])("of %s is %s", (url, origin) => {
    expect(originOf(url)).toBe(origin);
    expect(originOf(new URL(url))).toBe(origin);
  });
});

describe("withoutFragment()", () => {
  it.each(["#intro", "#/orders/7", "#!/blog/1", "#:~:text=x", "#a#b", "#", ""])(
    "takes %j off",
    (fragment) => {
      expect(withoutFragment(`http://h.test/app?x=%${fragment}`)).toBe("http://h.test/app?x=%");
    },
  );
});

describe("isCrawlable()", () => {
  it.each(["http://h.test/", "HTTPS://h.test", "http://127.0.0.1:8080/a"])("takes %s", (url) => {
    expect(isCrawlable(url)).toBe(true);
  });

  it.each([
    ...[
      "file:///etc/passwd",
      "data:text/html,x",
      "javascript:x",
      "mailto:a@b.test",
      "tel:1",
      "ftp://h.test/",
    ],
    ...["blob:http://h.test/1", "view-source:http://h.test/", "about:blank", "/relative", "", "http://"],
  ])("refuses %j", (url) => {
    expect(isCrawlable(url)).toBe(false);
  });
});

describe("splitCredentials()", () => {
  it.each([
    ["https://h.test/a#b", "https://h.test/a#b", undefined],
    ["https://me:secret@h.test/@a", "https://h.test/@a", "me:secret"],
    ["https://me@h.test/", "https://h.test/", "me:"],
    ["https://:pw@h.test/", "https://h.test/", ":pw"],
    ["https://a%40b:c%3Ad%20@h.test/", "https://h.test/", "a@b:c:d "],
    ["https://a@b:c@h.test/", "https://h.test/", "a@b:c"],
  ])("parts %s", (url, bare, credentials) => {
    const authorization = credentials === undefined ? undefined : `Basic ${btoa(credentials)}`;
    expect(splitCredentials(url)).toEqual({ url: bare, authorization });
  });

  it("encodes credentials as UTF-8", () => {
    const { authorization } = splitCredentials("https://\u00fc:%@h.test/");
    expect(authorization).toBe(`Basic ${btoa("\u00c3\u00bc:%")}`);
  });
});

describe("decodeLocation()", () => {
  it("gives UTF-8 octets back as the URL that they mean", () => {
    const octets = String.fromCharCode(...new TextEncoder().encode("http://bücher.test/café?q=é"));
    expect(resolveUrl(decodeLocation(octets), "http://h.test/")).toBe(
      "http://xn--bcher-kva.test/caf%C3%A9?q=%C3%A9",
    );
  });

  it("returns octets of another charset as they are, and ASCII untouched", () => {
    expect(decodeLocation("/caf\u00e9")).toBe("/caf%E9");
    expect(decodeLocation("/a b%?#x")).toBe("/a b%?#x");
  });
});
