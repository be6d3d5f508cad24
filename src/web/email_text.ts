import { decodeCharacterReferences } from "./character_references.ts";
import { SEAM } from "./email_address.ts";

/** Stands between two blocks; no address and no spelling of one goes over it. */
const BREAK = "\u0002";

/** Invisible marks that tell where a word may be broken, and hide an address from those who search for it. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;

/**
 * The text of a document, gathered run by run, and where in it character references stood. Its words are those that a
 * reader sees; where inline markup begins or ends stands a {@link SEAM}, and blocks are kept apart.
 */
export class DocumentText {
  #text = "";
  readonly #hasInvisible: boolean;
  /** Start and end, alternating, of what was written as character references. */
  readonly #references: number[] = [];
  /** The first of these that ends behind all that was asked for. */
  #nextReference = 0;

  constructor(html: string) {
    this.#hasInvisible = html.search(INVISIBLE) >= 0;
  }

  get text(): string {
    return this.#text;
  }

  /** Adds a run of text, as the document's source has it. */
  add(source: string): void {
    if (source.includes("&")) this.#addDecoded(source);
    else this.#text += this.#hasInvisible ? source.replace(INVISIBLE, "") : source;
  }

  addSeam(): void {
    this.#text += SEAM;
  }

  addBreak(): void {
    this.#text += BREAK;
  }

  /** Whether any of the text between was written as character references. To be asked in ascending order. */
  hasReference(start: number, end: number): boolean {
    while ((this.#references[this.#nextReference + 1] ?? Number.POSITIVE_INFINITY) <= start)
      this.#nextReference += 2;
    return (this.#references[this.#nextReference] ?? Number.POSITIVE_INFINITY) < end;
  }

  #addDecoded(source: string): void {
    for (const part of source.split(/(&#?[0-9A-Za-z]+;?)/)) {
      const decoded = part.startsWith("&") ? decodeCharacterReferences(part, false) : part;
      const start = this.#text.length;
      this.#text += decoded.replace(INVISIBLE, "");
      if (decoded !== part) this.#references.push(start, this.#text.length);
    }
  }
}
