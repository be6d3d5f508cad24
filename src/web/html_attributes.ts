import { endsAttributeName, endsUnquotedValue, isSpace, skipSpace } from "./html_characters.ts";
import { lowerCaseName, matchesName } from "./html_names.ts";
import { decodeAttribute, isNormal } from "./html_text.ts";

/** The attributes of one tag at a time, as places in the document: nothing is cut out before it is asked for. */
export class TagAttributes {
  readonly #html: string;
  readonly #isNormal: boolean;
  /** Four offsets an attribute, in order: name start, name end, value start, value end. */
  readonly #offsets: number[] = [];
  #count = 0;
  #selfClosing = false;

  constructor(html: string) {
    this.#html = html;
    this.#isNormal = isNormal(html);
  }

  /** Whether the tag ends in `/>`. */
  get selfClosing(): boolean {
    return this.#selfClosing;
  }

  get(name: string): string | undefined {
    const offsets = this.#offsets;
    for (let i = 0; i < this.#count; i += 4) {
      const start = offsets[i] as number;
      if ((offsets[i + 1] as number) - start !== name.length || !matchesName(this.#html, start, name))
        continue;
      return decodeAttribute(this.#html.slice(offsets[i + 2], offsets[i + 3]), this.#isNormal);
    }
    return undefined;
  }

  all(): Map<string, string> {
    const offsets = this.#offsets;
    const found = new Map<string, string>();
    for (let i = 0; i < this.#count; i += 4) {
      const name = lowerCaseName(this.#html.slice(offsets[i], offsets[i + 1]));
      if (!found.has(name))
        found.set(name, decodeAttribute(this.#html.slice(offsets[i + 2], offsets[i + 3]), this.#isNormal));
    }
    return found;
  }

  /** Forgets the last tag's. Gives back `end`, for a tag that has none. */
  clear(end = 0): number {
    this.#count = 0;
    this.#selfClosing = false;
    return end;
  }

  /**
   * Reads the attributes that begin at `position`, behind the tag's name. Just past the tag's `>`; -1 where the
   * document ends before it. https://html.spec.whatwg.org/#before-attribute-name-state and the states after it.
   */
  read(position: number): number {
    const html = this.#html;
    this.#count = 0;
    this.#selfClosing = false;
    let at = position;
    for (;;) {
      const code = html.charCodeAt(at);
      if (code === 0x3e) return at + 1;
      if (isSpace(code)) {
        at++;
      } else if (code === 0x2f) {
        at++;
        this.#selfClosing = html.charCodeAt(at) === 0x3e;
      } else {
        if (at >= html.length) return -1;
        at = this.#readOne(at);
        if (at < 0) return -1;
      }
    }
  }

  #readOne(nameStart: number): number {
    const html = this.#html;
    let nameEnd = nameStart + 1; // A first `=` belongs to the name.
    while (nameEnd < html.length && !endsAttributeName(html.charCodeAt(nameEnd))) nameEnd++;
    const equals = skipSpace(html, nameEnd);
    if (html.charCodeAt(equals) !== 0x3d) return this.#note(nameStart, nameEnd, nameEnd, nameEnd, equals);
    const start = skipSpace(html, equals + 1);
    const quote = html.charCodeAt(start);
    if (quote === 0x22 || quote === 0x27) {
      const end = html.indexOf(quote === 0x22 ? '"' : "'", start + 1);
      return end < 0 ? -1 : this.#note(nameStart, nameEnd, start + 1, end, end + 1);
    }
    let end = start;
    while (end < html.length && !endsUnquotedValue(html.charCodeAt(end))) end++;
    return this.#note(nameStart, nameEnd, start, end, end);
  }

  /** Keeps one attribute's offsets and gives back where the next is looked for. */
  #note(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number, next: number): number {
    const offsets = this.#offsets;
    offsets[this.#count++] = nameStart;
    offsets[this.#count++] = nameEnd;
    offsets[this.#count++] = valueStart;
    offsets[this.#count++] = valueEnd;
    return next;
  }
}
