import { TagAttributes } from "./html_attributes.ts";
import { endsTagName, isLetter } from "./html_characters.ts";
import { type ElementName, elementName, type NameFilter } from "./html_names.ts";
import type { Namespace } from "./html_open_elements.ts";
import { endOfCdata, endOfComment, endOfRawText, startsCdata } from "./html_raw_text.ts";
import { decodeText, type TextMode, textKinds } from "./html_text.ts";
import { HtmlTree } from "./html_tree.ts";

/** What a scanner stands on: a start tag, an end tag, or a run of text. */
export type TokenKind = "start" | "end" | "text";

/**
 * A cursor over the tags and the text of an HTML document, by the states of the HTML standard's tokenizer
 * (https://html.spec.whatwg.org/#tokenization), with scripting off. It makes no object a tag and none an
 * attribute: it stands on one token at a time and answers what it is asked.
 *
 * Comments, doctypes and processing instructions are passed over. Whatever stands between `<script>` and its
 * end tag, likewise in `style`, `title`, `textarea`, `xmp`, `iframe`, `noembed`, `noframes` and after
 * `plaintext`, is one run of text with that element's `name`. A tag that the document ends in is no token.
 * SVG, MathML, templates and framesets are followed by the rules of tree construction, so that a `<style>` or a
 * `<title>` in an SVG image is read as what it is there. Any text at all is read, in time that grows with its
 * length.
 *
 * @example
 * ```ts
 * const scanner = new HtmlScanner("<p>See <a href=/x?a&amp;b>this</a><script>not this</script>");
 * while (scanner.next()) {
 *   if (scanner.kind === "text" && scanner.name === "") console.log(scanner.text());
 *   if (scanner.kind === "start" && scanner.name === "a") console.log(scanner.attribute("href"));
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
  #textOf = "";
  /** Of a tag; `undefined` until it is asked for. */
  #element: ElementName | undefined;
  #nameEnd = 0;
  #namespace: Namespace | undefined;
  #textMode: TextMode = "body";
  readonly #attributes: TagAttributes;
  /** The element whose raw text is next. */
  #rawTextOf: ElementName | undefined;
  /** Whether the next end tag closes raw text, of which tree construction hears nothing. */
  #closesRawText = false;
  /** Made when the document needs it. */
  #tree: HtmlTree | undefined;

  constructor(html: string) {
    this.#html = html;
    this.#attributes = new TagAttributes(html);
  }

  /** Moves to the next tag or run of text. False at the end of the document. */
  next(): boolean {
    return this.#advance(true);
  }

  /** Moves to the next tag and passes all text over. False at the end of the document. */
  nextTag(): boolean {
    return this.#advance(false);
  }

  /**
   * Moves to the next start tag of which `names` may hold the name, or to one of another name now and then, and passes
   * all else over. False at the end of the document.
   */
  nextStartTag(names: NameFilter): boolean {
    do {
      if (this.#tree === undefined && this.#rawTextOf === undefined) this.#passOver(names);
      if (!this.nextTag()) return false;
    } while (this.#kind === "end");
    return true;
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
    return this.#kind === "text" ? this.#textOf : this.#elementName().name;
  }

  /** Where the token begins in the source, as an index. */
  get start(): number {
    return this.#start;
  }

  /** Just past the token's end in the source. */
  get end(): number {
    return this.#end;
  }

  /** The token as written. */
  get source(): string {
    return this.#html.slice(this.#start, this.#end);
  }

  /** Of a start tag: whether it ends in `/>`. In HTML itself that means nothing. */
  get selfClosing(): boolean {
    return this.#attributes.selfClosing;
  }

  /**
   * Of a start tag: the namespace of its element; `undefined` where it makes none, as a `frame` outside of a
   * frameset and a link inside of one. For tags that only arrange a document (`tr`, `body`, ...) it says "html".
   */
  get namespace(): Namespace | undefined {
    return this.#namespace;
  }

  /** Whether what follows the token is inside of a template, and so no part of the document. */
  get isInTemplate(): boolean {
    return this.#tree?.isInTemplate === true;
  }

  /**
   * Of a start tag `frameset` that takes the body's place: where in the source that body began. All between there
   * and here is no part of the document. `undefined` for any other tag.
   */
  get replacedFrom(): number | undefined {
    return this.#tree?.replacedFrom;
  }

  /**
   * The value of a start tag's attribute, its character references decoded; "" where it has none, `undefined`
   * where there is no such attribute and for text. Of several with one name the first counts. `name` is in lower case.
   */
  attribute(name: string): string | undefined {
    return this.#attributes.get(name);
  }

  /** All attributes of a start tag: names in lower case, in the order of the source, each name once. */
  attributes(): Map<string, string> {
    return this.#attributes.all();
  }

  /** The text that the scanner stands on, decoded: character references, line ends, NUL. */
  text(): string {
    return decodeText(this.source, this.#textMode);
  }

  #advance(wantsText: boolean): boolean {
    if (this.#rawTextOf && this.#passRawText(this.#rawTextOf) && wantsText) return true;
    const html = this.#html;
    for (;;) {
      const textStart = this.#position;
      const markup = nextMarkup(html, textStart);
      this.#position = markup;
      if (markup > textStart) {
        const mode = this.#tree ? this.#tellText(this.#tree, textStart, markup) : "body";
        if (wantsText) return this.#standOnText("", mode, textStart, markup);
      }
      if (markup >= html.length) return false;
      const code = html.charCodeAt(markup + 1);
      if (isLetter(code)) {
        if (this.#passStartTag(markup)) return true;
      } else if (code === 0x2f && isLetter(html.charCodeAt(markup + 2))) {
        if (this.#passEndTag(markup)) return true;
      } else if (this.#tree?.isForeign && startsCdata(html, markup)) {
        if (this.#passCdata(this.#tree, markup) && wantsText) return true;
      } else {
        this.#position = endOfComment(html, markup);
      }
    }
  }

  /** Passes over text and tags, up to a start tag of which `names` may hold the name, or to what is no tag. */
  #passOver(names: NameFilter): void {
    const html = this.#html;
    for (;;) {
      const markup = nextMarkup(html, this.#position);
      this.#position = markup;
      if (markup >= html.length) return;
      const isEndTag = html.charCodeAt(markup + 1) === 0x2f;
      const nameStart = markup + (isEndTag ? 2 : 1);
      const first = html.charCodeAt(nameStart);
      if (!isLetter(first)) return;
      const nameEnd = endOfTagName(html, nameStart);
      if (!isEndTag && names.mayHold(nameEnd - nameStart, first)) return;
      const end = this.#attributes.read(nameEnd);
      if (end < 0) return;
      this.#position = end;
      this.#closesRawText = false;
    }
  }

  #elementName(): ElementName {
    this.#element ??= elementName(this.#html, this.#start + (this.#kind === "start" ? 1 : 2), this.#nameEnd);
    return this.#element;
  }

  #standOnText(name: string, mode: TextMode, start: number, end: number): boolean {
    this.#kind = "text";
    this.#textOf = name;
    this.#textMode = mode;
    this.#start = start;
    this.#end = end;
    this.#attributes.clear();
    return end > start;
  }

  #tellText(tree: HtmlTree, start: number, end: number): TextMode {
    const mode = tree.keepsNul ? "foreign" : "body";
    for (const kind of textKinds(this.#html, start, end, mode)) tree.text(kind, start);
    return mode;
  }

  /** Passes over the raw text that follows its start tag. Whether there is any. */
  #passRawText({ name, rawText = "raw text" }: ElementName): boolean {
    const start = this.#position;
    this.#rawTextOf = undefined;
    this.#closesRawText = true;
    this.#position = endOfRawText(this.#html, start, name);
    return this.#standOnText(name, rawText, start, this.#position);
  }

  #passCdata(tree: HtmlTree, markup: number): boolean {
    const { start, end, next } = endOfCdata(this.#html, markup);
    this.#position = next;
    for (const kind of textKinds(this.#html, start, end, "raw text")) tree.text(kind, start);
    return this.#standOnText("", "raw text", start, end);
  }

  #passStartTag(start: number): boolean {
    if (!this.#passTag("start", start)) return false;
    const element = this.#elementName();
    if (!this.#tree && element.needsTree) this.#tree = this.#treeUpTo(start);
    if (this.#tree) this.#namespace = this.#tree.startTag(this);
    else this.#namespace = element.name === "frame" ? undefined : "html";
    if (element.rawText && this.#namespace === "html") this.#rawTextOf = element;
    return true;
  }

  /** Where tree construction stands before `position`: what came before is read once more. */
  #treeUpTo(position: number): HtmlTree {
    const tree = new HtmlTree();
    const before = new HtmlScanner(this.#html.slice(0, position));
    before.#tree = tree;
    while (before.next());
    return tree;
  }

  #passEndTag(start: number): boolean {
    if (!this.#passTag("end", start)) return false;
    if (this.#tree && !this.#closesRawText) this.#tree.endTag(this.name, start);
    this.#closesRawText = false;
    return true;
  }

  /** Passes over the tag that begins at `start`. False where the document ends in it. */
  #passTag(kind: "start" | "end", start: number): boolean {
    const html = this.#html;
    const nameEnd = endOfTagName(html, start + (kind === "start" ? 1 : 2));
    this.#kind = kind;
    this.#start = start;
    this.#nameEnd = nameEnd;
    this.#element = undefined;
    // Most tags end here, and end tags almost always.
    const end =
      html.charCodeAt(nameEnd) === 0x3e
        ? this.#attributes.clear(nameEnd + 1)
        : this.#attributes.read(nameEnd);
    this.#end = this.#position = end < 0 ? html.length : end;
    return end >= 0;
  }
}

/** Just past the name that begins at `start`, with a letter. */
function endOfTagName(html: string, start: number): number {
  let end = start + 1;
  while (end < html.length && !endsTagName(html.charCodeAt(end))) end++;
  return end;
}

/** Where the next tag, comment or the like begins; the document's length where none does. */
function nextMarkup(html: string, position: number): number {
  // Asked for a code past the end even once, V8 makes each of them a double.
  if (position >= html.length) return html.length;
  // Tags often stand side by side.
  const first = html.charCodeAt(position) === 0x3c ? position : html.indexOf("<", position);
  for (let at = first; at >= 0; at = html.indexOf("<", at + 1)) {
    const code = html.charCodeAt(at + 1);
    if (isLetter(code) || code === 0x21 || code === 0x3f) return at;
    if (code === 0x2f && at + 2 < html.length) return at;
  }
  return html.length;
}
