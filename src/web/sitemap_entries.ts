import { parseSitemapDate } from "./sitemap_dates.ts";
import type { XmlElement } from "./sitemap_xml.ts";
import { urlResolver } from "./url.ts";

/** What kind of file it is: sitemap, index of sitemaps, RSS of any version, Atom, or one address a line. */
export type SitemapFormat = "urlset" | "index" | "rss" | "atom" | "text";

/** The same page for other readers, from `<xhtml:link rel="alternate">`. */
export interface SitemapAlternate {
  /** Absolute. */
  url: string;
  /** The language (BCP 47) or `x-default`, as written. */
  hreflang?: string;
  /** The media query of the device it is made for. */
  media?: string;
}

/** What a sitemap tells, item by item. */
export type SitemapItem =
  | { type: "format"; format: SitemapFormat }
  | {
      type: "url";
      /** Absolute, http or https, as written otherwise. */
      url: string;
      lastModified?: Date;
      alternates: SitemapAlternate[];
      /** Absolute addresses of the images that stand on the page. */
      images: string[];
    }
  | { type: "sitemap"; url: string; lastModified?: Date }
  | { type: "problem"; message: string };

/** Which elements of a document are its entries, by the local name of its root in lower case. */
export const DOCUMENT_KINDS: ReadonlyMap<string, { format: SitemapFormat; entryNames: ReadonlySet<string> }> =
  new Map([
    // Each of the two is found in the other's file, against the protocol, and leaves no doubt of what is meant.
    ["urlset", { format: "urlset", entryNames: new Set(["url", "sitemap"]) }],
    ["sitemapindex", { format: "index", entryNames: new Set(["sitemap", "url"]) }],
    ["rss", { format: "rss", entryNames: new Set(["item"]) }],
    ["rdf", { format: "rss", entryNames: new Set(["item"]) }],
    ["feed", { format: "atom", entryNames: new Set(["entry"]) }],
  ]);

/** Reads one entry: an item for each address in it, and a problem for what cannot be read. */
export function readEntry(entry: XmlElement, outer: AddressBase): SitemapItem[] {
  const base = baseWithin(entry, outer);
  const locations = locationsOf(entry).filter(({ text }) => text.trim() !== "");
  if (locations.length === 0) return [problem(`<${entry.name}> without an address`)];
  const details = { alternates: readAlternates(entry, base), images: readImages(entry, base) };
  const date = readDate(entry);
  const modified = date?.value === undefined ? {} : { lastModified: date.value };
  const items = locations.map(({ text, element }): SitemapItem => {
    const url = baseWithin(element, base).resolve(text);
    if (url === undefined) return problem(`not an address: ${quote(text)}`);
    return entry.name === "sitemap"
      ? { type: "sitemap", url, ...modified }
      : { type: "url", url, ...modified, ...details };
  });
  if (date !== undefined && date.value === undefined) items.push(problem(`not a date: ${quote(date.text)}`));
  return items;
}

export function problem(message: string): SitemapItem {
  return { type: "problem", message };
}

const MAX_QUOTED_CHARS = 100;

/** Text from the file as a message may show it. */
export function quote(text: string): string {
  const trimmed = text.trim();
  return JSON.stringify(
    trimmed.length > MAX_QUOTED_CHARS ? `${trimmed.slice(0, MAX_QUOTED_CHARS)}…` : trimmed,
  );
}

/** What addresses in a part of the document are relative to. */
export interface AddressBase {
  url: string;
  /** Gives the absolute address, `undefined` for what is none, or none that can be crawled. */
  resolve: (text: string) => string | undefined;
}

export function addressBase(url: string): AddressBase {
  const resolve = urlResolver(url);
  return {
    url,
    resolve(text) {
      // XML forbids control characters, and U+FFFD stands for octets that no one could read: such an address is damaged.
      if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/.test(text)) return undefined;
      const address = resolve(text.trim());
      return address !== undefined && /^https?:/.test(address) ? address : undefined;
    },
  };
}

/** https://www.w3.org/TR/xmlbase/ */
export function baseWithin(element: XmlElement, outer: AddressBase): AddressBase {
  const url = outer.resolve(element.attributes.get("xml:base") ?? "");
  return url === undefined || !element.attributes.has("xml:base") ? outer : addressBase(url);
}

interface Location {
  text: string;
  element: XmlElement;
}

/** Where an entry says its address is: usually once. */
function locationsOf(entry: XmlElement): Location[] {
  if (entry.name === "entry") return atomLocation(entry);
  if (entry.name === "item") return rssLocation(entry);
  return ownChildren(entry, "loc").map((element) => ({ text: element.text, element }));
}

/** RFC 4287 §4.2.7: a link without `rel` is an alternate one, which is the page itself; the first one counts. */
function atomLocation(entry: XmlElement): Location[] {
  for (const element of ownChildren(entry, "link")) {
    const text = element.attributes.get("href");
    if (text !== undefined && (element.attributes.get("rel") ?? "alternate") === "alternate")
      return [{ text, element }];
  }
  return [];
}

/** RSS 2.0: a guid is an address unless it says that it is none. RSS 1.0 §5.5: `rdf:about` should equal the link. */
function rssLocation(item: XmlElement): Location[] {
  const link = ownChildren(item, "link").find(({ text }) => text.trim() !== "");
  if (link !== undefined) return [{ text: link.text, element: link }];
  const guid = ownChildren(item, "guid")[0];
  if (guid !== undefined && guid.attributes.get("isPermaLink") !== "false")
    return [{ text: guid.text, element: guid }];
  return [{ text: item.attributes.get("rdf:about") ?? "", element: item }];
}

/** Children of that name in the entry's own namespace: `image:loc` is no `loc`. */
function ownChildren(entry: XmlElement, name: string): XmlElement[] {
  return entry.children.filter((child) => child.name === name && isOwn(child, entry));
}

/** Generators forget to declare the namespace, or take it back with `xmlns=""`, on entries or on their children. */
export function isOwn(child: XmlElement, parent: XmlElement): boolean {
  return (
    child.namespace === parent.namespace ||
    (!child.hasPrefix && (child.namespace === "" || parent.namespace === ""))
  );
}

// The latest change first. RSS takes these from Dublin Core and from Atom, so that their namespace is left open.
const DATE_NAMES = ["lastmod", "updated", "modified", "pubdate", "date", "published", "issued"];

function readDate(entry: XmlElement): { text: string; value: Date | undefined } | undefined {
  for (const name of DATE_NAMES) {
    const text = entry.children.find((child) => child.name === name)?.text ?? "";
    if (text.trim() !== "") return { text, value: parseSitemapDate(text) };
  }
  return undefined;
}

/** https://developers.google.com/search/docs/specialty/international/localized-versions#sitemap */
function readAlternates(entry: XmlElement, base: AddressBase): SitemapAlternate[] {
  return entry.children.flatMap((link): SitemapAlternate[] => {
    if (link.name !== "link" || !isExtension(link, "xhtml", "http://www.w3.org/1999/xhtml")) return [];
    if (link.attributes.get("rel")?.trim().toLowerCase() !== "alternate") return [];
    const url = resolveGiven(link.attributes.get("href"), base);
    const hreflang = link.attributes.get("hreflang")?.trim();
    const media = link.attributes.get("media")?.trim();
    return url === undefined ? [] : [{ url, ...(hreflang ? { hreflang } : {}), ...(media ? { media } : {}) }];
  });
}

/** https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps */
function readImages(entry: XmlElement, base: AddressBase): string[] {
  return entry.children.filter(isImage).flatMap((image) => {
    const location = image.children.find(
      (child) => child.name === "loc" && child.namespace === image.namespace,
    );
    return resolveGiven(location?.text, base) ?? [];
  });
}

/** Nothing written is no address, though it would resolve to the base. */
function resolveGiven(text: string | undefined, base: AddressBase): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : base.resolve(text);
}

function isImage(element: XmlElement): boolean {
  return (
    element.name === "image" &&
    isExtension(element, "image", "http://www.google.com/schemas/sitemap-image/1.1")
  );
}

/** In the namespace, or with its usual prefix and that never declared. */
function isExtension(element: XmlElement, prefix: string, namespace: string): boolean {
  return element.namespace === namespace || element.namespace === `?${prefix}`;
}
