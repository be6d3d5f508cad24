import { detached } from "./detached.ts";
import { type AssetKind, type FoundLink, HtmlReader, type LinkKind } from "./html_reader.ts";
import { urlResolver } from "./url.ts";

export type { AssetKind, LinkKind };

/** One link of a page. */
export interface Link {
  /** Absolute; its fragment is kept. Of any scheme: `mailto:` and `javascript:` are links too. */
  url: string;
  /** As written, character references decoded. */
  href: string;
  kind: LinkKind;
  /** The tokens of the element's `rel`, in lower case, each once. */
  rel: string[];
  /** The text of an `<a>`, the `alt` of an `<area>` or an `<img>`: white space collapsed, at most 500 characters. */
  text: string;
}

/** Options of {@link extractLinks} and {@link readHtml}. */
export interface LinkOptions {
  /** Images, scripts, styles and other parts of a page count as links too. Default `false`. */
  assets?: boolean;
}

/** All that a crawler asks of an HTML document, read in one pass. */
export class HtmlReading {
  /** The document base URL. */
  readonly base: string;
  /** The content of the first `<title>`, white space stripped and collapsed; `undefined` where there is none. */
  readonly title: string | undefined;
  /** Each `<meta name content>`, its name in lower case. */
  readonly metas: readonly { readonly name: string; readonly content: string }[];
  /** The first refresh by `<meta>` that holds, its URL absolute. One without a URL loads the page itself again. */
  readonly refresh: { url: string; delayMs: number } | undefined;
  /** All links in the order of the source, whether a URL can be made of them or not. They have none yet. */
  readonly found: readonly FoundLink[];
  /** Whether the texts of links have been read. */
  readonly hasTexts: boolean;
  readonly #resolve: (href: string) => string | undefined;
  #sorted: { links: Link[]; invalidLinks: Link[] } | undefined;

  /** @param url where the document came from. Where it is none, only absolute links resolve. */
  constructor(reader: HtmlReader, url: string) {
    const againstUrl = urlResolver(url);
    const own = againstUrl(url) ?? url;
    this.base = (reader.base === undefined ? undefined : baseUrl(againstUrl(reader.base))) ?? own;
    this.#resolve = this.base === own ? againstUrl : urlResolver(this.base);
    this.title = reader.title;
    this.metas = reader.metas;
    this.hasTexts = reader.readsTexts;
    // Only the first refresh that holds counts.
    const refresh = reader.refreshes.find(({ link }) => !link || isLoadable(this.urlOf(link.href)));
    this.refresh = refresh && {
      url: refresh.link ? (this.urlOf(refresh.link.href) as string) : own,
      delayMs: refresh.delayMs,
    };
    this.found =
      reader.refreshes.length === 0
        ? reader.links
        : reader.links.filter((link) => link.kind !== "refresh" || link === refresh?.link);
  }

  /** The absolute URL of a link that is written as `href`; `undefined` where none can be made. */
  urlOf(href: string): string | undefined {
    const url = this.#resolve(href);
    return url === href ? detached(url) : url;
  }

  /** In the order of the source. */
  get links(): Link[] {
    return this.#sort().links;
  }

  /** Links whose URL does not parse, so that theirs is ""; in the order of the source. */
  get invalidLinks(): Link[] {
    return this.#sort().invalidLinks;
  }

  #sort(): { links: Link[]; invalidLinks: Link[] } {
    if (this.#sorted !== undefined) return this.#sorted;
    const links: Link[] = [];
    const invalidLinks: Link[] = [];
    for (const link of this.found) {
      const url = this.urlOf(link.href);
      if (url === undefined) {
        invalidLinks.push(link);
        continue;
      }
      link.url = url;
      links.push(link);
    }
    this.#sorted = { links, invalidLinks };
    return this.#sorted;
  }
}

/**
 * Finds the links of an HTML document, and the base URL by which they resolve.
 *
 * The document is read as the HTML standard says, with scripting off: `<noscript>` counts; comments, scripts,
 * templates and what stands inside of an `<iframe>` do not. Kinds: `<a>`, `<area>`, `<link>` whose rel is next, prev,
 * canonical or alternate, `<iframe>`, `<frame>`, `<meta http-equiv=refresh>`, the `<a>` of an SVG image. Each stands
 * as often as the page has it. Links whose URL does not parse are left out; {@link readHtml} has them. Any text at all
 * is read, in time that grows with its length.
 *
 * @param url where the document came from, after all redirects. A `<base href>` resolves against it, and counts for
 * the links before it too; a second one, or one of `data:` or `javascript:`, counts for nothing.
 * @example
 * ```ts
 * const { links } = extractLinks('<base href="/docs/"><a href="a?x&amp;y" rel=nofollow>A</a>', "https://example.com/");
 * links[0]; // { url: "https://example.com/docs/a?x&y", href: "a?x&y", kind: "a", rel: ["nofollow"], text: "A" }
 * ```
 */
export function extractLinks(
  html: string,
  url: string | URL,
  options: LinkOptions = {},
): { base: string; links: Link[] } {
  const { base, links } = readHtml(html, url, options);
  return { base, links };
}

/**
 * Reads a document once for all that a crawler asks of it, as {@link extractLinks} does. Never throws; where `url` is
 * none, only absolute links resolve.
 */
export function readHtml(html: string, url: string | URL, options: LinkOptions = {}): HtmlReading {
  return read(html, url, { ...options, texts: true });
}

/** The same in half of the time, without the texts of links. */
export function skimHtml(html: string, url: string | URL): HtmlReading {
  return read(html, url, { texts: false });
}

function read(
  html: string,
  url: string | URL,
  options: LinkOptions & { readonly texts: boolean },
): HtmlReading {
  let reader = new HtmlReader(html, options);
  reader.read();
  // A frameset takes the body's place, and what was found in there is gone.
  if (reader.replaced) {
    reader = new HtmlReader(html, options, reader.replaced);
    reader.read();
  }
  return new HtmlReading(reader, String(url));
}

/** https://html.spec.whatwg.org/#set-the-frozen-base-url */
function baseUrl(url: string | undefined): string | undefined {
  return url === undefined || /^(?:data|javascript):/.test(url) ? undefined : url;
}

function isLoadable(url: string | undefined): boolean {
  return url !== undefined && !url.startsWith("javascript:");
}
