import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSitemap, type SitemapItem } from "../../src/web/sitemap.ts";

const DIRECTORY = new URL("../vectors/sitemaps/", import.meta.url);
const expected = JSON.parse(readFileSync(new URL("expected.json", DIRECTORY), "utf8")) as { file: string }[];
const files = expected.map(({ file }) => new Uint8Array(readFileSync(new URL(file, DIRECTORY))));

function streamOf(bytes: Uint8Array, cuts: number[]): ReadableStream<Uint8Array> {
  let at = 0;
  let turn = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const size = cuts[turn++ % cuts.length] as number;
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
}

async function read(body: Uint8Array | ReadableStream<Uint8Array>): Promise<SitemapItem[]> {
  const items: SitemapItem[] = [];
  for await (const item of parseSitemap(body, "https://site.test/a/sitemap.xml")) items.push(item);
  return items;
}

const cuts = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 300 })), {
  minLength: 1,
  maxLength: 8,
});

/** Pieces out of which markup is made, so that chance meets the rules. */
const markup = fc.array(
  fc.constantFrom(
    ..."< > </ /> <!-- --> <![CDATA[ ]]> <? ?> <!DOCTYPE [ ] \" ' = & &amp; &#x41; &#0; \n \0 é 😀 \ud800".split(
      " ",
    ),
    "<urlset>",
    "</urlset>",
    "<urlset xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>",
    "<sitemapindex>",
    "<rss><channel>",
    "<feed xml:base='/b/'>",
    "<url>",
    "</url>",
    "<loc>",
    "</loc>",
    "<loc>https://site.test/1</loc>",
    "<item>",
    "</item>",
    "<entry>",
    "</entry>",
    "<link href='x'/>",
    "<image:image><image:loc>i.png</image:loc></image:image>",
    "<lastmod>2024-01-01</lastmod>",
    "<__proto__ a='1'>",
    "https://site.test/2",
    "\r\n",
    " ",
  ),
  { maxLength: 60 },
);

/** A file with some octets changed, some left out, some doubled. */
const mutated = fc
  .tuple(
    fc.constantFrom(...files),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 }), fc.constantFrom("set", "drop", "double", "cut")), {
      maxLength: 6,
    }),
  )
  .map(([file, edits]) => {
    let octets = [...file];
    for (const [where, value, edit] of edits) {
      const at = where % (octets.length + 1);
      if (edit === "set") octets[at] = value;
      else if (edit === "drop") octets.splice(at, value);
      else if (edit === "double") octets.splice(at, 0, ...octets.slice(at, at + value));
      else octets = octets.slice(0, Math.max(at, 10));
    }
    return Uint8Array.from(octets);
  });

describe("parseSitemap() gives the same items however the octets are cut, and ends without throwing, on", () => {
  async function holds(bytes: Uint8Array, sizes: number[]): Promise<void> {
    expect(await read(streamOf(bytes, sizes))).toEqual(await read(bytes));
  }

  it("any octets", async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), cuts, holds), { numRuns: 200 });
  });

  it("any markup", async () => {
    const property = fc.asyncProperty(markup, cuts, async (parts, sizes) => {
      await holds(new TextEncoder().encode(parts.join("")), sizes);
    });
    await fc.assert(property, { numRuns: 250 });
  });

  it("any markup in a sitemap, which it leaves to go on behind", async () => {
    const property = fc.asyncProperty(markup, cuts, async (parts, sizes) => {
      const text = `<urlset><url><loc>/first</loc></url>${parts.join("")}`;
      await holds(new TextEncoder().encode(text), sizes);
      const items = await read(new TextEncoder().encode(text));
      expect(items[1]).toMatchObject({ type: "url", url: "https://site.test/first" });
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it("files that are damaged", async () => {
    await fc.assert(fc.asyncProperty(mutated, cuts, holds), { numRuns: 250 });
  });

  it("files that are damaged, then packed, then cut", async () => {
    const property = fc.asyncProperty(mutated, cuts, fc.nat({ max: 40 }), async (bytes, sizes, missing) => {
      const packed = new Uint8Array(gzipSync(bytes));
      await holds(packed.subarray(0, packed.length - missing), sizes);
    });
    await fc.assert(property, { numRuns: 200 });
  });
});

describe("parseSitemap() counts the same however the octets are cut", () => {
  it.each([65_000, 65_535, 65_536, 65_537, 140_000])("in a tag of %i characters", async (length) => {
    for (const filler of ["x", " a='b'", '"']) {
      const tag = `<x ${filler.repeat(length)}`.slice(0, length - 1);
      const bytes = new TextEncoder().encode(
        `<urlset><url>${tag}><loc>/a</loc></url><url><loc>/b</loc></url>`,
      );
      const whole = await read(bytes);
      for (const size of [1000, 4096, 65_536]) expect(await read(streamOf(bytes, [size]))).toEqual(whole);
      expect(whole.at(-2)).toMatchObject({ url: "https://site.test/b" });
    }
  });
});
