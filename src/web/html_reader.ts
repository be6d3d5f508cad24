import { HtmlScanner } from "./html.ts";
import { NameFilter } from "./html_names.ts";
import { LinkText, tidySpace } from "./link_text.ts";
import { parseRefresh } from "./refresh.ts";
import { parseSrcset } from "./srcset.ts";

/**
 * What a link was found in: an element's name, a `<meta http-equiv=refresh>`, an `<a>` of an SVG image. Those of
 * {@link AssetKind} come only where they are asked for.
 */
export type LinkKind = "a" | "area" | "link" | "iframe" | "frame" | "refresh" | "svg" | AssetKind;

/**
 * `img`: the `src` of an image, a video's poster; `srcset`: the candidates of an image; `source`: `src` and
 * candidates of a `<source>`; `style`, `icon`: a `<link>` by its rel; `media`: audio, video and their tracks;
 * `embed`: `<embed>` and `<object>`.
 */
export type AssetKind = "img" | "srcset" | "source" | "script" | "style" | "icon" | "media" | "embed";

/** A link as it was found: {@link HtmlReader} leaves its `url` to be filled in. */
export interface FoundLink {
  url: string;
  href: string;
  kind: LinkKind;
  rel: string[];
  text: string;
}

export interface ReaderOptions {
  /** Whether parts of a page count as links too. Default `false`. */
  readonly assets?: boolean;
  /** Whether the text of an `<a>` is read. */
  readonly texts: boolean;
}

/** A part of the source, its end not included. */
export interface Range {
  start: number;
  end: number;
}

const LINKED_BY = "a area base frameset iframe frame link meta title";
const LINK_NAMES = new NameFilter(LINKED_BY);
const ASSET_NAMES = new NameFilter(
  `${LINKED_BY} img image source script input video audio track embed object`,
);

/** Goes through a document once and keeps what a crawler asks of it, as written. */
export class HtmlReader {
  readonly links: FoundLink[] = [];
  readonly metas: { name: string; content: string }[] = [];
  readonly refreshes: { link: FoundLink | undefined; delayMs: number }[] = [];
  base: string | undefined;
  title: string | undefined;
  /** The body whose place a frameset took. */
  replaced: Range | undefined;
  /** Whether links get the texts of their elements. */
  readonly readsTexts: boolean;
  readonly #scanner: HtmlScanner;
  readonly #assets: boolean;
  readonly #names: NameFilter;
  readonly #dropped: Range;
  /** The link whose text is being read. */
  #openLink: FoundLink | undefined;
  readonly #text: LinkText = new LinkText();
  #isInTitle = false;

  constructor(html: string, options: ReaderOptions, dropped: Range = { start: 0, end: 0 }) {
    const { assets = false, texts } = options;
    this.readsTexts = texts;
    this.#names = assets ? ASSET_NAMES : LINK_NAMES;
    this.#scanner = new HtmlScanner(html);
    this.#assets = assets;
    this.#dropped = dropped;
  }

  read(): void {
    const scanner = this.#scanner;
    while (this.#openLink || this.#isInTitle ? scanner.next() : scanner.nextStartTag(this.#names)) {
      if (scanner.kind === "start") this.#readStartTag();
      else if (scanner.kind === "text") this.#readText();
      else if (this.#openLink) this.#readEndTag();
    }
    this.#closeLink();
  }

  #readStartTag(): void {
    const scanner = this.#scanner;
    this.#isInTitle = false;
    if (this.#openLink) this.#text.addTag(scanner.name);
    if (scanner.namespace === undefined || scanner.isInTemplate) return;
    if (scanner.start < this.#dropped.end && scanner.start >= this.#dropped.start) return;
    if (scanner.namespace === "html") this.#readElement();
    else if (scanner.namespace === "svg" && scanner.name === "a") this.#readSvgLink();
  }

  #readText(): void {
    const scanner = this.#scanner;
    if (this.#isInTitle && scanner.name === "title") this.title = tidySpace(scanner.text());
    else if (this.#openLink && scanner.name === "") this.#readLinkText();
    this.#isInTitle = false;
  }

  #readLinkText(): void {
    this.#text.add(this.#scanner.text());
    if (this.#text.isFull) this.#closeLink();
  }

  #readEndTag(): void {
    const { name } = this.#scanner;
    if (name === "a") this.#closeLink();
    else this.#text.addTag(name);
  }

  #openLinkOf(kind: "a" | "svg", href: string | undefined): void {
    // A second one inside of the first ends it.
    this.#closeLink();
    if (href === undefined) return;
    const link = this.#add(kind, href);
    if (!this.readsTexts) return;
    this.#openLink = link;
    this.#text.clear();
  }

  #closeLink(): void {
    if (this.#openLink) this.#openLink.text = this.#text.toString();
    this.#openLink = undefined;
  }

  #add(kind: LinkKind, href: string, text = ""): FoundLink {
    const link = { url: "", href, kind, rel: tokens(this.#scanner.attribute("rel")), text };
    this.links.push(link);
    return link;
  }

  #readSvgLink(): void {
    this.#openLinkOf("svg", this.#scanner.attribute("href") ?? this.#scanner.attribute("xlink:href"));
  }

  #readElement(): void {
    const scanner = this.#scanner;
    switch (scanner.name) {
      case "a":
        this.#openLinkOf("a", scanner.attribute("href"));
        return;
      case "area": {
        const href = scanner.attribute("href");
        if (href !== undefined) this.#add("area", href, tidySpace(scanner.attribute("alt") ?? ""));
        return;
      }
      case "base":
        this.base ??= scanner.attribute("href");
        return;
      case "frameset":
        if (scanner.replacedFrom !== undefined)
          this.replaced = { start: scanner.replacedFrom, end: scanner.start };
        return;
      case "iframe":
      case "frame":
        this.#addUnlessEmpty(scanner.name, "src");
        return;
      case "link":
        this.#readLink();
        return;
      case "meta":
        this.#readMeta();
        return;
      case "title":
        this.#isInTitle = this.title === undefined;
        this.title ??= "";
        return;
      default:
        if (this.#assets) this.#readAsset();
    }
  }

  /** Where the standard takes an empty URL for none. */
  #addUnlessEmpty(kind: LinkKind, attribute: string, text?: string): void {
    const href = this.#scanner.attribute(attribute);
    if (href) this.#add(kind, href, text);
  }

  #readLink(): void {
    const rel = tokens(this.#scanner.attribute("rel"));
    if (rel.includes("stylesheet")) {
      if (this.#assets) this.#addUnlessEmpty("style", "href");
    } else if (rel.some((token) => NAVIGATION_RELS.has(token))) this.#addUnlessEmpty("link", "href");
    else if (this.#assets && rel.some((token) => ICON_RELS.has(token))) this.#addUnlessEmpty("icon", "href");
  }

  #readMeta(): void {
    const content = this.#scanner.attribute("content");
    if (content === undefined) return;
    const name = this.#scanner.attribute("name");
    if (name !== undefined) this.metas.push({ name: lowerCase(name).trim(), content });
    if (lowerCase(this.#scanner.attribute("http-equiv") ?? "") !== "refresh") return;
    const refresh = parseRefresh(content);
    if (!refresh) return;
    const { delayMs, href } = refresh;
    this.refreshes.push({ delayMs, link: href === undefined ? undefined : this.#add("refresh", href) });
  }

  #readAsset(): void {
    const scanner = this.#scanner;
    switch (scanner.name) {
      case "img":
      case "image":
        this.#addUnlessEmpty("img", "src", tidySpace(scanner.attribute("alt") ?? ""));
        this.#addCandidates("srcset");
        return;
      case "source":
        this.#addUnlessEmpty("source", "src");
        this.#addCandidates("source");
        return;
      case "script":
        this.#addUnlessEmpty("script", "src");
        return;
      case "input":
        if (lowerCase(scanner.attribute("type") ?? "") === "image") this.#addUnlessEmpty("img", "src");
        return;
      case "video":
        this.#addUnlessEmpty("img", "poster");
        this.#addUnlessEmpty("media", "src");
        return;
      case "audio":
      case "track":
        this.#addUnlessEmpty("media", "src");
        return;
      case "embed":
        this.#addUnlessEmpty("embed", "src");
        return;
      case "object":
        this.#addUnlessEmpty("embed", "data");
    }
  }

  #addCandidates(kind: "srcset" | "source"): void {
    for (const href of parseSrcset(this.#scanner.attribute("srcset") ?? "")) this.#add(kind, href);
  }
}

const NAVIGATION_RELS: ReadonlySet<string> = new Set(["next", "prev", "previous", "canonical", "alternate"]);
const ICON_RELS: ReadonlySet<string> = new Set(["icon", "apple-touch-icon", "mask-icon"]);

/** A set of space-separated tokens, in lower case. */
function tokens(value: string | undefined): string[] {
  if (!value) return [];
  return [...new Set(lowerCase(value).split(/[\t\n\f\r ]+/))].filter((token) => token !== "");
}

function lowerCase(value: string): string {
  return value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
