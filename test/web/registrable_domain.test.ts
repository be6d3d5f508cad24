import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadRegistrableDomain } from "../../src/web/registrable_domain.ts";

const registrableDomain = await loadRegistrableDomain();

describe("loadRegistrableDomain()", () => {
  it.each([
    ["www.example.com", "example.com"],
    ["example.com", "example.com"],
    ["WWW.Example.COM.", "example.com"],
    ["a.b.example.co.uk", "example.co.uk"],
    ["alice.github.io", "alice.github.io"],
    ["www.alice.github.io", "alice.github.io"],
    ["x.y.xn--55qx5d.cn", "y.xn--55qx5d.cn"],
    ["www.ck", "www.ck"],
    ["a.b.city.kawasaki.jp", "city.kawasaki.jp"],
    ["www.example.test", "example.test"],
  ])("finds that %s belongs to %s", (hostname, domain) => {
    expect(registrableDomain(hostname)).toBe(domain);
  });

  it.each([
    "com",
    "co.uk",
    "github.io",
    "x.kawasaki.jp",
    "localhost",
    "127.0.0.1",
    "[::1]",
    "::1",
    "",
    ".",
    "..",
    "a..b",
  ])("finds none for %j", (hostname) => expect(registrableDomain(hostname)).toBeUndefined());

  it("tells hosts apart by labels and not by the ends of strings", () => {
    expect(registrableDomain("notexample.test")).not.toBe(registrableDomain("example.test"));
    expect(registrableDomain("example.test.evil.test")).not.toBe(registrableDomain("example.test"));
    expect(registrableDomain("sub.example.test")).toBe(registrableDomain("example.test"));
  });

  it("never throws, and a domain's domain is itself", () => {
    const label = fc.constantFrom(
      "a",
      "example",
      "co",
      "uk",
      "com",
      "github",
      "io",
      "",
      "xn--p1ai",
      "kawasaki",
      "jp",
      "*",
    );
    const nasty = fc.oneof(
      fc.array(label, { maxLength: 6 }).map((labels) => labels.join(".")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(nasty, (hostname) => {
        const domain = registrableDomain(hostname);
        if (domain !== undefined) expect(registrableDomain(domain)).toBe(domain);
      }),
      { numRuns: 1_000 },
    );
  });
});
