import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type DefaultTreeAdapterMap, parse } from "parse5";
import { describe, expect, it } from "vitest";
import { extractLinks, type LinkOptions, readHtml, skimHtml } from "../../src/web/links.ts";
import { urlResolver } from "../../src/web/url.ts";
import { charactersRead } from "./counted_work.ts";
import { HOSTILE_HTML } from "./hostile_html.ts";
import { nastyHtml } from "./nasty_html.ts";

const PAGE = "http://site.test/dir/page.html";

function links(html: string, options?: LinkOptions): [kind: string, url: string][] {
  return extractLinks(html, PAGE, options).links.map(({ kind, url }) => [kind, url]);
}

function urls(html: string, url = PAGE): string[] {
  return extractLinks(html, url).links.map((link) => link.url);
}

function texts(html: string): string[] {
  return extractLinks(html, PAGE).links.map(({ text }) => text);
}

describe("extractLinks()", () => {
  it("gives a link's URL, its href, kind, rel and text", () => {
    const html = '<a href="a?x&amp;y#z" rel="Next  NOFOLLOW next">The <b>next</b>\n one</a>';
    expect(extractLinks(html, PAGE)).toEqual({
      base: PAGE,
      links: [
        {
          url: "http://site.test/dir/a?x&y#z",
          href: "a?x&y#z",
          kind: "a",
          rel: ["next", "nofollow"],
          text: "The next one",
        },
      ],
    });
  });

  it("finds each kind, in the order of the source", () => {
    const html =
      "<link rel=canonical href=c><link rel='alternate prev' href=p><meta http-equiv=refresh content='0;url=r'>" +
      "<a href=a></a><map><area href=m alt=' the  map '></map><iframe src=i></iframe>" +
      "<svg><a href=s></a><a xlink:href=x></a><a xlink:href=no href=h></a></svg>";
    expect(links(html)).toEqual([
      ["link", "http://site.test/dir/c"],
      ["link", "http://site.test/dir/p"],
      ["refresh", "http://site.test/dir/r"],
      ["a", "http://site.test/dir/a"],
      ["area", "http://site.test/dir/m"],
      ["iframe", "http://site.test/dir/i"],
      ["svg", "http://site.test/dir/s"],
      ["svg", "http://site.test/dir/x"],
      ["svg", "http://site.test/dir/h"],
    ]);
    expect(texts(html)[4]).toBe("the map");
    expect(links("<frameset><frame src=f><frame></frameset>")).toEqual([["frame", "http://site.test/dir/f"]]);
  });

  it("leaves out what is no link of the document", () => {
    for (const html of [
      "<!--<a href=x>-->",
      "<script>'<a href=x>'</script>",
      "<style><a href=x></style>",
      "<template><a href=x></a><template></template><a href=x></template>",
      "<iframe><a href=x></iframe>",
      "<noframes><a href=x></noframes>",
      "<textarea><a href=x></textarea>",
      "<title><a href=x></title>",
      "<plaintext><a href=x>",
      "<a>x</a><a name=x><a xlink:href=x><link rel=canonical><link href=x><link rel=stylesheet href=x>",
      "<link rel=canonical href=''><iframe src=''></iframe>",
      "<link rel='alternate stylesheet' href=x><link rel=icon href=x>",
      "<frame src=x>",
      "<svg><link rel=next href=x><iframe src=x><area href=x></svg>",
      "<math><a href=x></math>",
      "<a href=x",
      "<frameset><a href=x></frameset>",
      "<img src=x srcset=x><script src=x></script><embed src=x>",
    ]) {
      expect([html, links(html)]).toEqual([html, []]);
    }
  });

  it("counts noscript and select in", () => {
    expect(links("<noscript><a href=x></a></noscript><select><option><a href=y>").length).toBe(2);
  });

  it("forgets what a frameset takes the place of", () => {
    const html =
      "<head><title>t</title><link rel=next href=n></head><a href=x></a><frameset><frame src=f></frameset>";
    expect(links(html).map(([kind]) => kind)).toEqual(["link", "frame"]);
    // One that comes after text is none.
    expect(links("<a href=x>text</a><frameset><frame src=f></frameset>").map(([kind]) => kind)).toEqual([
      "a",
    ]);
  });

  it("takes white space off a URL and out of it, as the URL standard does", () => {
    // s-01: gluing the text to the page's URL gives links that never end.
    const html =
      '<a href=" /shop/one "></a><a href="\n\thttp://127.0.0.1:8080/shop/two\n"></a><a href="th\nree\t"></a>';
    expect(urls(html, "http://127.0.0.1:8080/shop/list?page=2")).toEqual([
      "http://127.0.0.1:8080/shop/one",
      "http://127.0.0.1:8080/shop/two",
      "http://127.0.0.1:8080/shop/three",
    ]);
  });

  it("keeps fragments, hash routes among them", () => {
    // s-06: four links, one resource.
    const html = ["#intro", "#/orders/7", "#!/blog/1", "#:~:text=x"]
      .map((href) => `<a href="/app${href}">`)
      .join("");
    expect(urls(html, "http://site.test/app")).toEqual([
      "http://site.test/app#intro",
      "http://site.test/app#/orders/7",
      "http://site.test/app#!/blog/1",
      "http://site.test/app#:~:text=x",
    ]);
  });

  it("takes an empty href for the page itself", () => {
    expect(urls("<a href>1</a><a href=''>2</a>")).toEqual([PAGE, PAGE]);
  });

  it("leaves out a URL that does not parse, which readHtml() has", () => {
    const html = "<a href='http://[x'>bad</a><a href=y>good</a>";
    expect(urls(html)).toEqual(["http://site.test/dir/y"]);
    expect(readHtml(html, PAGE).invalidLinks).toEqual([
      { url: "", href: "http://[x", kind: "a", rel: [], text: "bad" },
    ]);
  });

  it("resolves nothing but absolute links where the page has no URL", () => {
    expect(urls("<a href=x></a><a href=http://a.test/b></a>", "")).toEqual(["http://a.test/b"]);
  });

  it("takes a URL object", () => {
    expect(extractLinks("<a href=x>", new URL(PAGE)).links[0]?.url).toBe("http://site.test/dir/x");
  });

  describe("base", () => {
    it("is the first one with an href, resolved against the page", () => {
      // s-07
      const html = '<head><base href="/"></head> <a href="moon"></a><a href="../sun"></a><a href="?d=1"></a>';
      expect(urls(html, "http://site.test/sky/today/")).toEqual([
        "http://site.test/moon",
        "http://site.test/sun",
        "http://site.test/?d=1",
      ]);
      expect(extractLinks("<base target=x><base href='../b/'><base href=/c/>", PAGE).base).toBe(
        "http://site.test/b/",
      );
    });

    it("counts for what came before it, and from the body too", () => {
      expect(urls("<a href=x></a><p><base href=//b.test/>")).toEqual(["http://b.test/x"]);
    });

    it.each(["data:text/html,x", "javascript:x", "http://[x", ""])(
      "is the page where the first says %j",
      (href) => {
        expect(extractLinks(`<base href="${href}"><base href="/c/">`, PAGE).base).toBe(PAGE);
      },
    );

    it("is none in a template, a comment, an SVG image", () => {
      for (const html of [
        "<template><base href=/x></template>",
        "<!--<base href=/x>-->",
        "<svg><base href=/x></svg>",
      ]) {
        expect(extractLinks(html, PAGE).base).toBe(PAGE);
      }
    });

    it("is the page's URL as the URL standard writes it", () => {
      expect(extractLinks("", "HTTP://Site.test").base).toBe("http://site.test/");
    });
  });

  describe("text", () => {
    it("has its references decoded, its white space collapsed and blocks apart", () => {
      expect(texts("<a href=x>\n caf&eacute;\t<i> au</i> lait </a>")).toEqual(["café au lait"]);
      expect(texts("<a href=x><div>Title</div><div>Words</div></a><a href=x>a<br>b<b>c</b></a>")).toEqual([
        "Title Words",
        "a bc",
      ]);
    });

    it("has nothing of scripts and comments", () => {
      expect(texts("<a href=x>a<!--b--><script>c</script><style>d</style>e</a>")).toEqual(["ae"]);
    });

    it("ends at the link's end, at the next link, at the end of the page", () => {
      expect(texts("<a href=x>1</a>no<a href=x>2<a>no</a><a href=x>3<a href=x>4")).toEqual([
        "1",
        "2",
        "3",
        "4",
      ]);
      expect(texts("<svg><a href=x><text>5</text></a>no</svg>")).toEqual(["5"]);
    });

    it("is cut at 500 characters, white space collapsed, and no character in two", () => {
      expect(texts(`<a href=x>${"word ".repeat(1_000)}</a>`)[0]?.length).toBe(500);
      expect(texts(`<a href=x>a${" ".repeat(5_000)}b<i>${"\n".repeat(5_000)}</i>c</a>`)).toEqual(["a b c"]);
      const cut = texts(`<a href=x>${"a".repeat(499)}\u{1F577}</a>`)[0] as string;
      expect(cut).toBe("a".repeat(499));
    });

    it("of links after a long one is whole", () => {
      expect(texts(`<a href=x>${"word ".repeat(1_000)}</a><a href=y>next</a>`)[1]).toBe("next");
    });
  });

  describe("refresh", () => {
    it("is the first that holds", () => {
      const html = ["x", "1;url=http://[x", "1;url=javascript:x", "1;url=a", "0;url=b"]
        .map((content) => `<meta http-equiv=Refresh content="${content}">`)
        .join("");
      expect(links(html)).toEqual([["refresh", "http://site.test/dir/a"]]);
      expect(readHtml(html, PAGE).refresh).toEqual({ url: "http://site.test/dir/a", delayMs: 1_000 });
    });

    it("is no link where it only loads the page again", () => {
      const reading = readHtml("<meta http-equiv=refresh content=30>", PAGE);
      expect([reading.links, reading.refresh]).toEqual([[], { url: PAGE, delayMs: 30_000 }]);
    });
  });

  it("gives the parts of a page where they are asked for", () => {
    const html =
      "<link rel='stylesheet preload' href=c.css><link rel='shortcut icon' href=i><script src=s></script>" +
      "<img src=1 srcset='2 1x, 3 2x' alt=one><picture><source src=4 srcset=5></picture><video src=6 poster=7>" +
      "<track src=8></video><audio src=9></audio><embed src=10><object data=11></object><input type=IMAGE src=12>" +
      "<input src=no><img src=''><svg><script src=no></script></svg>";
    expect(
      extractLinks(html, PAGE, { assets: true }).links.map(({ kind, href }) => `${kind} ${href}`),
    ).toEqual([
      "style c.css",
      "icon i",
      "script s",
      "img 1",
      "srcset 2",
      "srcset 3",
      "source 4",
      "source 5",
      "img 7",
      "media 6",
      "media 8",
      "media 9",
      "embed 10",
      "embed 11",
      "img 12",
    ]);
  });
});

describe("readHtml()", () => {
  it("gives the first title, white space stripped and collapsed", () => {
    const title = (html: string): string | undefined => readHtml(html, PAGE).title;
    expect(title("<title>\n A &amp;\t<b>B </title><title>C</title>")).toBe("A & <b>B");
    expect(title("<title></title><title>C</title>")).toBe("");
    expect(title("<svg><title>S</title></svg><template><title>T</title></template><p><title>P</title>")).toBe(
      "P",
    );
    expect(title("<p>")).toBeUndefined();
    expect(title("<title>never closed <a href=x>")).toBe("never closed <a href=x>");
    expect(title("<a href=x><title>T</title>text</a>")).toBe("T");
  });

  it("gives named metas with their names in lower case", () => {
    const html =
      "<META NAME=' Robots ' CONTENT='NoIndex'><meta name=x><meta property=p content=c><body><meta name=y content>";
    expect(readHtml(html, PAGE).metas).toEqual([
      { name: "robots", content: "NoIndex" },
      { name: "y", content: "" },
    ]);
  });
});

type ChildNode = DefaultTreeAdapterMap["childNode"];
type ParentNode = DefaultTreeAdapterMap["parentNode"];
type Element = DefaultTreeAdapterMap["element"];

const HTML = "http://www.w3.org/1999/xhtml";
const SVG = "http://www.w3.org/2000/svg";

function elementsOf(html: string): Element[] {
  const found: Element[] = [];
  const visit = (node: ChildNode | ParentNode): void => {
    if ("tagName" in node) found.push(node);
    if ("childNodes" in node) for (const child of node.childNodes) visit(child);
  };
  visit(parse(html, { scriptingEnabled: false }));
  return found;
}

function attribute(element: Element, name: string, prefix?: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name && (attr.prefix ?? "") === (prefix ?? ""))?.value;
}

function textOf(node: ChildNode): string {
  if ("value" in node) return node.value;
  const isHidden =
    "tagName" in node && /^(?:script|style|title|textarea|xmp|iframe|noembed|noframes)$/.test(node.tagName);
  return !isHidden && "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}

/** What a tree says the links are, with all their white space taken out of their texts. */
function linksOfTree(html: string): {
  base: string;
  links: { link: string; text: string }[];
  titles: string[];
} {
  const elements = elementsOf(html);
  const ofHtml = elements.filter(({ namespaceURI }) => namespaceURI === HTML);
  const againstPage = urlResolver(PAGE);
  const baseHref = ofHtml.find(
    (element) => element.tagName === "base" && attribute(element, "href") !== undefined,
  );
  const base = (baseHref && againstPage(attribute(baseHref, "href") as string)) ?? PAGE;
  const absolute = urlResolver(base);
  const found: { link: string; text: string }[] = [];
  for (const element of elements) {
    const { tagName, namespaceURI } = element;
    let href: string | undefined;
    if (namespaceURI === HTML) {
      const rel = attribute(element, "rel")?.toLowerCase().split(/\s+/) ?? [];
      if (tagName === "a" || tagName === "area") href = attribute(element, "href");
      else if (tagName === "iframe" || tagName === "frame") href = attribute(element, "src") || undefined;
      else if (tagName === "link" && isNavigation(rel)) href = attribute(element, "href") || undefined;
    } else if (namespaceURI === SVG && tagName === "a") {
      href = attribute(element, "href") ?? attribute(element, "href", "xlink");
    }
    const url = href === undefined ? undefined : absolute(href);
    const kind = namespaceURI === SVG ? "svg" : tagName;
    if (url !== undefined)
      found.push({ link: `${kind} ${url}`, text: kind === "a" ? squeezed(textOf(element)) : "" });
  }
  const titles = ofHtml
    .filter(({ tagName }) => tagName === "title")
    .map((title) => title.childNodes.map((child) => ("value" in child ? child.value : "")).join(""));
  return { base, links: found, titles };
}

function isNavigation(rel: string[]): boolean {
  return (
    !rel.includes("stylesheet") &&
    ["next", "prev", "canonical", "alternate"].some((token) => rel.includes(token))
  );
}

/** Without white space, of which a link's text has some more between blocks. */
function squeezed(text: string): string {
  return text.replace(/[\t\n\f\r ]/g, "");
}

describe("skimHtml()", () => {
  it("finds what readHtml() finds, but for the texts of links, whatever the document", () => {
    fc.assert(
      fc.property(nastyHtml(20), (html) => {
        const skimmed = skimHtml(html, PAGE);
        const { base, title, metas, refresh, links, invalidLinks } = readHtml(html, PAGE);
        const withoutText = (found: typeof links): typeof links =>
          found.map((link) => (link.kind === "a" || link.kind === "svg" ? { ...link, text: "" } : link));
        expect(skimmed).toMatchObject({ base, title, metas, refresh, hasTexts: false });
        expect(skimmed.links).toEqual(withoutText(links));
        expect(skimmed.invalidLinks).toEqual(withoutText(invalidLinks));
      }),
      { numRuns: 1_000 },
    );
  });

  it("reads no text of a link", () => {
    const texts = (reading: ReturnType<typeof skimHtml>): string[] => reading.links.map(({ text }) => text);
    const html = "<a href=/1>one</a><svg><a href=/2>two</a></svg>";
    expect([texts(skimHtml(html, PAGE)), texts(readHtml(html, PAGE))]).toEqual([
      ["", ""],
      ["one", "two"],
    ]);
  });
});

describe("extractLinks() beside parse5", () => {
  it.each([
    [8, 1_000],
    [30, 250],
  ])("finds the links of its tree in nasty documents of %i pieces", (length, numRuns) => {
    fc.assert(
      fc.property(nastyHtml(length), (html) => {
        // Tables change the order of elements, and a template may leave a link open behind it: only a tree shows that.
        fc.pre(!/<(?:table|template)/i.test(html));
        const tree = linksOfTree(html);
        const reading = readHtml(html, PAGE);
        expect(reading.base).toBe(tree.base);
        const found = reading.links
          .filter(({ kind }) => kind !== "refresh")
          .map(({ kind, url }) => `${kind} ${url}`);
        expect(new Set(found)).toEqual(new Set(tree.links.map(({ link }) => link)));
        expect(reading.title).toBe(tree.titles[0]?.replace(/[\t\n\f\r ]+/g, " ").replace(/^ | $/g, ""));
      }),
      { numRuns },
    );
  });

  const manuals = htmlFiles("/usr/share/doc").slice(0, 60);
  it.skipIf(manuals.length === 0)(
    "finds the links of real manuals, and their texts (skipped where none are installed)",
    () => {
      for (const path of manuals) {
        const html = readFileSync(path, "utf8");
        const found = extractLinks(html, PAGE).links.map(({ kind, url, text }) => ({
          link: `${kind} ${url}`,
          text: kind === "a" ? squeezed(text) : "",
        }));
        const tree = linksOfTree(html).links.map(({ link, text }) => ({ link, text: text.slice(0, 400) }));
        expect({ path, links: found.map(({ link, text }) => ({ link, text: text.slice(0, 400) })) }).toEqual({
          path,
          links: tree,
        });
      }
    },
  );
});

/** The HTML files in a folder, at whatever depth; none where there is no such folder. */
function htmlFiles(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return (readdirSync(directory, { recursive: true }) as string[])
    .filter((name) => name.endsWith(".html"))
    .map((name) => join(directory, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .sort();
}

describe("readHtml() on hostile documents", () => {
  const more: typeof HOSTILE_HTML = [
    ["srcset commas", (size) => `<img srcset="${",".repeat(size)}x,${",".repeat(size)}b">`],
    ["srcset parentheses", (size) => `<img srcset="a ${"(".repeat(size)}">`],
    ["srcset candidates", (size) => `<img srcset="${"a 1x,".repeat(size / 5)}">`],
    ["refresh digits", (size) => `<meta http-equiv=refresh content="${"1".repeat(size)}x">`],
    ["rel tokens", (size) => `<a href=x rel="${"a ".repeat(size / 2)}">`],
    ["link text", (size) => `<a href=x>${" <i>".repeat(size / 4)}`],
    ["links", (size) => "<a href=x>y".repeat(size / 11)],
    ["links without an end", (size) => `<a href=x>${"<p>y ".repeat(size / 5)}`],
    ["titles", (size) => "<title>x</title>".repeat(size / 16)],
    ["bases", (size) => "<base href=x>".repeat(size / 13)],
  ];

  it.each([...HOSTILE_HTML, ...more])(
    "looks at each character so many times, however many there are: %s",
    (_what, document) => {
      const work = (size: number): number =>
        charactersRead(() => {
          readHtml(document(size), PAGE, { assets: true });
        });
      const once = work(3_000);
      expect(work(6_000)).toBeLessThan(once * 2.2 + 1_000);
    },
  );

  it("comes to the end of each", () => {
    for (const [, document] of more)
      expect(readHtml(document(100_000), PAGE, { assets: true }).base).not.toBe("");
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.string({ unit: "binary" }),
        (html, url) => {
          readHtml(`<a href="${html}`, url, { assets: true });
          expect(readHtml(`<a href="x">${html}`, PAGE).links.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 500 },
    );
  });
});
