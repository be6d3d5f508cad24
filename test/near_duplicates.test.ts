import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NearDuplicates } from "../src/near_duplicates.ts";
import { hammingDistance } from "../src/web/simhash.ts";
import { fakeCrawl, gather } from "./support/fake_crawl.ts";

const digest = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

describe("NearDuplicates", () => {
  it("finds the earliest within the distance, and nothing beyond it, as a plain search does", () => {
    const flips = fc.array(fc.integer({ min: 0, max: 63 }), { maxLength: 6 });
    const sources = fc.array(digest, { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(
        sources,
        fc.array(fc.tuple(fc.nat(), flips), { maxLength: 40 }),
        fc.integer({ min: 0, max: 8 }),
        (bases, variants, distance) => {
          const index = new NearDuplicates({ distance });
          const kept: [bigint, string][] = [];
          const all = [
            ...bases,
            ...variants.map(([n, bits]) =>
              bits.reduce((d, bit) => d ^ (1n << BigInt(bit)), bases[n % bases.length]!),
            ),
          ];
          for (const [i, d] of all.entries()) {
            const plain = kept.find(([other]) => hammingDistance(other, d) <= distance)?.[1];
            expect(index.find(d)).toBe(plain);
            index.add(d, `page ${i}`);
            kept.push([d, `page ${i}`]);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it("survives being saved and restored, and growing", () => {
    const index = new NearDuplicates({ distance: 3 });
    for (let n = 0; n < 5_000; n++)
      index.add((BigInt(n) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn, `page ${n}`);
    const restored = new NearDuplicates({ distance: 3 });
    restored.restore(JSON.parse(JSON.stringify(index.save())));
    for (const n of [0, 1, 777, 4_999]) {
      const changed = ((BigInt(n) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn) ^ 0b1000000010000001n;
      expect(index.find(changed)).toBe(`page ${n}`);
      expect(restored.find(changed)).toBe(`page ${n}`);
    }
  });
});

const WORDS = Array.from({ length: 300 }, (_, n) => `word${(n * 7919) % 1_000}`).join(" ");

function page(text: string, link: string): string {
  return `<nav><a href="/">Home</a></nav><p>${text}</p><a href="${link}">on</a>`;
}

const SITE = {
  "https://a.test/": ["/1", "/2", "/s1", "/s2"].map((href) => `<a href="${href}">x</a>`).join(""),
  "https://a.test/1": page(`${WORDS} <!-- the first --> on Monday`, "/c1"),
  "https://a.test/2": page(`${WORDS} on Monday`, "/c2"),
  "https://a.test/s1": page("Out of stock.", "/c3"),
  "https://a.test/s2": page("In stock.", "/c4"),
  ...Object.fromEntries(["c1", "c2", "c3", "c4"].map((name) => [`https://a.test/${name}`, name])),
};

describe("crawl() with nearDuplicates", () => {
  it("is off by default: similar pages and their links are all crawled (case s-26)", async () => {
    const { crawl } = fakeCrawl(SITE, { results: "pages" });
    expect(await gather(crawl)).toHaveLength(9);
  });

  it("names the page before on a near-duplicate, and leaves its links alone; short texts are never one", async () => {
    const { crawl, web } = fakeCrawl(SITE, { results: "pages", nearDuplicates: true });
    const pages = (await gather(crawl)).filter((result) => result.type === "page");
    expect(pages.filter(({ duplicateOf }) => duplicateOf !== undefined)).toMatchObject([
      { url: "https://a.test/2", duplicateOf: "https://a.test/1" },
    ]);
    expect(web.urls()).not.toContain("https://a.test/c2");
    expect(web.urls()).toContain("https://a.test/c4");
  });

  it("follows their links where asked to, and skips them where asked to", async () => {
    const followed = fakeCrawl(SITE, { nearDuplicates: { links: true } });
    await gather(followed.crawl);
    expect(followed.web.urls()).toContain("https://a.test/c2");
    const skipped = fakeCrawl(SITE, { nearDuplicates: { skip: true } });
    const results = await gather(skipped.crawl);
    expect(results.filter(({ type }) => type === "skip")).toMatchObject([
      { url: "https://a.test/2", reason: "duplicate", detail: "it is nearly https://a.test/1" },
    ]);
  });
});

describe("crawl() with nearDuplicates and a snapshot", () => {
  it("still knows the pages before, through a crawl that was stopped before it began", async () => {
    const first = fakeCrawl(SITE, { nearDuplicates: true, concurrency: 1, results: "pages" });
    for await (const { url } of first.crawl) if (url === "https://a.test/1") await first.crawl.stop();
    const idle = fakeCrawl(SITE, { nearDuplicates: true, resume: await first.crawl.snapshot() });
    await idle.crawl.stop();
    const last = fakeCrawl(SITE, { nearDuplicates: true, resume: await idle.crawl.snapshot() });
    expect(await gather(last.crawl)).toContainEqual(
      expect.objectContaining({ url: "https://a.test/2", duplicateOf: "https://a.test/1" }),
    );
  });
});

describe("crawl() and traps", () => {
  it("ends on a site that gets ever deeper, and on a calendar, with all real pages early (case s-25)", async () => {
    const real = Array.from({ length: 10 }, (_, n) => `/real/${n}`);
    const home = [...real, "/e/1", "/cal/2026/11"].map((href) => `<a href="${href}">x</a>`).join("");
    const { crawl, web } = fakeCrawl(
      {
        "https://a.test/": home,
        ...Object.fromEntries(real.map((path) => [`https://a.test${path}`, "real"])),
      },
      {
        concurrency: 1,
        delayMs: 0,
        web: {
          otherwise: (_, { url }) => {
            if (url.endsWith("/robots.txt")) return { status: 404 };
            const [, year, month] = /\/cal\/(\d+)\/(\d+)$/.exec(url) ?? [];
            if (year === undefined)
              return `<a href="${url.replace(/\/?$/, "/")}www.partner.test/">partner</a>`;
            const months = Number(year) * 12 + Number(month) - 1;
            const link = (n: number): string => `<a href="/cal/${Math.floor(n / 12)}/${(n % 12) + 1}">x</a>`;
            return link(months - 1) + link(months + 1);
          },
        },
      },
    );
    const results = await gather(crawl);
    const stats = await crawl.finished;
    expect(stats.finishReason).toBe("done");
    expect(stats.skipsByReason.trap).toBeGreaterThanOrEqual(3);
    expect(
      results.filter((result) => result.type === "skip").every(({ detail }) => detail !== undefined),
    ).toBe(true);
    const first60 = web.urls().slice(0, 60);
    for (const path of real) expect(first60).toContain(`https://a.test${path}`);
  });

  it("does not end by itself where traps are off, but at its budget", async () => {
    const { crawl } = fakeCrawl(
      {},
      {
        traps: false,
        maxPages: 30,
        web: { otherwise: (_, { url }) => (url.endsWith(".txt") ? { status: 404 } : '<a href="a/">on</a>') },
      },
    );
    await gather(crawl);
    expect((await crawl.finished).finishReason).toBe("max-pages");
  });
});
