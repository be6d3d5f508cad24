import { decodeCharacterReferences } from "./character_references.ts";
import { elementName, lowerCaseName, matchesName } from "./html_names.ts";
import { endOfComment, endOfRawText } from "./html_raw_text.ts";

/** What a scanner stands on: a start tag, an end tag, or a run of text. */
export type TokenKind = "start" | "end" | "text";

/** Elements whose content is text up to their own end tag (`plaintext`: for good). */
const RAW_TEXT = new Set([
  "script",
  "style",
  "title",
  "textarea",
  "xmp",
  "iframe",
  "noembed",
  "noframes",
  "plaintext",
]);

/** Of these, the ones in whose text character references count: RCDATA. */
const ESCAPABLE_RAW_TEXT = new Set(["title", "textarea"]);

/**
 * A cursor over the tags and the text of an HTML document, by the states of the HTML standard's tokenizer
 * (https://html.spec.whatwg.org/#tokenization), with scripting off. It makes no object a tag and none an
 * attribute: it stands on one token at a time and answers what it is asked.
 *
 * Comments, doctypes and processing instructions are passed over. Whatever stands between `<script>` and its
 * end tag, likewise in `style`, `title`, `textarea`, `xmp`, `iframe`, `noembed`, `noframes` and after
 * `plaintext`, is one run of text with that element's `name`. A tag that the document ends in is no token.
 * Any text at all is read, in time that grows with its length.
 *
 * @example
 * ```ts
 * const scanner = new HtmlScanner("<p>See <a href=/x?a&amp;b>this</a>");
 * while (scanner.next()) {
 *   if (scanner.kind === "text") console.log(scanner.text());
 *   else if (scanner.kind === "start" && scanner.name === "a") console.log(scanner.attribute("href"));
 * }
 * ```
 */
export class HtmlScanner {
  readonly #html: string;
  /** Where the next token is looked for. */
  #position = 0;
  #kind: TokenKind = "text";
  #start = 0;
  #end = 0;
  /** `undefined` until it is asked for. */
  #name: string | undefined = "";
  #nameEnd = 0;
  /** Four offsets an attribute, in order: name start, name end, value start, value end. */
  readonly #attributes: number[] = [];
  #attributesEnd = 0;
  #selfClosing = false;
  /** The element whose raw text follows, or "". */
  #rawTextOf = "";

  constructor(html: string) {
    this.#html = html;
  }

  /** Moves to the next tag or run of text. False at the end of the document. */
  next(): boolean {
    return this.#advance(true);
  }

  /** Moves to the next tag and passes all text over. False at the end of the document. */
  nextTag(): boolean {
    return this.#advance(false);
  }

  /** What the scanner stands on. Meaningless before the first move and after the last. */
  get kind(): TokenKind {
    return this.#kind;
  }

  /**
   * Of a tag, its name in lower case. Of text, the name of the element whose raw text it is (`script`, `style`,
   * `title`, ...); "" where it is text like any other.
   */
  get name(): string {
    this.#name ??= elementName(this.#html, this.#nameStart(), this.#nameEnd);
    return this.#name;
  }

  /** Where the token begins in the source, as an index. */
  get start(): number {
    return this.#start;
  }

  /** Just past the token's end in the source. */
  get end(): number {
    return this.#end;
  }

  /** Of a start tag: whether it ends in `/>`. In HTML itself that means nothing. */
  get selfClosing(): boolean {
    return this.#selfClosing;
  }

  /**
   * The value of a start tag's attribute, its character references decoded; "" where it has none, `undefined`
   * where there is no such attribute. Of several with one name the first counts. `name` is in lower case.
   */
  attribute(name: string): string | undefined {
    const offsets = this.#attributes;
    for (let i = 0; i < this.#attributesEnd; i += 4) {
      const start = offsets[i] as number;
      if ((offsets[i + 1] as number) - start !== name.length || !matchesName(this.#html, start, name))
        continue;
      return decodeValue(this.#html.slice(offsets[i + 2], offsets[i + 3]));
    }
    return undefined;
  }

  /** All attributes of a start tag: names in lower case, in the order of the source, each name once. */
  attributes(): Map<string, string> {
    const offsets = this.#attributes;
    const found = new Map<string, string>();
    for (let i = 0; i < this.#attributesEnd; i += 4) {
      const name = lowerCaseName(this.#html.slice(offsets[i], offsets[i + 1]));
      if (!found.has(name)) found.set(name, decodeValue(this.#html.slice(offsets[i + 2], offsets[i + 3])));
    }
    return found;
  }

  /** The text that the scanner stands on, decoded: character references, line ends, NUL. */
  text(): string {
    const source = this.#html.slice(this.#start, this.#end);
    const name = this.name;
    const text = normalizeLineEnds(source);
    // The tokenizer replaces NUL in raw text; in the body of a document tree construction drops it.
    if (name === "") return decodeCharacterReferences(text.replaceAll("\0", ""), false);
    const replaced = text.replaceAll("\0", "\uFFFD");
    return ESCAPABLE_RAW_TEXT.has(name) ? decodeCharacterReferences(replaced, false) : replaced;
  }

  #nameStart(): number {
    return this.#start + (this.#kind === "start" ? 1 : 2);
  }

  #advance(wantsText: boolean): boolean {
    if (this.#rawTextOf !== "" && this.#passRawText() && wantsText) return true;
    const html = this.#html;
    for (;;) {
      const textStart = this.#position;
      const markup = nextMarkup(html, textStart);
      this.#position = markup;
      if (markup > textStart && wantsText) return this.#stand("text", "", textStart, markup);
      if (markup >= html.length) return false;
      const code = html.charCodeAt(markup + 1);
      if (isLetter(code)) {
        if (this.#passTag("start", markup + 1)) return true;
      } else if (code === 0x2f && isLetter(html.charCodeAt(markup + 2))) {
        if (this.#passTag("end", markup + 2)) return true;
      } else {
        this.#position = endOfComment(html, markup);
      }
    }
  }

  #stand(kind: TokenKind, name: string | undefined, start: number, end: number): true {
    this.#kind = kind;
    this.#name = name;
    this.#start = start;
    this.#end = end;
    this.#position = end;
    this.#attributesEnd = 0;
    return true;
  }

  /** Passes over the raw text that follows its start tag. Whether there is any. */
  #passRawText(): boolean {
    const name = this.#rawTextOf;
    const start = this.#position;
    this.#rawTextOf = "";
    return this.#stand("text", name, start, endOfRawText(this.#html, start, name)) && this.#end > start;
  }

  /** Passes over the tag whose name begins at `nameStart`. False where the document ends in it. */
  #passTag(kind: "start" | "end", nameStart: number): boolean {
    const html = this.#html;
    const start = this.#position;
    let nameEnd = nameStart + 1;
    while (nameEnd < html.length && !endsTagName(html.charCodeAt(nameEnd))) nameEnd++;
    const end = this.#readAttributes(nameEnd);
    if (end < 0) {
      this.#position = html.length;
      return false;
    }
    this.#kind = kind;
    this.#start = start;
    this.#end = end;
    this.#position = end;
    this.#nameEnd = nameEnd;
    this.#name = undefined;
    if (kind === "start" && RAW_TEXT.has(this.name)) this.#rawTextOf = this.name;
    return true;
  }

  /**
   * Notes where the attributes stand that begin at `position`. Just past the tag's `>`, or -1 where the document
   * ends before it. https://html.spec.whatwg.org/#before-attribute-name-state and those after it.
   */
  #readAttributes(position: number): number {
    const html = this.#html;
    const offsets = this.#attributes;
    let count = 0;
    let at = position;
    this.#selfClosing = false;
    for (;;) {
      const code = html.charCodeAt(at);
      if (code === 0x3e) {
        this.#attributesEnd = count;
        return at + 1;
      }
      if (isSpace(code)) {
        at++;
        continue;
      }
      if (code === 0x2f) {
        at++;
        this.#selfClosing = html.charCodeAt(at) === 0x3e;
        continue;
      }
      if (at >= html.length) return -1;
      const nameStart = at++; // A first `=` belongs to the name.
      while (at < html.length && !endsAttributeName(html.charCodeAt(at))) at++;
      const nameEnd = at;
      at = skipSpace(html, at);
      let valueStart = nameEnd;
      let valueEnd = nameEnd;
      if (html.charCodeAt(at) === 0x3d) {
        at = skipSpace(html, at + 1);
        const quote = html.charCodeAt(at);
        if (quote === 0x22 || quote === 0x27) {
          valueStart = at + 1;
          valueEnd = html.indexOf(quote === 0x22 ? '"' : "'", valueStart);
          if (valueEnd < 0) return -1;
          at = valueEnd + 1;
        } else {
          valueStart = at;
          while (at < html.length && !endsUnquotedValue(html.charCodeAt(at))) at++;
          valueEnd = at;
        }
      }
      offsets[count++] = nameStart;
      offsets[count++] = nameEnd;
      offsets[count++] = valueStart;
      offsets[count++] = valueEnd;
    }
  }
}

/** Where the next tag, comment or the like begins; the document's length where none does. */
function nextMarkup(html: string, position: number): number {
  for (let at = html.indexOf("<", position); at >= 0; at = html.indexOf("<", at + 1)) {
    const code = html.charCodeAt(at + 1);
    if (isLetter(code) || code === 0x21 || code === 0x3f) return at;
    if (code === 0x2f && at + 2 < html.length) return at;
  }
  return html.length;
}

function decodeValue(source: string): string {
  if (!/[&\r\0]/.test(source)) return source;
  return decodeCharacterReferences(normalizeLineEnds(source).replaceAll("\0", "\uFFFD"), true);
}

// https://html.spec.whatwg.org/#preprocessing-the-input-stream, done late: CR and LF both count as white space.
function normalizeLineEnds(source: string): string {
  return source.includes("\r") ? source.replace(/\r\n?/g, "\n") : source;
}

function skipSpace(html: string, position: number): number {
  let at = position;
  while (isSpace(html.charCodeAt(at))) at++;
  return at;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** ASCII white space: tab, line feed, form feed, carriage return, space. */
function isSpace(code: number): boolean {
  return code === 0x20 || (code <= 0x0d && code >= 0x09 && code !== 0x0b);
}

/** White space, `/` or `>`. */
function endsTagName(code: number): boolean {
  return code === 0x3e || code === 0x2f || isSpace(code);
}

/** White space, `/`, `>` or `=`. */
function endsAttributeName(code: number): boolean {
  return code === 0x3d || code === 0x3e || code === 0x2f || isSpace(code);
}

/** White space or `>`. */
function endsUnquotedValue(code: number): boolean {
  return code === 0x3e || isSpace(code);
}
