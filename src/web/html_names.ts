/**
 * The element names of HTML, and how a name in the source is turned into one of them without making a string.
 */

import type { TextMode } from "./html_text.ts";

// Those that a reader of links or the rules of tree construction ask for, and those that pages are full of, these first.
const KNOWN_NAMES =
  "div span li td tr script style link meta input button code small table strong section img h2 h3 th em dd " +
  "dt a abbr address annotation-xml applet area article aside audio b base basefont bgsound big blockquote " +
  "body br canvas caption center circle cite col colgroup datalist del desc details dfn dialog dir dl embed " +
  "fieldset figcaption figure font footer foreignobject form frame frameset g h1 h4 h5 h6 head header " +
  "hgroup hr html i iframe image ins kbd keygen label legend line listing main malignmark map mark marquee " +
  "math menu mglyph mi mn mo ms mtext nav nobr noembed noframes noscript object ol optgroup option output p " +
  "param path picture plaintext pre progress q rb rect rp rt rtc ruby s samp search select source strike " +
  "sub summary sup svg tbody template textarea tfoot thead time title track tt u ul use var video wbr xmp";

const MAX_KNOWN_LENGTH = 14;

/** What an element's name alone says about reading on. */
export interface ElementName {
  /** In lower case, U+FFFD for NUL. */
  readonly name: string;
  /** How its content is read, where that is text up to its own end tag. `plaintext` never ends. */
  readonly rawText: TextMode | undefined;
  /** From the first of these on, what a tag means depends on the elements that are open. */
  readonly needsTree: boolean;
}

const RAW_TEXT: ReadonlyMap<string, TextMode> = new Map<string, TextMode>([
  ["script", "raw text"],
  ["style", "raw text"],
  ["title", "escapable raw text"],
  ["textarea", "escapable raw text"],
  ["xmp", "raw text"],
  ["iframe", "raw text"],
  ["noembed", "raw text"],
  ["noframes", "raw text"],
  ["plaintext", "raw text"],
]);

const NEEDS_TREE: ReadonlySet<string> = new Set(["svg", "math", "template", "frameset"]);

/** The known names by length and first letter: at most a handful share both. */
const BUCKETS: ElementName[][] = Array.from({ length: (MAX_KNOWN_LENGTH + 1) << 5 }, () => []);
for (const name of KNOWN_NAMES.split(" ")) {
  BUCKETS[bucketOf(name.length, name.charCodeAt(0))]?.push({
    name,
    rawText: RAW_TEXT.get(name),
    needsTree: NEEDS_TREE.has(name),
  });
}

/** A set of names by which tags are told apart at a glance: by length and first letter. */
export class NameFilter {
  readonly #buckets: Uint8Array = new Uint8Array(BUCKETS.length);

  /**
   * @param names Known ones, in lower case, parted by spaces. Those whose content is no HTML, or needs a tree, are
   * always among them.
   */
  constructor(names: string) {
    for (const name of [...names.split(" "), ...RAW_TEXT.keys(), ...NEEDS_TREE]) {
      this.#buckets[bucketOf(name.length, name.charCodeAt(0))] = 1;
    }
  }

  /** `false` only where no name of the set has that length and begins with that letter, in whatever case. */
  mayHold(length: number, firstCode: number): boolean {
    return length <= MAX_KNOWN_LENGTH && this.#buckets[bucketOf(length, firstCode)] === 1;
  }
}

function bucketOf(length: number, firstCode: number): number {
  return (length << 5) | (firstCode & 31);
}

/** The element's name that `html` holds from `start` to `end`. */
export function elementName(html: string, start: number, end: number): ElementName {
  const length = end - start;
  if (length <= MAX_KNOWN_LENGTH) {
    const bucket = BUCKETS[bucketOf(length, html.charCodeAt(start))] as ElementName[];
    for (let i = 0; i < bucket.length; i++) {
      const known = bucket[i] as ElementName;
      if (matchesName(html, start, known.name)) return known;
    }
  }
  return { name: lowerCaseName(html.slice(start, end)), rawText: undefined, needsTree: false };
}

/** Whether `name`, which is in lower case, stands at `start`, in whatever case. */
export function matchesName(html: string, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const expected = name.charCodeAt(i);
    const code = html.charCodeAt(start + i);
    if (code !== expected && !(expected >= 0x61 && code === expected - 0x20)) return false;
  }
  return true;
}

/** A name as the tokenizer gives it: only ASCII letters have a case, NUL becomes U+FFFD. */
export function lowerCaseName(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()).replaceAll("\0", "\uFFFD");
}
