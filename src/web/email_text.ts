import { decodeCharacterReferences } from "./character_references.ts";
import { SEAM } from "./email_address.ts";

/** Invisible marks that tell where a word may be broken, and hide an address from those who search for it. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;

/**
 * The text of one block of a document, gathered run by run, and where in it character references stood. Its words are
 * those that a reader sees; where inline markup begins or ends stands a {@link SEAM}.
 */
export class BlockText {
  #text = "";
  /** Start and end, alternating, of what was written as character references. */
  readonly #references: number[] = [];
  /** The first of these that ends behind all that was asked for. */
  #nextReference = 0;

  get text(): string {
    return this.#text;
  }

  /** Adds a run of text, as the document's source has it. */
  add(source: string): void {
    if (!source.includes("&")) {
      this.#append(source);
      return;
    }
    for (const part of source.split(/(&#?[0-9A-Za-z]+;?)/)) {
      const decoded = part.startsWith("&") ? decodeCharacterReferences(part, false) : part;
      if (decoded !== part) this.#references.push(this.#text.length, this.#text.length + decoded.length);
      this.#append(decoded);
    }
  }

  addSeam(): void {
    this.#text += SEAM;
  }

  /** Whether any of the text between was written as character references. To be asked in ascending order. */
  hasReference(start: number, end: number): boolean {
    while ((this.#references[this.#nextReference + 1] ?? Number.POSITIVE_INFINITY) <= start)
      this.#nextReference += 2;
    return (this.#references[this.#nextReference] ?? Number.POSITIVE_INFINITY) < end;
  }

  #append(text: string): void {
    this.#text += text.replace(INVISIBLE, "");
  }
}
