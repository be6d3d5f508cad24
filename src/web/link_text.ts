/** The text that readers see of a link, put together from the runs of text inside it. */

/** A link's text is cut here, in UTF-16 code units. */
const MAX_LINK_TEXT = 500;

/** Elements that stand on a line of their own: the words on both sides of their tags are not one word. */
const PARTS_WORDS: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote br button caption center dd details dialog dir div dl dt fieldset figcaption " +
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li legend main menu nav ol optgroup option p pre search " +
    "section select summary table tbody td tfoot th thead tr ul"
  ).split(" "),
);

/** How much text is gathered before its white space is collapsed. */
const MAX_GATHERED = 2_000;

export class LinkText {
  #text = "";

  /** Whether there is as much of it as is kept. */
  get isFull(): boolean {
    return this.#text.length > MAX_GATHERED;
  }

  /** Begins the text of another link. */
  clear(): void {
    this.#text = "";
  }

  add(text: string): void {
    if (this.isFull) return;
    this.#text += text;
    if (!this.isFull) return;
    const collapsed = collapseSpace(this.#text);
    if (collapsed.length <= MAX_LINK_TEXT) this.#text = collapsed;
  }

  /** Takes note of a tag between two runs of text. */
  addTag(name: string): void {
    if (PARTS_WORDS.has(name)) this.add(" ");
  }

  toString(): string {
    return cut(tidySpace(this.#text));
  }
}

/** Strips and collapses ASCII white space. https://infra.spec.whatwg.org/#strip-and-collapse-ascii-whitespace */
export function tidySpace(text: string): string {
  return isTidy(text) ? text : collapseSpace(text).replace(/^ | $/g, "");
}

/** Whether nothing is to be stripped or collapsed, as in most texts: told without a regular expression, for speed. */
function isTidy(text: string): boolean {
  let before = 0x20;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || (code === 0x20 && before === 0x20)) return false;
    before = code;
  }
  return before !== 0x20 || text === "";
}

function collapseSpace(text: string): string {
  return text.replace(/[\t\n\f\r ]+/g, " ");
}

/** Cuts a text to its bound, and no character in two. */
function cut(text: string): string {
  if (text.length <= MAX_LINK_TEXT) return text;
  const isPairSplit = (text.charCodeAt(MAX_LINK_TEXT - 1) & 0xfc00) === 0xd800;
  return text.slice(0, isPairSplit ? MAX_LINK_TEXT - 1 : MAX_LINK_TEXT);
}
