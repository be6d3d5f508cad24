import { describe, expect, it } from "vitest";
import { parseSitemap, type SitemapItem } from "../../src/web/sitemap.ts";

async function read(body: Uint8Array | ReadableStream<Uint8Array>): Promise<SitemapItem[]> {
  const items: SitemapItem[] = [];
  for await (const item of parseSitemap(body, "https://site.test/sitemap.xml")) items.push(item);
  return items;
}

function octetByOctet(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, ++at));
      else controller.close();
    },
  });
}

describe("parseSitemap() takes time in proportion to the file on", () => {
  // Each would take minutes at the square of its length; the test's own time limit is what fails.
  it.each([
    ["<", "<"],
    ["tags that do not end", "<a "],
    ["end tags that do not end", "</a"],
    ["quotes that do not end", '<a b="'],
    ["open tags", "<a>"],
    ["open entries", "<url>"],
    ["end tags", "</a>"],
    ["comments that do not end", "<!--"],
    ["CDATA that does not end", "<![CDATA["],
    ["ends of CDATA", "]]"],
    ["declarations", "<!DOCTYPE a ["],
    ["instructions", "<?a "],
    ["references", "&amp"],
    ["attributes", " a=b"],
    ["line ends", "\n"],
    ["white space", "   "],
  ])("a quarter of a megabyte of %s", async (_, part) => {
    const text = part.repeat(250_000 / part.length);
    for (const start of [
      "",
      "<urlset>",
      "<urlset><url><loc>",
      "<urlset><url><loc a='",
      "<!DOCTYPE a [",
      "x",
    ]) {
      const items = await read(new TextEncoder().encode(start + text));
      expect(items.length).toBeGreaterThan(0);
    }
  });

  it("a file that comes octet by octet", async () => {
    const text = `<urlset><url><loc>/${"a".repeat(50_000)}</loc></url><x ${"b".repeat(30_000)}/>`;
    expect(await read(octetByOctet(new TextEncoder().encode(text)))).toHaveLength(3);
  });
});
