// So short a text is searched by the runtime, at worst in its length times that of the path.
const MAX_PLAIN_SEARCH = 6;

/** A canonical pattern with a `*` in it, and whether a path matches it. */
export class Wildcard {
  readonly pattern: string;
  /** Whether the pattern names the query, and so is held against a path with a raw one. */
  readonly hasQuery: boolean;
  readonly #prefix: string;
  readonly #minLength: number;
  // Taken apart when first needed: of thousands of patterns few ever are.
  #pieces: Pieces | undefined;

  constructor(pattern: string) {
    this.pattern = pattern;
    this.hasQuery = pattern.includes("?");
    this.#prefix = pattern.slice(0, pattern.indexOf("*"));
    this.#minLength = literalLength(pattern);
  }

  /** Whether the path is long enough and begins right: the part of matching that costs nothing. */
  mayMatch(path: string): boolean {
    return path.length >= this.#minLength && path.startsWith(this.#prefix);
  }

  /**
   * Whether the path matches, given that it may. Each part is taken where it first occurs, which leaves the most to
   * the rest, so one pass decides: the time is linear in the lengths of path and pattern, whatever they hold.
   */
  matches(path: string): boolean {
    this.#pieces ??= piecesOf(this.pattern);
    const { parts, borders, tail } = this.#pieces;
    if (!path.endsWith(tail)) return false;
    const end = path.length - tail.length;
    let from = this.#prefix.length;
    let offset = 0;
    for (const part of parts) {
      from = endOfFirst(part, borders, offset, path, from, end);
      if (from < 0) return false;
      offset += part.length;
    }
    return true;
  }
}

/** What stands behind the first star of a pattern: `*part*part*tail`, the tail empty unless a `$` follows it. */
interface Pieces {
  readonly parts: readonly string[];
  readonly tail: string;
  /** For each octet of each part, how long the longest border of the part up to there is. */
  readonly borders: Uint32Array;
}

function piecesOf(pattern: string): Pieces {
  const anchored = pattern.endsWith("$");
  const [, ...pieces] = (anchored ? pattern.slice(0, -1) : pattern).split("*");
  const tail = (anchored && pieces.pop()) || "";
  const parts = pieces.filter((piece) => piece !== "");
  return { parts, tail, borders: bordersOf(parts) };
}

function literalLength(pattern: string): number {
  let operators = pattern.endsWith("$") ? 1 : 0;
  for (let star = pattern.indexOf("*"); star >= 0; star = pattern.indexOf("*", star + 1)) operators++;
  return pattern.length - operators;
}

/** Where the first `part` within `path[from..end)` ends, or -1. `borders` are those of all parts from `offset` on. */
function endOfFirst(
  part: string,
  borders: Uint32Array,
  offset: number,
  path: string,
  from: number,
  end: number,
): number {
  const head = path.indexOf(part.slice(0, MAX_PLAIN_SEARCH), from);
  if (head < 0 || head + part.length > end) return -1;
  if (part.length <= MAX_PLAIN_SEARCH) return head + part.length;
  // Knuth, Morris and Pratt's search, which no text can make go back.
  let matched = 0;
  for (let at = head; at < end; at++) {
    const octet = path.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== octet) matched = borders[offset + matched - 1]!;
    if (part.charCodeAt(matched) === octet) matched++;
    if (matched === part.length) return at + 1;
  }
  return -1;
}

function bordersOf(parts: readonly string[]): Uint32Array {
  let octets = 0;
  for (const part of parts) octets += part.length;
  const borders = new Uint32Array(octets);
  let offset = 0;
  for (const part of parts) {
    if (part.length > MAX_PLAIN_SEARCH) fillBorders(borders, offset, part);
    offset += part.length;
  }
  return borders;
}

function fillBorders(borders: Uint32Array, offset: number, part: string): void {
  let border = 0;
  for (let at = 1; at < part.length; at++) {
    const octet = part.charCodeAt(at);
    while (border > 0 && part.charCodeAt(border) !== octet) border = borders[offset + border - 1]!;
    if (part.charCodeAt(border) === octet) border++;
    borders[offset + at] = border;
  }
}
