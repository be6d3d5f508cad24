import { type FoundAddress, findAddresses } from "./email_address.ts";
import { cloudflareCode, decodeCloudflare } from "./email_cloudflare.ts";
import { asciiDomain, isPlaceholderDomain } from "./email_domain.ts";
import { mailtoAddresses } from "./email_mailto.ts";
import { DocumentText } from "./email_text.ts";
import { HtmlScanner } from "./html.ts";

/**
 * How an address stood in a document: in its `text`; as a `mailto` link; in text, written as character references
 * (`entity`); under `cloudflare`'s protection; spelled so that only people would read it (`obfuscated`).
 */
export type EmailSource = "text" | "mailto" | "entity" | "cloudflare" | "obfuscated";

/** An e-mail address of a document. */
export interface Email {
  /** The local part as written, the domain in lower case; an IDN as written, Unicode or `xn--`. */
  address: string;
  /** Where it was found first. */
  how: EmailSource;
  /** Whether its domain is one of those that are reserved for examples and tests: RFC 2606, RFC 6761. */
  placeholder: boolean;
}

/** Elements that end no word: an address may go on over their tags. */
const INLINE: ReadonlySet<string> = new Set([
  ...[
    "abbr",
    "acronym",
    "b",
    "bdi",
    "bdo",
    "big",
    "cite",
    "code",
    "data",
    "del",
    "dfn",
    "em",
    "font",
    "i",
    "ins",
  ],
  ...["kbd", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "tt", "u", "var"],
]);

/** Elements whose `href` may be an address; a `<link rev=made>` names a page's author. */
const LINKS: ReadonlySet<string> = new Set(["a", "area", "link"]);

/** Elements whose raw text a reader sees. */
const SHOWN_RAW_TEXT: ReadonlySet<string> = new Set(["", "title", "textarea", "xmp", "plaintext"]);

/** Attributes whose value is text for a reader. */
const TEXT_ATTRIBUTES = ["title", "alt", "aria-label"];

/**
 * Finds the e-mail addresses of an HTML document, each once, in the order in which they first stand in it.
 *
 * Read are: text; `mailto:` links with all their recipients; text attributes (`title`, `alt`, `aria-label`) and the
 * content of `<meta>`; JSON-LD; Cloudflare's protection; and spellings such as `me [at] site (dot) example`. Words
 * in Unicode and IDN count. An address goes over inline markup (`me<b>@</b>site.example`), but never from one block
 * into the next. Scripts, styles, comments and templates are not read, and file names (`image@2x.png`), package
 * versions (`pkg@1.2.3`), a URL's user and handles (`@me@site.example`) are not taken for addresses.
 *
 * Two spellings that differ in case, or in the form of an IDN, are one address. No address is looked up: it may not
 * exist. Any text at all is read, in time that grows with its length. Never throws.
 *
 * @example
 * ```ts
 * extractEmails('<p>Write to <a href="mailto:desk@nook.example?subject=Hi">us</a>');
 * // [{ address: "desk@nook.example", how: "mailto", placeholder: true }]
 * ```
 */
export function extractEmails(html: string): Email[] {
  const reader = new EmailReader(html);
  const scanner = new HtmlScanner(html);
  while (scanner.next()) {
    if (scanner.isInTemplate) continue;
    if (scanner.kind === "text") reader.readText(scanner);
    else reader.readTag(scanner);
  }
  return reader.finish();
}

interface Finding {
  address: string;
  how: EmailSource;
  /** How much text stood before it. */
  position: number;
}

/** Gathers what a scanner passes: the text, to be searched at the end, and what is hidden in tags. */
class EmailReader {
  readonly #text: DocumentText;
  readonly #inTags: Finding[] = [];
  readonly #hasCloudflare: boolean;
  #isJsonLd = false;

  constructor(html: string) {
    this.#text = new DocumentText(html);
    this.#hasCloudflare = /data-cfemail/i.test(html);
  }

  readText(scanner: HtmlScanner): void {
    const { name } = scanner;
    if (name === "") this.#text.add(scanner.source);
    else if (SHOWN_RAW_TEXT.has(name)) this.#note(findAddresses(scanner.text()), "text");
    else if (this.#isJsonLd) this.#note(findAddresses(unescapeJson(scanner.source)), "text");
  }

  readTag(scanner: HtmlScanner): void {
    const { name } = scanner;
    if (INLINE.has(name)) this.#text.addSeam();
    else if (name !== "wbr") this.#text.addBreak();
    this.#isJsonLd = false;
    if (scanner.kind === "start") this.#readAttributes(scanner, name);
  }

  finish(): Email[] {
    const text = this.#text;
    const inText = findAddresses(text.text).map(({ address, start, end, obfuscated }): Finding => {
      const how = text.hasReference(start, end) ? "entity" : "text";
      return { address, how: obfuscated ? "obfuscated" : how, position: start };
    });
    return distinct(this.#inTags.concat(inText).sort((a, b) => a.position - b.position));
  }

  #readAttributes(scanner: HtmlScanner, name: string): void {
    if (name === "script") this.#isJsonLd = isJsonLd(scanner.attribute("type"));
    if (LINKS.has(name)) this.#readHref(scanner.attribute("href") ?? "");
    if (this.#hasCloudflare) this.#noteCloudflare(scanner.attribute("data-cfemail"));
    const { source } = scanner;
    // An at sign may be a character reference.
    if (!source.includes("@") && !source.includes("&")) return;
    for (const attribute of name === "meta" ? ["content"] : TEXT_ATTRIBUTES) {
      this.#note(findAddresses(scanner.attribute(attribute) ?? ""), "text");
    }
  }

  #readHref(href: string): void {
    this.#note(mailtoAddresses(href), "mailto");
    this.#noteCloudflare(cloudflareCode(href));
  }

  #noteCloudflare(code: string | undefined): void {
    const hidden = code === undefined ? undefined : decodeCloudflare(code);
    if (hidden !== undefined) this.#note(mailtoAddresses(`mailto:${hidden}`), "cloudflare");
  }

  #note(found: readonly FoundAddress[], how: EmailSource): void {
    const position = this.#text.text.length;
    for (const { address, obfuscated } of found) {
      this.#inTags.push({ address, how: obfuscated ? "obfuscated" : how, position });
    }
  }
}

/** The first finding of each address. */
function distinct(findings: readonly Finding[]): Email[] {
  const emails = new Map<string, Email>();
  for (const { address, how } of findings) {
    const at = address.lastIndexOf("@");
    const domain = address.slice(at + 1);
    const key = `${address.slice(0, at).toLowerCase()}@${asciiDomain(domain)}`;
    if (!emails.has(key)) emails.set(key, { address, how, placeholder: isPlaceholderDomain(domain) });
  }
  return [...emails.values()];
}

function isJsonLd(type: string | undefined): boolean {
  return type !== undefined && /^\s*application\/ld\+json\b/i.test(type);
}

/** The text that JSON's escapes stand for; a control character counts as white space. */
function unescapeJson(source: string): string {
  return source.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, hex?: string, char?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return /[bfnrt]/.test(char!) ? " " : char!;
  });
}
