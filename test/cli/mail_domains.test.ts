import { describe, expect, test } from "vitest";
import {
  absentDomains,
  type DomainState,
  httpsResolver,
  lookUpResolver,
} from "../../src/cli/mail_domains.ts";
import { FakeClock } from "../../src/testing/fake_clock.ts";
import { type FakePage, fakeWeb } from "../../src/testing/fake_web.ts";

const answer = (code: number, flags = 0x81): FakePage => ({
  type: "application/dns-message",
  body: new Uint8Array([0, 0, flags, 0x80 | code, 0, 1, 0, 0, 0, 0, 0, 0]),
});

async function askedOf(page: FakePage): Promise<DomainState> {
  const clock = new FakeClock();
  const { fetch } = fakeWeb({ "https://dns.test/": page }, { clock });
  return httpsResolver("https://dns.test/", fetch, clock)("site.test");
}

describe("httpsResolver()", () => {
  test("takes the code of a name that does not exist alone for absence", async () => {
    expect(await askedOf(answer(3))).toBe("absent");
    expect(await askedOf(answer(0))).toBe("exists");
    expect(await askedOf(answer(2))).toBe("unknown");
    expect(await askedOf(answer(5))).toBe("unknown");
  });

  test.each<[string, FakePage]>([
    ["an error status", { ...(answer(3) as object), status: 500 }],
    ["a question come back", answer(3, 0x01)],
    ["a web page", "<p>no such thing"],
    ["nothing", { body: "" }],
    ["a fault", { fault: "ECONNREFUSED" }],
    ["no answer at all", { fault: "never" }],
  ])("knows nothing from %s", async (_, page) => {
    expect(await askedOf(page)).toBe("unknown");
  });
});

describe("absentDomains()", () => {
  test("asks for each once, and for at most eight at a time", async () => {
    let asking = 0;
    let most = 0;
    const asked: string[] = [];
    const domains = Array.from({ length: 30 }, (_, n) => `d${n % 20}.test`);
    const absent = await absentDomains(domains, async (domain) => {
      asked.push(domain);
      most = Math.max(most, ++asking);
      await Promise.resolve();
      asking--;
      return domain === "d7.test" ? "absent" : "exists";
    });
    expect(absent).toEqual(new Set(["d7.test"]));
    expect(asked).toHaveLength(20);
    expect(most).toBe(8);
  });
});

describe("lookUpResolver()", () => {
  const found = async () => [];
  const fails = (code: string) => async () => {
    throw Object.assign(new Error(code), { code });
  };

  test("says absent only where no look-up knows the name", async () => {
    const absent = fails("ENOTFOUND");
    expect(await lookUpResolver([absent, absent])("a.test")).toBe("absent");
    expect(await lookUpResolver([absent, found])("a.test")).toBe("exists");
    expect(await lookUpResolver([found, absent])("a.test")).toBe("exists");
    expect(await lookUpResolver([fails("ENODATA"), absent])("a.test")).toBe("exists");
    expect(await lookUpResolver([absent, fails("ESERVFAIL")])("a.test")).toBe("unknown");
    expect(await lookUpResolver([fails("ETIMEOUT")])("a.test")).toBe("unknown");
  });
});
