import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  parseSitemap,
  type SitemapBody,
  type SitemapItem,
  type SitemapOptions,
} from "../../src/web/sitemap.ts";

const URL_HERE = "https://site.test/sitemap.xml";
const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

async function read(
  body: SitemapBody,
  options?: SitemapOptions,
  url: string = URL_HERE,
): Promise<SitemapItem[]> {
  const items: SitemapItem[] = [];
  for await (const item of parseSitemap(body, url, options)) items.push(item);
  return items;
}

function urlsOf(items: SitemapItem[]): string[] {
  return items.flatMap((item) => (item.type === "url" || item.type === "sitemap" ? item.url : []));
}

function problemsOf(items: SitemapItem[]): string[] {
  return items.flatMap((item) => (item.type === "problem" ? item.message : []));
}

function urlset(content: string, attributes = `xmlns="${NAMESPACE}"`): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${attributes}>${content}</urlset>`;
}

function streamOf(...chunks: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
    },
  });
}

describe("parseSitemap()", () => {
  it("reads a urlset with dates, alternates and images", async () => {
    const items = await read(
      urlset(
        `<url><loc>https://site.test/a?x=1&amp;y=2</loc><lastmod>2024-01-02</lastmod><priority>0.5</priority>
        <xhtml:link rel="alternate" hreflang="de" href="/de/a?x=1&amp;y=2"/>
        <xhtml:link rel="alternate" media="only screen" href="https://m.site.test/a"/>
        <xhtml:link rel="stylesheet" href="/style.css"/>
        <i:image><i:loc> https://cdn.test/1.png </i:loc></i:image><i:image><i:loc/></i:image></url>`,
        `xmlns="${NAMESPACE}" xmlns:xhtml="http://www.w3.org/1999/xhtml"
        xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"`,
      ),
    );
    expect(items).toEqual([
      { type: "format", format: "urlset" },
      {
        type: "url",
        url: "https://site.test/a?x=1&y=2",
        lastModified: new Date("2024-01-02T00:00:00Z"),
        alternates: [
          { url: "https://site.test/de/a?x=1&y=2", hreflang: "de" },
          { url: "https://m.site.test/a", media: "only screen" },
        ],
        images: ["https://cdn.test/1.png"],
      },
    ]);
  });

  it("reads an index", async () => {
    const items = await read(
      `<sitemapindex xmlns="${NAMESPACE}"><sitemap><loc>/1.xml.gz</loc><lastmod>2024-01-02T03:04:05+01:00</lastmod>
      </sitemap><sitemap><loc>https://other.test/2.xml</loc></sitemap></sitemapindex>`,
    );
    expect(items).toEqual([
      { type: "format", format: "index" },
      { type: "sitemap", url: "https://site.test/1.xml.gz", lastModified: new Date("2024-01-02T02:04:05Z") },
      { type: "sitemap", url: "https://other.test/2.xml" },
    ]);
  });

  it("reads RSS: the link, else the guid, and the later of its dates", async () => {
    const items = await read(
      `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/">
      <channel><title>T</title><link>https://site.test/</link><atom:link rel="self" href="https://site.test/feed"/>
      <image><url>https://site.test/logo.png</url><link>https://site.test/</link></image>
      <item><title>A &amp; B</title><link>https://site.test/a</link><pubDate>Tue, 02 Jan 2024 03:04:05 EST</pubDate>
      <content:encoded><![CDATA[<p><item><link>https://site.test/no</link></p>]]></content:encoded></item>
      <item><atom:link href="https://site.test/no"/><guid>https://site.test/b</guid></item></channel></rss>`,
    );
    expect(items).toEqual([
      { type: "format", format: "rss" },
      {
        type: "url",
        url: "https://site.test/a",
        lastModified: new Date("2024-01-02T08:04:05Z"),
        alternates: [],
        images: [],
      },
      { type: "url", url: "https://site.test/b", alternates: [], images: [] },
    ]);
  });

  it("reads RSS 1.0 and its Dublin Core date", async () => {
    const items = await read(
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><link>https://site.test/</link></channel>
      <item rdf:about="https://site.test/a"><dc:date>2024-01-02</dc:date></item></rdf:RDF>`,
    );
    expect(items[1]).toMatchObject({
      url: "https://site.test/a",
      lastModified: new Date("2024-01-02T00:00:00Z"),
    });
  });

  it("reads Atom: the alternate link, by xml:base", async () => {
    const items = await read(
      `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://base.test/blog/"><link href="https://site.test/"/>
      <entry><link rel="self" href="no"/><link rel="alternate" href="a"/><updated>2024-01-02T00:00:00Z</updated>
      <published>2020-01-01T00:00:00Z</published><source><link href="no"/></source></entry>
      <entry xml:base="sub/"><link href="b"/></entry></feed>`,
    );
    expect(urlsOf(items)).toEqual(["https://base.test/blog/a", "https://base.test/blog/sub/b"]);
    expect(items[1]).toMatchObject({ lastModified: new Date("2024-01-02T00:00:00Z") });
  });

  it("reads plain text with any line ends and without a last one", async () => {
    const items = await read(
      "\ufeffhttps://site.test/1\r\nHTTPS://site.test/2\rhttps://site.test/3?a&amp;b\n\n\nhttps://site.test/4",
    );
    expect(items[0]).toEqual({ type: "format", format: "text" });
    expect(urlsOf(items)).toEqual([
      "https://site.test/1",
      "https://site.test/2",
      "https://site.test/3?a&amp;b",
      "https://site.test/4",
    ]);
  });

  it("tells an HTML page, JSON, an empty file and any other document as a problem, and gives no entry", async () => {
    for (const body of [
      "<!DOCTYPE html><title>Not found</title><url><loc>https://site.test/</loc></url>",
      "<!-- x --><HTML><url><loc>https://site.test/</loc></url></HTML>",
      `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body/></html>`,
      "<Error><Code>AccessDenied</Code></Error>",
      '["https://site.test/"]',
      "Not found",
      "",
      " \n",
      new Uint8Array(0),
    ]) {
      const items = await read(body);
      expect(problemsOf(items).length, String(body)).toBeGreaterThan(0);
      expect(items.filter((item) => item.type !== "problem")).toEqual([]);
    }
  });

  it("keeps to the entry's own namespace, declared or not, by whatever prefix", async () => {
    const foreign = `<url><loc>/a</loc></url><x:url><x:loc>/no</x:loc></x:url>`;
    expect(urlsOf(await read(urlset(foreign, `xmlns="${NAMESPACE}" xmlns:x="https://x.test/"`)))).toEqual([
      "https://site.test/a",
    ]);
    for (const document of [
      urlset(`<url><loc>/a</loc></url>`, ""),
      urlset(`<url xmlns="${NAMESPACE}"><loc>/a</loc></url>`, ""),
      urlset(`<url xmlns=""><loc>/a</loc></url>`),
      urlset(`<url><loc xmlns="">/a</loc></url>`),
      urlset(`<url><loc>/a</loc></url>`, `xmlns="https://www.google.com/schemas/sitemap/0.84"`),
      urlset(`<URL><LOC>/a</LOC></URL>`),
      urlset(`<s:url><s:loc>/a</s:loc></s:url>`, `xmlns="${NAMESPACE}" xmlns:s="${NAMESPACE}"`),
      urlset(`<url><image:loc>/no</image:loc><loc>/a</loc></url>`),
    ]) {
      expect(urlsOf(await read(document)), document).toEqual(["https://site.test/a"]);
    }
  });

  it("decodes references once, and HTML's names not at all", async () => {
    const loc = "/?a=1&amp;b=2&#38;c&#x26;amp;d&amp;lt;&eacute;&#0;&#xD800;&unknown;&quot;&apos;";
    expect(urlsOf(await read(urlset(`<url><loc>${loc}</loc></url>`)))).toEqual([
      new URL(`/?a=1&b=2&c&amp;d&lt;&eacute;&#0;&#xD800;&unknown;"'`, URL_HERE).href,
    ]);
  });

  it("drops what is no address to crawl and tells it", async () => {
    const locs = ["", " ", "javascript:alert(1)", "mailto:a@b.test", "https://", "https://site.test/\u0001"];
    const items = await read(urlset(locs.map((loc) => `<url><loc>${loc}</loc></url>`).join("")));
    expect(urlsOf(items)).toEqual([]);
    expect(problemsOf(items)).toHaveLength(locs.length);
  });

  it("reads a document that begins under a warning of the server's", async () => {
    const items = await read(`Warning: date() in /a.php\n${urlset("<url><loc>/a</loc></url>")}`);
    expect(urlsOf(items)).toEqual(["https://site.test/a"]);
    expect(problemsOf(items)).toEqual(["text before the beginning"]);
  });

  it("gives at most a hundred problems", async () => {
    const items = await read(urlset(`${"<url/>".repeat(150)}<url><loc>/a</loc></url>`));
    expect(problemsOf(items)).toHaveLength(100);
    expect(urlsOf(items)).toEqual(["https://site.test/a"]);
  });

  it("throws at once at what the caller has wrong", () => {
    expect(() => parseSitemap("", "/sitemap.xml")).toThrow(TypeError);
    expect(() => parseSitemap("", URL_HERE, { maxBytes: 0 })).toThrow(RangeError);
    expect(() => parseSitemap("", URL_HERE, { maxEntries: Number.NaN })).toThrow(
      /'maxEntries' must be at least 1: received NaN/,
    );
    expect(() => parseSitemap(null as unknown as string, URL_HERE)).toThrow(/'body'/);
  });
});

describe("parseSitemap() on a stream", () => {
  const ENTRY = "<url><loc>https://site.test/a</loc></url>";

  it("gives an entry before the file is in", async () => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(given) {
        controller = given;
      },
    });
    const items = parseSitemap(body, URL_HERE);
    controller?.enqueue(new TextEncoder().encode(`<urlset>${ENTRY}<url>`));
    expect((await items.next()).value).toEqual({ type: "format", format: "urlset" });
    expect((await items.next()).value).toMatchObject({ url: "https://site.test/a" });
    await items.return?.();
  });

  it("is cancelled by break", async () => {
    const reasons: unknown[] = [];
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(`<urlset>${ENTRY.repeat(10)}`)),
      cancel: (reason) => void reasons.push(reason),
    });
    for await (const item of parseSitemap(body, URL_HERE)) if (item.type === "url") break;
    expect(reasons).toHaveLength(1);
    expect(body.locked).toBe(false);
  });

  it("is cancelled by return() at once, though a read is under way", async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      cancel() {
        isCancelled = true;
      },
    });
    const items = parseSitemap(body, URL_HERE);
    const pending = items.next();
    await items.return?.();
    expect(isCancelled).toBe(true);
    expect(await pending).toEqual({ done: true, value: undefined });
  });

  it("is cancelled where the rest does not matter", async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("<!DOCTYPE html><html><p>")),
      cancel() {
        isCancelled = true;
      },
    });
    expect(problemsOf(await read(body))).toEqual(["an HTML page, no sitemap"]);
    expect(isCancelled).toBe(true);
  });

  it("that breaks off keeps what came and tells the cause", async () => {
    let isFirst = true;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (!isFirst) return controller.error(new Error("socket hang up"));
        isFirst = false;
        controller.enqueue(new TextEncoder().encode(`<urlset>${ENTRY}`));
      },
    });
    const items = await read(body);
    expect(urlsOf(items)).toEqual(["https://site.test/a"]);
    expect(problemsOf(items)[0]).toBe("the transfer broke off: socket hang up");
  });

  it("that is locked rejects with a TypeError", async () => {
    const body = streamOf("");
    body.getReader();
    await expect(read(body)).rejects.toThrow(TypeError);
  });
});

describe("parseSitemap() within its bounds", () => {
  it("stops at maxEntries and tells it", async () => {
    const items = await read(urlset("<url><loc>/a</loc></url>".repeat(5)), { maxEntries: 3 });
    expect(urlsOf(items)).toHaveLength(3);
    expect(problemsOf(items)).toEqual(["more than 3 entries: the rest is left out"]);
    expect(problemsOf(await read(urlset("<url><loc>/a</loc></url>".repeat(3)), { maxEntries: 3 }))).toEqual(
      [],
    );
  });

  it("stops at maxBytes, packed or not, and keeps what came before", async () => {
    const text = urlset("<url><loc>/a</loc></url>".repeat(1000));
    const bytes = new TextEncoder().encode(text);
    for (const body of [text, bytes, new Uint8Array(gzipSync(bytes))]) {
      const items = await read(body, { maxBytes: 5000 });
      expect(urlsOf(items).length).toBeGreaterThan(150);
      expect(urlsOf(items).length).toBeLessThan(210);
      expect(problemsOf(items)[0]).toMatch(/^larger than 5000 /);
      expect(problemsOf(await read(body, { maxBytes: bytes.length }))).toEqual([]);
    }
  });

  it("unpacks no more of a gzip bomb than that", async () => {
    const bomb = new Uint8Array(gzipSync(new Uint8Array(20_000_000)));
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const chunk = bomb.slice(pulls * 100, ++pulls * 100);
          if (chunk.length === 0) controller.close();
          else controller.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
    expect(problemsOf(await read(body, { maxBytes: 1_000_000 }))[0]).toMatch(/^larger than 1000000 bytes/);
    expect(pulls).toBeLessThan(30);
  });

  it("leaves entity bombs unexpanded and external entities unread", async () => {
    const levels = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
      "\n",
    );
    const items = await read(
      `<?xml version="1.0"?><!DOCTYPE urlset [ <!-- it's "]>" --> <?pi ]> ?> <!ENTITY l0 "lol]>">${levels}
      <!ENTITY x SYSTEM "file:///etc/passwd"> ]><urlset><url><loc>/&l9;</loc></url><url><loc>/&x;</loc></url></urlset>`,
    );
    expect(urlsOf(items)).toEqual(["https://site.test/&l9;", "https://site.test/&x;"]);
  });

  it("passes over the document type and other declarations, with a comment at the end of its subset", async () => {
    const items = await read(
      `<!DOCTYPE urlset [<!-- ' -->]><!ELEMENT a "]>"><urlset><url><loc>/a</loc></url></urlset>`,
    );
    expect(urlsOf(items)).toEqual(["https://site.test/a"]);
    expect(problemsOf(items)).toEqual([]);
  });

  it("is not harmed by names out of Object.prototype", async () => {
    const names = ["__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "__defineGetter__"];
    for (const name of names) {
      const items = await read(
        urlset(`<url ${name}="1"><${name}><loc>/no</loc></${name}><${name}/><loc>/a</loc></url>`),
      );
      expect(urlsOf(items), name).toEqual(["https://site.test/a"]);
      expect(problemsOf(items), name).toEqual([]);
    }
    expect(({} as Record<string, unknown>).loc).toBeUndefined();
  });

  it("leaves out an entry or a line that is too large, and goes on behind it", async () => {
    const large = "x".repeat(2_000_000);
    const xml = await read(urlset(`<url><loc>/${large}</loc></url><url><loc>/a</loc></url>`));
    const text = await read(`https://site.test/${large}\nhttps://site.test/a`);
    for (const items of [xml, text]) {
      expect(urlsOf(items)).toEqual(["https://site.test/a"]);
      expect(problemsOf(items)).toHaveLength(1);
    }
  });

  it("leaves out what is nested too deeply", async () => {
    const items = await read(
      urlset(
        `<url><loc>/a</loc>${"<x>".repeat(10_000)}${"</x>".repeat(10_000)}</url><url><loc>/b</loc></url>`,
      ),
    );
    expect(urlsOf(items)).toEqual(["https://site.test/a", "https://site.test/b"]);
  });
});

describe("parseSitemap() on damage", () => {
  const A = "<url><loc>/a</loc></url>";
  const B = "<url><loc>/b</loc></url>";

  it.each([
    ["an element that is not closed", `<url><loc>/x</url>${B}`, ["/x", "/b"]],
    ["an end tag that opens instead", `<url><loc>/x<loc></url>${B}`, ["/x", "/b"]],
    ["an entry that is not closed", `<url><loc>/x</loc>${B}`, ["/x", "/b"]],
    ["an end tag without a start", `<url></x><loc>/x</loc></y></url>${B}`, ["/x", "/b"]],
    ["tags that overlap", `<url><x><loc>/x</x></loc><lastmod/></url>${B}`, ["/b"]],
    ["a stray <", `<url><loc>/?1<2</loc></url>${B}`, ["/?1%3C2", "/b"]],
    ["a tag that never ends", `<url><loc>/x</loc><news:title</url>${B}`, ["/x", "/b"]],
    ["a quote that is not closed", `<url><loc a="x>/x</loc></url>${B}`, ["/b"]],
    ["a stray < between entries", `< <1 <! </ > ${B}`, ["/b"]],
    ["a mark in an attribute", `<url><loc>/x</loc><x a="1<2"/></url>${B}`, ["/x", "/b"]],
  ])("keeps the other entries beside %s", async (_, damage, paths) => {
    const items = await read(urlset(A + damage));
    expect(urlsOf(items)).toEqual(["/a", ...paths].map((path) => `https://site.test${path}`));
    expect(problemsOf(items).length).toBeGreaterThan(0);
  });

  it("keeps every entry before a cut, wherever it is, and tells it", async () => {
    const document = urlset(`${A}<!-- <url> --><url><loc><![CDATA[/b]]></loc><x y="z"/></url>${A}`);
    const starts = [...document.matchAll(/<\/url>/g)].map((match) => match.index + match[0].length);
    for (let cut = document.indexOf("<urlset"); cut < document.length; cut++) {
      const items = await read(document.slice(0, cut));
      const whole = starts.filter((start) => start <= cut).length;
      expect(urlsOf(items).length).toBeGreaterThanOrEqual(whole);
      expect(urlsOf(items)).toEqual(
        ["/a", "/b", "/a"].map((path) => `https://site.test${path}`).slice(0, urlsOf(items).length),
      );
      expect(problemsOf(items).length, document.slice(0, cut)).toBeGreaterThan(0);
    }
  });

  it("takes from an entry that is cut only what is whole", async () => {
    expect(urlsOf(await read("<urlset><url><loc>/a</loc><lastmod>2024"))).toEqual(["https://site.test/a"]);
    expect(urlsOf(await read("<urlset><url><loc>/a<![CDATA[b]]>"))).toEqual([]);
  });

  it("reads on in a document that follows another", async () => {
    const items = await read(urlset(A) + urlset(B));
    expect(urlsOf(items)).toEqual(["https://site.test/a", "https://site.test/b"]);
    expect(items.filter((item) => item.type === "format")).toHaveLength(1);
    expect(problemsOf(items)).toEqual(["another <urlset> after the end of the first"]);
  });
});

describe("parseSitemap() on the cases", () => {
  it("s-14: knows gzip by its content, whatever the name", async () => {
    const xml = new TextEncoder().encode(urlset("<url><loc>/a</loc></url>"));
    const packed = new Uint8Array(gzipSync(xml));
    const twice = new Uint8Array(gzipSync(packed));
    for (const body of [xml, packed, twice]) {
      const items = await read(body, { contentType: "application/xml" }, "https://site.test/sitemap.xml.gz");
      expect(urlsOf(items)).toEqual(["https://site.test/a"]);
      expect(problemsOf(items)).toEqual([]);
    }
  });

  it("s-15: gives each entry of an index that lists itself, for the crawl to count each document once", async () => {
    const locs = ["index.xml", "index.xml#2", "part.xml", "part.xml"];
    const index = `<sitemapindex>${locs.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join("")}</sitemapindex>`;
    expect(urlsOf(await read(index, {}, "https://site.test/index.xml"))).toEqual(
      locs.map((loc) => `https://site.test/${loc}`),
    );
  });

  it("s-16: reads what is not well-formed, and tells that it is not", async () => {
    const locs = ["http://127.0.0.1:8080/a?x=1&y=2", "", "/rel", "http://127.0.0.1:8080/last"];
    const entries = locs.map((loc) => `<url><loc>${loc}</loc></url>`).join("\n");
    const items = await read(
      `\n<?xml version="1.0"?>\n<urlset xmlns="${NAMESPACE}">${entries}`,
      {},
      "http://127.0.0.1:8080/sitemap.xml",
    );
    expect(urlsOf(items)).toEqual([
      "http://127.0.0.1:8080/a?x=1&y=2",
      "http://127.0.0.1:8080/rel",
      "http://127.0.0.1:8080/last",
    ]);
    expect(problemsOf(items)).toEqual(["<url> without an address", "the file ends before </urlset>"]);
  });
});
