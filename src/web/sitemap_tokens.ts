/** What an {@link XmlTokenizer} finds; `raw` is the text as it stands in the file. */
export interface TokenSink {
  /** A start tag. `isEmpty`: it ends in `/>`. */
  open(name: string, raw: string, isEmpty: boolean): void;
  close(name: string, raw: string): void;
  /** Text and CDATA sections, in pieces that may end anywhere. A stray `<` comes as `&lt;`. */
  content(raw: string): void;
  /** A `<` that begins nothing. */
  damage(message: string): void;
}

type Mode = "content" | "tag" | "comment" | "cdata" | "instruction" | "declaration";

// A tag that is still not closed after so much text is none.
const MAX_TAG_CHARS = 65_536;
const NAME_START = /[\p{L}_:]/u;

/**
 * Cuts XML text that arrives in pieces into tags and what lies between them. Comments, processing instructions and
 * the document type with all that it declares are passed over. Well-formedness is not asked for: where markup breaks
 * off at a `<` that cannot be in it, what came before counts as text, so that one damage does not reach the next tag.
 */
export class XmlTokenizer {
  #sink: TokenSink;
  #mode: Mode = "content";
  /** Text that cannot be judged before more has come: at most as long as the longest fixed delimiter. */
  #carry = "";
  #tag: string[] = [];
  #tagChars = 0;
  /** The quote that is open, in a tag or a declaration. */
  #quote = "";
  #isInSubset = false;
  #isInDeclaration = false;

  constructor(sink: TokenSink) {
    this.#sink = sink;
  }

  /** What the file would end in the middle of, if it ended here; `undefined` between constructs. */
  get pending(): Exclude<Mode, "content"> | undefined {
    if (this.#mode !== "content") return this.#mode;
    return this.#carry === "" ? undefined : "tag";
  }

  write(piece: string): void {
    const text = this.#carry + piece;
    this.#carry = "";
    for (let at = 0; at < text.length; ) {
      const next = this.#step(text, at);
      if (next === undefined) return;
      at = next;
    }
  }

  /** Reads on from `at`; gives the place it came to, or `undefined` where more text is needed. */
  #step(text: string, at: number): number | undefined {
    switch (this.#mode) {
      case "content":
        return this.#readContent(text, at);
      case "tag":
        return this.#readTag(text, at);
      case "comment":
        return this.#skipPast("-->", text, at);
      case "instruction":
        return this.#skipPast("?>", text, at);
      case "cdata":
        return this.#readCdata(text, at);
      case "declaration":
        return this.#skipDeclaration(text, at);
      default:
        return this.#mode satisfies never;
    }
  }

  #readContent(text: string, at: number): number | undefined {
    const start = text.indexOf("<", at);
    if (start !== at) this.#sink.content(start < 0 ? text.slice(at) : text.slice(at, start));
    return start < 0 ? undefined : this.#readMarkupStart(text, start);
  }

  #readMarkupStart(text: string, start: number): number | undefined {
    const second = text[start + 1];
    if (second === undefined || (second === "!" && isUndecided(text, start))) return this.#wait(text, start);
    if (second === "/" || NAME_START.test(second)) return this.#enter("tag", start);
    if (second === "?") return this.#enter("instruction", start + 2);
    if (text.startsWith("<!--", start)) return this.#enter("comment", start + 4);
    if (text.startsWith(CDATA_START, start)) {
      this.#sink.content(CDATA_START);
      return this.#enter("cdata", start + CDATA_START.length);
    }
    if (/^<![A-Za-z]/.test(text.slice(start, start + 3))) return this.#enter("declaration", start + 2);
    this.#tellStray("<");
    return start + 1;
  }

  #enter(mode: Mode, at: number): number {
    this.#mode = mode;
    return at;
  }

  #wait(text: string, at: number): undefined {
    this.#carry = text.slice(at);
  }

  #tellStray(raw: string): void {
    this.#sink.damage("a stray <");
    this.#sink.content(`&lt;${raw.slice(1)}`);
  }

  #readTag(text: string, from: number): number | undefined {
    const delimiter = this.#quote === "" ? /[<>"']/g : this.#quote === '"' ? /[<"]/g : /[<']/g;
    // The "<" that begins the tag must not end it.
    delimiter.lastIndex = this.#tagChars === 0 ? from + 1 : from;
    const limit = from + MAX_TAG_CHARS - this.#tagChars;
    const end = Math.min(delimiter.exec(text)?.index ?? text.length, limit);
    this.#keepTag(text.slice(from, end));
    // XML 1.0 §3.1: "<" is allowed nowhere in a tag, not even between quotes.
    if (end === limit || text[end] === "<") {
      this.#tellStray(this.#takeTag());
      return end;
    }
    const found = text[end];
    if (found === undefined) return undefined;
    this.#keepTag(found);
    if (found === ">") this.#emitTag(this.#takeTag());
    else this.#quote = this.#quote === "" ? found : "";
    return end + 1;
  }

  #keepTag(part: string): void {
    this.#tag.push(part);
    this.#tagChars += part.length;
  }

  #takeTag(): string {
    const raw = this.#tag.join("");
    this.#tag = [];
    this.#tagChars = 0;
    this.#quote = "";
    this.#mode = "content";
    return raw;
  }

  #emitTag(raw: string): void {
    if (raw[1] === "/") {
      this.#sink.close(raw.slice(2, -1).trim(), raw);
    } else {
      const name = /[^\s/>]+/.exec(raw.slice(1))?.[0] ?? "";
      this.#sink.open(name, raw, raw.endsWith("/>"));
    }
  }

  #readCdata(text: string, at: number): number | undefined {
    const end = text.indexOf("]]>", at);
    if (end < 0) {
      const kept = lengthOfOverlap(text, at, "]]>");
      this.#sink.content(text.slice(at, text.length - kept));
      return this.#wait(text, text.length - kept);
    }
    this.#sink.content(text.slice(at, end + 3));
    return this.#enter("content", end + 3);
  }

  #skipPast(terminator: string, text: string, at: number): number | undefined {
    const end = text.indexOf(terminator, at);
    if (end < 0) return this.#wait(text, text.length - lengthOfOverlap(text, at, terminator));
    return this.#enter(this.#isInDeclaration ? "declaration" : "content", end + terminator.length);
  }

  #skipDeclaration(text: string, from: number): number | undefined {
    this.#isInDeclaration = true;
    if (this.#quote !== "") {
      const end = text.indexOf(this.#quote, from);
      if (end < 0) return undefined;
      this.#quote = "";
      return end + 1;
    }
    const delimiter = /["'[\]<>]/g;
    delimiter.lastIndex = from;
    const at = delimiter.exec(text)?.index;
    return at === undefined ? undefined : this.#stepInDeclaration(text, at);
  }

  #stepInDeclaration(text: string, at: number): number | undefined {
    const char = text[at] as string;
    if (char === '"' || char === "'") this.#quote = char;
    else if (char === "[") this.#isInSubset = true;
    else if (char === "]") this.#isInSubset = false;
    else if (char === "<") {
      if (text.length < at + 4) return this.#wait(text, at);
      if (text.startsWith("<!--", at)) return this.#enter("comment", at + 4);
      if (text.startsWith("<?", at)) return this.#enter("instruction", at + 2);
    } else if (!this.#isInSubset) {
      this.#isInDeclaration = false;
      return this.#enter("content", at + 1);
    }
    return at + 1;
  }
}

const CDATA_START = "<![CDATA[";

/** Whether `text` ends before it shows which kind of `<!` begins at `start`. */
function isUndecided(text: string, start: number): boolean {
  if (text.length >= start + CDATA_START.length) return false;
  const head = text.slice(start);
  return CDATA_START.startsWith(head) || "<!--".startsWith(head);
}

/** How much of the terminator's beginning stands at the end of `text`, not before `at`. */
function lengthOfOverlap(text: string, at: number, terminator: string): number {
  for (let length = terminator.length - 1; length > 0; length--) {
    if (text.length - length >= at && text.endsWith(terminator.slice(0, length))) return length;
  }
  return 0;
}
