import { type AssetKind, HtmlReader, type LinkKind } from "./html_reader.ts";
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
export interface HtmlReading {
  /** The document base URL. */
  base: string;
  /** The content of the first `<title>`, white space stripped and collapsed; `undefined` where there is none. */
  title: string | undefined;
  /** In the order of the source. */
  links: Link[];
  /** Links whose URL does not parse, so that theirs is ""; in the order of the source. */
  invalidLinks: Link[];
  /** Each `<meta name content>`, its name in lower case. */
  metas: { name: string; content: string }[];
  /** The first refresh by `<meta>` that holds, its URL absolute. One without a URL loads the page itself again. */
  refresh: { url: string; delayMs: number } | undefined;
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
  const { assets = false } = options;
  let reader = new HtmlReader(html, assets);
  reader.read();
  // A frameset takes the body's place, and what was found in there is gone.
  if (reader.replaced) {
    reader = new HtmlReader(html, assets, reader.replaced);
    reader.read();
  }
  return resolve(reader, String(url));
}

function resolve(reader: HtmlReader, url: string): HtmlReading {
  const againstUrl = urlResolver(url);
  const own = againstUrl(url) ?? url;
  const base = (reader.base === undefined ? undefined : baseUrl(againstUrl(reader.base))) ?? own;
  const absolute = base === own ? againstUrl : urlResolver(base);
  const reading: HtmlReading = {
    base,
    title: reader.title,
    links: [],
    invalidLinks: [],
    metas: reader.metas,
    refresh: undefined,
  };
  // Only the first refresh that holds counts.
  const refresh = reader.refreshes.find(({ link }) => !link || isLoadable(absolute(link.href)));
  if (refresh) {
    const { link, delayMs } = refresh;
    reading.refresh = { url: link ? (absolute(link.href) as string) : own, delayMs };
  }
  for (const link of reader.links) {
    if (link.kind === "refresh" && link !== refresh?.link) continue;
    const { href } = link;
    const linkUrl = absolute(href);
    if (linkUrl === undefined) {
      reading.invalidLinks.push(link);
      continue;
    }
    link.url = linkUrl === href ? detached(href) : linkUrl;
    reading.links.push(link);
  }
  return reading;
}

/** https://html.spec.whatwg.org/#set-the-frozen-base-url */
function baseUrl(url: string | undefined): string | undefined {
  return url === undefined || /^(?:data|javascript):/.test(url) ? undefined : url;
}

function isLoadable(url: string | undefined): boolean {
  return url !== undefined && !url.startsWith("javascript:");
}

/**
 * The same text in memory of its own. Engines make a long enough part of a string a view of the whole: a frontier of
 * such URLs would keep every page that they came from.
 */
function detached(text: string): string {
  return ` ${text}`.slice(1);
}
