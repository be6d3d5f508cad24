import type { CrawlRequest, Redirect } from "./request.ts";
import type { Validators } from "./validators.ts";
import { mediaType, sniffMediaType } from "./web/content_type.ts";
import type { Directives } from "./web/directives.ts";
import type { HtmlReading, Link } from "./web/links.ts";

/** The functions by which a page reads its body: see page_readers.ts. */
export type PageReaders = typeof import("./page_readers.ts");

// About a hundred words: of fewer, one other word changes more bits than a near-duplicate may differ in.
const MIN_HASHED_LENGTH = 600;

/** How long an answer took. */
export interface Timings {
  /** Milliseconds since the epoch at which the request went out. */
  readonly startedAtMs: number;
  /** Milliseconds from there to the last byte of the body: the fetch alone, no reading of it. */
  readonly responseMs: number;
}

/** What a page is made of. */
export interface PageParts {
  readonly request: CrawlRequest;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  readonly timings: Timings;
  readonly userAgent: string;
  readonly readers: PageReaders;
  /** What was known of it, where it was asked whether it has changed. */
  readonly known?: Validators | undefined;
}

/** The part of the DOM that {@link Page.document} gives: as much of the standard's `Document` as linkedom has. */
export interface PageDocument {
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement> & { readonly length: number };
  readonly documentElement: PageElement;
  readonly head: PageElement;
  readonly body: PageElement;
  readonly title: string;
}

/** An element of a {@link PageDocument}. */
export interface PageElement {
  readonly tagName: string;
  readonly textContent: string | null;
  readonly innerHTML: string;
  readonly outerHTML: string;
  readonly children: Iterable<PageElement> & { readonly length: number };
  readonly parentElement: PageElement | null;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement> & { readonly length: number };
  closest(selector: string): PageElement | null;
  matches(selector: string): boolean;
}

/** The links of a page as they are written: most of them need no URL. */
export interface Outlinks {
  /** What they resolve against. */
  readonly base: string;
  readonly found: readonly Pick<Link, "href" | "rel">[];
  /** The absolute URL of a link that is written as `href`; `undefined` where none can be made. */
  urlOf(href: string): string | undefined;
}

/** What the crawl follows a page's links by. It spares the texts of links, where nobody has asked for them. */
export let outlinksOf: (page: Page) => Outlinks;

/**
 * One answer: what `fetch` would have resolved with. A 404 or a 500 is a page too, with `ok: false`; its links are not
 * followed. Text, links and document are read when they are asked for, and once.
 */
export class Page {
  readonly type = "page";
  /** Where the answer came from, after all redirects. */
  readonly url: string;
  readonly request: CrawlRequest;
  readonly status: number;
  readonly headers: Headers;
  /** The media type in lower case: the header's, or told by the body where there is no header. */
  readonly contentType: string | undefined;
  /** Octets with the content-encoding undone. */
  readonly body: Uint8Array;
  readonly timings: Timings;
  /** The URL of an earlier page with nearly the same text; set by the crawl where `nearDuplicates` asks for it. */
  duplicateOf: string | undefined;
  readonly #userAgent: string;
  readonly #readers: PageReaders;
  readonly #known: Validators | undefined;
  #decoded: { text: string; charset: string } | undefined;
  #reading: HtmlReading | undefined;
  #directives: Directives | undefined;
  #simhash: bigint | undefined;
  #isHashed = false;

  static {
    outlinksOf = (page) => page.#outlinks();
  }

  constructor({ request, status, headers, body, timings, userAgent, readers, known }: PageParts) {
    this.url = request.url;
    this.request = request;
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.timings = timings;
    this.contentType =
      mediaType(headers.get("content-type")) ?? (body.length > 0 ? sniffMediaType(body) : undefined);
    this.#userAgent = userAgent;
    this.#readers = readers;
    this.#known = status === 304 ? known : undefined;
  }

  /** Whether the status is 200 to 299. */
  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  /** Whether it is a 304: the page is what it was, its body was not sent again, and its links are those it had. */
  get unchanged(): boolean {
    return this.#known !== undefined;
  }

  /** The hops that led here, oldest first. */
  get redirects(): readonly Redirect[] {
    return this.request.redirects ?? [];
  }

  /** Hops from the nearest seed. */
  get depth(): number {
    return this.request.depth;
  }

  /** The page on which the link was found; none for a seed. */
  get referrer(): string | undefined {
    return this.request.referrer;
  }

  /** The character encoding of `text`, by its name in the Encoding standard. */
  get charset(): string {
    return this.#decode().charset;
  }

  /** The body as text: by byte order mark, header, declaration in the first octets, or what the octets are. */
  get text(): string {
    return this.#decode().text;
  }

  /** The content of the first `<title>`, white space collapsed; `undefined` where there is none, or no HTML. */
  get title(): string | undefined {
    return this.#skim()?.title;
  }

  /** The links in document order, each absolute; none where the page is no HTML. */
  get links(): readonly Link[] {
    if (this.#known !== undefined) {
      return this.#known.links.map((url) => ({ url, href: url, kind: "a", rel: [], text: "" }));
    }
    return this.#readWhole()?.links ?? [];
  }

  /** The `href`s in document order of which no URL can be made, as written. */
  get invalidLinks(): readonly string[] {
    return this.#skim()?.invalidLinks.map(({ href }) => href) ?? [];
  }

  /** What the page asks of crawlers, in X-Robots-Tag and meta robots. */
  get directives(): Directives {
    this.#directives ??= this.#readers.directivesOf({
      headers: this.headers,
      reading: this.#skim(),
      userAgent: this.#userAgent,
      url: this.url,
    });
    return this.#directives;
  }

  /**
   * The {@link simhash} of the words that a reader of the page sees: 64 bits. `undefined` where there are too few of
   * them for a distance to mean anything, and where the page is no HTML.
   */
  get simhash(): bigint | undefined {
    if (this.#isHashed || !this.#isHtml) return this.#simhash;
    this.#isHashed = true;
    const { simhash, visibleText } = this.#readers;
    const text = visibleText(this.text).replace(/\s+/g, " ");
    if (text.length >= MIN_HASHED_LENGTH) this.#simhash = simhash(text);
    return this.#simhash;
  }

  /** The URL by which the page wants to be known, absolute; `undefined` where it names none. */
  get canonical(): string | undefined {
    return this.directives.canonical;
  }

  /**
   * The page as a document, by linkedom, which is loaded on first use. It resolves no URLs and keeps the case of
   * attribute names: for links there is `links`.
   *
   * @throws {TypeError} where the page is neither HTML nor XML
   */
  async document(): Promise<PageDocument> {
    const type = this.contentType;
    if (!this.#isHtml && !(type !== undefined && /[/+]xml$/.test(type))) {
      throw new TypeError(`Cannot read '${this.url}' as a document as it is ${type ?? "of no known type"}`);
    }
    const { DOMParser } = await import("linkedom");
    const parser = new DOMParser() as unknown as {
      parseFromString(text: string, type: string): PageDocument;
    };
    return parser.parseFromString(this.text, this.#isHtml ? "text/html" : "text/xml");
  }

  /**
   * The body as JSON.
   *
   * @throws {SyntaxError} where it is none
   */
  json(): unknown {
    return JSON.parse(this.text);
  }

  get #isHtml(): boolean {
    return this.contentType === "text/html" || this.contentType === "application/xhtml+xml";
  }

  #decode(): { text: string; charset: string } {
    const type = this.headers.get("content-type") ?? this.contentType;
    this.#decoded ??= this.#readers.decodeText(this.body, type);
    return this.#decoded;
  }

  #outlinks(): Outlinks {
    if (this.#known === undefined) return this.#skim() ?? NO_LINKS;
    return { ...NO_LINKS, found: this.#known.links.map((url) => ({ href: url, rel: [] })) };
  }

  /** All but the texts of links, unless those have been read. */
  #skim(): HtmlReading | undefined {
    if (!this.#isHtml) return undefined;
    this.#reading ??= this.#readers.skimHtml(this.text, this.url);
    return this.#reading;
  }

  #readWhole(): HtmlReading | undefined {
    if (!this.#isHtml) return undefined;
    if (!this.#reading?.hasTexts) this.#reading = this.#readers.readHtml(this.text, this.url);
    return this.#reading;
  }
}

const NO_LINKS: Outlinks = { base: "", found: [], urlOf: (href) => href };
