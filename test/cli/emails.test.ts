import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DomainState } from "../../src/cli/mail_domains.ts";
import { filesIn, temporaryFolder } from "../output/folder.ts";
import { type Around, runOn, type Web } from "./run_on.ts";

const SITE: Web = {
  "https://shop.test/": `<a href="/team">Team</a> <a href="/kontakt">Kontakt</a> Desk@Shop-Site.com`,
  "https://shop.test/team": `<a href="mailto:desk@shop-site.com">us</a> ann [at] gone-site.org
    <a href="https://www.linkedin.com/company/shop">in</a> <a href="https://twitter.com/intent/tweet?u=x">share</a>`,
  "https://shop.test/kontakt": `me@nook.example <a href="tel:+4930123">call</a>`,
};

interface Book {
  addresses: { address: string; written: string[]; how: string[]; pages: string[] }[];
  placeholders: { address: string }[];
  contacts: { kind: string; url: string; pages: string[] }[];
}

async function grab(args: readonly string[], around: Around = {}, web: Web = SITE) {
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder, name);
  const inFolder = (arg: string) => (/^\w+\.(?:csv|json)$/.test(arg) ? at(arg) : arg);
  const crawl = (more: readonly string[], w: Web = web) =>
    runOn(w, ["https://shop.test/", "--delay", "0", ...more.map(inFolder)], around);
  const ran = await crawl(args);
  return {
    ...ran,
    folder,
    at,
    crawl,
    text: (name: string) => readFile(at(name), "utf8"),
    json: async (name: string) => JSON.parse(await readFile(at(name), "utf8")) as Book,
  };
}

const ADDRESSES = [
  {
    address: "desk@shop-site.com",
    written: ["Desk@shop-site.com", "desk@shop-site.com"],
    how: ["text", "mailto"],
    pages: ["https://shop.test/", "https://shop.test/team"],
  },
  {
    address: "ann@gone-site.org",
    written: ["ann@gone-site.org"],
    how: ["obfuscated"],
    pages: ["https://shop.test/team"],
  },
];

describe("--emails", () => {
  test("has every address once, in lower case, with its pages, its spellings and how it stood there", async () => {
    const { json, folder, out } = await grab(["--emails", "found.json"]);
    expect(out).toBe("");
    const { addresses, placeholders } = await json("found.json");
    expect(addresses).toEqual(ADDRESSES);
    expect(placeholders.map(({ address }) => address)).toEqual(["me@nook.example"]);
    expect(await filesIn(folder)).toEqual(["found.json"]);
  });

  test("has social and contact links beside, with their pages, and no buttons that share", async () => {
    const { contacts } = await (await grab(["--emails", "found.json"])).json("found.json");
    expect(contacts).toEqual([
      { kind: "contact", url: "https://shop.test/kontakt", pages: ["https://shop.test/"] },
      { kind: "social", url: "https://www.linkedin.com/company/shop", pages: ["https://shop.test/team"] },
      { kind: "contact", url: "tel:+4930123", pages: ["https://shop.test/kontakt"] },
    ]);
  });

  test("as CSV has the addresses in one table and all else in another", async () => {
    const { text, err } = await grab(["--emails", "found.csv"]);
    expect(await text("found.csv")).toBe(
      "address,pages,how,written\r\n" +
        "desk@shop-site.com,https://shop.test/ https://shop.test/team,text mailto,Desk@shop-site.com desk@shop-site.com\r\n" +
        "ann@gone-site.org,https://shop.test/team,obfuscated,ann@gone-site.org\r\n",
    );
    expect(await text("found.contacts.csv")).toBe(
      "kind,value,pages,how,written\r\n" +
        "placeholder,me@nook.example,https://shop.test/kontakt,text,me@nook.example\r\n" +
        "contact,https://shop.test/kontakt,https://shop.test/,,\r\n" +
        "social,https://www.linkedin.com/company/shop,https://shop.test/team,,\r\n" +
        "contact,tel:+4930123,https://shop.test/kontakt,,\r\n",
    );
    expect(err).toContain("emails: 2 addresses, 1 placeholder, 3 social or contact links in ");
  });

  test.each(["found.json", "found.csv"])(
    "adds to %s what a later run finds, and doubles nothing",
    async (file) => {
      const { text, crawl } = await grab(["--emails", file]);
      const before = await text(file);
      await crawl(["--emails", file]);
      expect(await text(file)).toBe(before);
      await crawl(["--emails", file], { "https://shop.test/": "new@shop-site.com DESK@shop-site.com" });
      const after = await text(file);
      expect(after.match(/new@shop-site\.com/g)).not.toBeNull();
      expect(after.match(/^(?:\s*"address": ")?desk@shop-site\.com/gm)).toHaveLength(1);
      expect(after).toContain("ann@gone-site.org");
      await crawl(["--emails", file, "--replace"], { "https://shop.test/": "new@shop-site.com" });
      expect(await text(file)).not.toContain("ann@gone-site.org");
    },
  );

  test("goes on with the finds of a run that was killed, but for a torn line", async () => {
    const { at, json, crawl } = await grab(["--emails", "other.json"]);
    const note = {
      page: "https://shop.test/x",
      addresses: [{ written: "Old@shop-site.com", how: "text", placeholder: false }],
      contacts: [],
    };
    await writeFile(at("found.json.journal"), `${JSON.stringify(note)}\n{"page":"https://shop.te`);
    await crawl(["--emails", "found.json"]);
    const { addresses } = await json("found.json");
    expect(addresses.map(({ address }) => address)).toEqual([
      "old@shop-site.com",
      ...ADDRESSES.map(({ address }) => address),
    ]);
  });

  test("refuses to go on with a file that is none of its own", async () => {
    for (const file of ["found.json", "found.csv"]) {
      const { at, text, crawl } = await grab(["--emails", "other.json"]);
      await writeFile(at(file), "mine\n1\n");
      const { code, err } = await crawl(["--emails", file]);
      expect(code).toBe(2);
      expect(err).toMatch(/^dragline: --emails: Cannot continue '.*' as .* say --replace$/m);
      expect(await text(file)).toBe("mine\n1\n");
    }
  });

  test("reads plain text as it is, and no addresses of pages that are errors", async () => {
    const web: Web = {
      "https://shop.test/": `<a href="/t">t</a><a href="/e">e</a>`,
      "https://shop.test/t": { type: "text/plain", body: "Ann <ann@shop-site.com>" },
      "https://shop.test/e": { status: 500, body: "root@shop-site.com" },
    };
    const { json } = await grab(["--emails", "found.json", "--retries", "0"], {}, web);
    expect((await json("found.json")).addresses.map(({ address }) => address)).toEqual(["ann@shop-site.com"]);
  });
});

describe("--verify-mx", () => {
  const resolver = (states: Record<string, DomainState>, asked: string[] = []) => ({
    resolver: async (domain: string) => {
      asked.push(domain);
      return states[domain] ?? "unknown";
    },
  });

  test("leaves out addresses of domains that do not exist, each domain asked for once", async () => {
    const asked: string[] = [];
    const around = resolver({ "gone-site.org": "absent", "shop-site.com": "exists" }, asked);
    const { json, err } = await grab(["--emails", "found.json", "--verify-mx"], around);
    expect((await json("found.json")).addresses).toEqual([ADDRESSES[0]]);
    expect(asked.sort()).toEqual(["gone-site.org", "shop-site.com"]);
    expect(err).toContain("emails: left out ann@gone-site.org: there is no domain gone-site.org\n");
  });

  test("keeps what nobody knows", async () => {
    const { json } = await grab(["--emails", "found.json", "--verify-mx"], resolver({}));
    expect((await json("found.json")).addresses).toEqual(ADDRESSES);
  });

  test("asks over HTTPS where it is told to", async () => {
    // A response of no records, with the code of a name that does not exist.
    const noSuchDomain = {
      type: "application/dns-message",
      body: new Uint8Array([0, 0, 0x81, 0x83, 0, 1, 0, 0, 0, 0, 0, 0]),
    };
    const web = { ...SITE, "https://dns.test/q": noSuchDomain };
    const { json, log } = await grab(
      ["--emails", "found.json", "--verify-mx", "--dns-over-https", "https://dns.test/q"],
      {},
      web,
    );
    expect((await json("found.json")).addresses).toEqual([]);
    expect(log.filter(({ url }) => url === "https://dns.test/q").map(({ method }) => method)).toEqual([
      "POST",
      "POST",
    ]);
  });
});
