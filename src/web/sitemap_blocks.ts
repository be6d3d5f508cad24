import { type TokenSink, XmlTokenizer } from "./sitemap_tokens.ts";

/** What a {@link BlockCutter} cuts a file into. */
export type XmlPart =
  | { type: "root"; name: string; xml: string }
  | { type: "entry"; xml: string }
  | { type: "problem"; message: string };

/** How a document is cut: the local names, in lower case, of the elements that are one entry each. */
export type EntryNames = (rootName: string) => ReadonlySet<string> | undefined;

// Room for a thousand images or translations of one page, or for a whole article in a feed.
const MAX_BLOCK_CHARS = 1_048_576;
const MAX_DEPTH = 64;

/**
 * Cuts XML text that arrives in pieces into its entries, each a well-formed element by itself: an element that was not
 * closed is closed, an end tag without a start is left out, and each such mending is told.
 */
export class BlockCutter {
  #entryNames: EntryNames;
  #tokenizer = new XmlTokenizer(this.#sink());
  #parts: XmlPart[] = [];
  #root = "";
  #isRootClosed = false;
  #names: ReadonlySet<string> | undefined;
  #block: Block | undefined;

  constructor(entryNames: EntryNames) {
    this.#entryNames = entryNames;
  }

  /** The parts that are complete now. */
  write(text: string): XmlPart[] {
    this.#tokenizer.write(text);
    return this.#takeParts();
  }

  /** What is left at the end of the file: the entry that was cut, as far as it is whole, and what is wrong. */
  end(): XmlPart[] {
    const pending = this.#tokenizer.pending;
    const inside = pending === undefined ? "" : ` in the middle of a ${pending}`;
    if (this.#block !== undefined) this.#breakOff(`the file ends within <${this.#block.name}>${inside}`);
    else if (this.#root === "") this.#tell(`the file ends before its root element${inside}`);
    else if (!this.#isRootClosed) this.#tell(`the file ends before </${this.#root}>${inside}`);
    return this.#takeParts();
  }

  #takeParts(): XmlPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  #tell(message: string): void {
    this.#parts.push({ type: "problem", message });
  }

  #sink(): TokenSink {
    return {
      open: (name, raw, isEmpty) => this.#open(name, raw, isEmpty),
      close: (name, raw) => this.#close(name, raw),
      content: (raw) => this.#block?.add(raw),
      damage: (message) => this.#damage(message),
    };
  }

  #damage(message: string): void {
    if (this.#block !== undefined) this.#block.damage ??= message;
    else this.#tell(message);
  }

  #open(name: string, raw: string, isEmpty: boolean): void {
    if (this.#block?.name === name) this.#breakOff(`<${name}> is not closed`);
    if (this.#block !== undefined) this.#block.open(name, raw, isEmpty);
    else if (this.#names?.has(localName(name))) this.#begin(name, raw, isEmpty);
    else if (this.#root === "" || this.#isRootClosed) this.#openRoot(name, raw, isEmpty);
  }

  #openRoot(name: string, raw: string, isEmpty: boolean): void {
    const names = this.#entryNames(localName(name));
    if (this.#root !== "") {
      if (names === undefined) return;
      this.#tell(`another <${name}> after the end of the first`);
    }
    this.#root = name;
    this.#isRootClosed = isEmpty;
    this.#names = names;
    this.#parts.push({ type: "root", name: localName(name), xml: isEmpty ? raw : `${raw.slice(0, -1)}/>` });
  }

  #begin(name: string, raw: string, isEmpty: boolean): void {
    this.#block = new Block(name);
    this.#block.open(name, raw, isEmpty);
    if (isEmpty) this.#finish();
  }

  #close(name: string, raw: string): void {
    if (this.#block === undefined) {
      if (name === this.#root) this.#isRootClosed = true;
    } else if (name === this.#root) {
      this.#breakOff(`<${this.#block.name}> is not closed`);
      this.#isRootClosed = true;
    } else {
      this.#block.close(name, raw);
      if (this.#block.isClosed) this.#finish();
    }
  }

  #breakOff(message: string): void {
    if (this.#block === undefined) return;
    if (this.#block.hasWholeChild) {
      this.#block.damage = message;
      this.#block.cutToWhole();
      this.#finish();
    } else {
      this.#block = undefined;
      this.#tell(message);
    }
  }

  #finish(): void {
    const { xml, damage } = this.#block as Block;
    this.#block = undefined;
    if (xml !== undefined) this.#parts.push({ type: "entry", xml });
    if (damage !== undefined) this.#tell(damage);
  }
}

/** An element's name in lower case, without its prefix. Capitals are wrong in XML, and understood all the same. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}

/** One entry as it grows. */
class Block {
  readonly name: string;
  /** The first thing that was wrong with it. */
  damage: string | undefined;
  #parts: string[] = [];
  #chars = 0;
  #openNames: string[] = [];
  /** How many parts there were when last no child was open: up to there it is whole. */
  #wholeParts = 0;

  constructor(name: string) {
    this.name = name;
  }

  get isClosed(): boolean {
    return this.#openNames.length === 0;
  }

  get hasWholeChild(): boolean {
    return this.#wholeParts > 1;
  }

  /** The element's text; `undefined` where it grew too large. */
  get xml(): string | undefined {
    return this.#chars > MAX_BLOCK_CHARS ? undefined : this.#parts.join("");
  }

  add(raw: string): void {
    this.#chars += raw.length;
    if (this.#chars <= MAX_BLOCK_CHARS) this.#parts.push(raw);
    else {
      this.#parts = [];
      this.damage = `<${this.name}> is larger than ${MAX_BLOCK_CHARS} characters: left out`;
    }
  }

  open(name: string, raw: string, isEmpty: boolean): void {
    if (this.#openNames.length >= MAX_DEPTH) {
      this.damage ??= `<${name}> is nested too deeply: left out`;
      return;
    }
    this.add(raw);
    if (!isEmpty) this.#openNames.push(name);
    this.#noteWhole();
  }

  close(name: string, raw: string): void {
    const at = this.#openNames.lastIndexOf(name);
    if (at < 0) {
      this.damage ??= `</${name}> without <${name}>`;
      return;
    }
    for (const unclosed of this.#openNames.splice(at + 1).reverse()) this.#mend(unclosed);
    this.#openNames.pop();
    this.add(raw);
    this.#noteWhole();
  }

  /** Leaves out the child that is not closed, and closes the element itself. */
  cutToWhole(): void {
    this.#parts.length = Math.min(this.#parts.length, this.#wholeParts);
    this.#openNames = [];
    this.add(`</${this.name}>`);
  }

  #mend(name: string): void {
    this.damage ??= `<${name}> is not closed`;
    this.add(`</${name}>`);
  }

  #noteWhole(): void {
    if (this.#openNames.length === 1) this.#wholeParts = this.#parts.length;
  }
}
