/**
 * The element names of HTML, and how a name in the source is turned into one of them without making a string.
 */

// Those that a reader of links or the rules of tree construction ask for, and those that pages are full of.
const KNOWN_NAMES =
  "a abbr address annotation-xml applet area article aside audio b base basefont bgsound big blockquote body br " +
  "button canvas caption center circle cite code col colgroup datalist dd del desc details dfn dialog dir div dl dt " +
  "em embed fieldset figcaption figure font footer foreignobject form frame frameset g h1 h2 h3 h4 h5 h6 head " +
  "header hgroup hr html i iframe image img input ins kbd keygen label legend li line link listing main malignmark " +
  "map mark marquee math menu meta mglyph mi mn mo ms mtext nav nobr noembed noframes noscript object ol optgroup " +
  "option output p param path picture plaintext pre progress q rb rect rp rt rtc ruby s samp script search section " +
  "select small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead " +
  "time title tr track tt u ul use var video wbr xmp";

const MAX_KNOWN_LENGTH = 14;

/** The known names by length and first letter: at most a handful share both. */
const BUCKETS: (string[] | undefined)[] = new Array<string[] | undefined>((MAX_KNOWN_LENGTH + 1) << 5).fill(
  undefined,
);
for (const name of KNOWN_NAMES.split(" ")) {
  const bucket = bucketOf(name.length, name.charCodeAt(0));
  BUCKETS[bucket] ??= [];
  BUCKETS[bucket].push(name);
}

function bucketOf(length: number, firstCode: number): number {
  return (length << 5) | (firstCode & 31);
}

/** The element's name that `html` holds from `start` to `end`: in lower case, U+FFFD for NUL. */
export function elementName(html: string, start: number, end: number): string {
  const length = end - start;
  if (length <= MAX_KNOWN_LENGTH) {
    const bucket = BUCKETS[bucketOf(length, html.charCodeAt(start))];
    if (bucket) {
      for (const name of bucket) if (matchesName(html, start, name)) return name;
    }
  }
  return lowerCaseName(html.slice(start, end));
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
