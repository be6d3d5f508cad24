import { type FoundAddress, findAddresses } from "./email_address.ts";
import { cloudflareCode, decodeCloudflare } from "./email_cloudflare.ts";
import { asciiDomain, isPlaceholderDomain } from "./email_domain.ts";
import { mailtoAddresses } from "./email_mailto.ts";
import { BlockText } from "./email_text.ts";
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
  const reader = new EmailReader();
  const scanner = new HtmlScanner(html);
  while (scanner.next()) {
    if (scanner.isInTemplate) continue;
    if (scanner.kind === "text") reader.readText(scanner);
    else reader.readTag(scanner);
  }
  return reader.finish();
}

/** What the scanner stands on, as far as it matters here. */
class EmailReader {
  /** By a form that is the same for all spellings of one address. */
  readonly #emails = new Map<string, Email>();
  #block = new BlockText();
  #isJsonLd = false;

  readText(scanner: HtmlScanner): void {
    if (scanner.name === "script" && this.#isJsonLd)
      this.#addAll(findAddresses(unescapeJson(scanner.source)), "text");
    else if (scanner.name === "") this.#block.add(scanner.source);
    else if (SHOWN_RAW_TEXT.has(scanner.name)) this.#addAll(findAddresses(scanner.text()), "text");
  }

  readTag(scanner: HtmlScanner): void {
    const { name } = scanner;
    if (INLINE.has(name)) this.#block.addSeam();
    else if (name !== "wbr") this.#endBlock();
    if (scanner.kind === "start") this.#readAttributes(scanner, name);
  }

  finish(): Email[] {
    this.#endBlock();
    return [...this.#emails.values()];
  }

  #readAttributes(scanner: HtmlScanner, name: string): void {
    this.#isJsonLd = name === "script" && isJsonLd(scanner.attribute("type"));
    const { source } = scanner;
    if (name === "a" || name === "area") this.#readHref(scanner.attribute("href") ?? "");
    if (/cfemail/i.test(source)) this.#addCloudflare(scanner.attribute("data-cfemail"));
    // An at sign may be a character reference.
    if (!/[@&]/.test(source)) return;
    for (const attribute of name === "meta" ? ["content"] : TEXT_ATTRIBUTES) {
      this.#addAll(findAddresses(scanner.attribute(attribute) ?? ""), "text");
    }
  }

  #readHref(href: string): void {
    this.#addAll(mailtoAddresses(href), "mailto");
    this.#addCloudflare(cloudflareCode(href));
  }

  #addCloudflare(code: string | undefined): void {
    const hidden = code === undefined ? undefined : decodeCloudflare(code);
    if (hidden !== undefined) this.#addAll(mailtoAddresses(`mailto:${hidden}`), "cloudflare");
  }

  #endBlock(): void {
    const block = this.#block;
    if (block.text === "") return;
    for (const found of findAddresses(block.text)) {
      this.#add(found, block.hasReference(found.start, found.end) ? "entity" : "text");
    }
    this.#block = new BlockText();
  }

  #addAll(found: readonly FoundAddress[], how: EmailSource): void {
    for (const one of found) this.#add(one, how);
  }

  #add({ address, obfuscated }: FoundAddress, how: EmailSource): void {
    const at = address.lastIndexOf("@");
    const domain = address.slice(at + 1);
    const key = `${address.slice(0, at).toLowerCase()}@${asciiDomain(domain)}`;
    if (this.#emails.has(key)) return;
    const placeholder = isPlaceholderDomain(domain);
    this.#emails.set(key, { address, how: obfuscated ? "obfuscated" : how, placeholder });
  }
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
