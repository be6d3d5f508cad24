/**
 * What of a base URL a reference resolves against: written alike in the same place, two references are the same URL,
 * whatever documents they stand in.
 *
 * @example
 * ```ts
 * const places = new ReferencePlaces("https://example.com/docs/a?b");
 * places.of("/c"); // "https://example.com"
 * places.of("c"); // "https://example.com/docs/"
 * ```
 */
export class ReferencePlaces {
  readonly #root: string | undefined;
  readonly #directory: string | undefined;

  /** @param base Serialised. Of schemes other than http and https, no reference has a place. */
  constructor(base: string) {
    if (!/^https?:\/\//.test(base)) return;
    const path = /^[^?#]*/.exec(base)![0];
    this.#root = path.slice(0, path.indexOf("/", path.indexOf("//") + 2));
    this.#directory = path.slice(0, path.lastIndexOf("/") + 1);
  }

  /** `undefined` where all of the base may count, as it does for `#top`, `?page=2` and `https:?page=2`. */
  of(reference: string): string | undefined {
    const first = reference.charCodeAt(0);
    if (first === SLASH || first === BACKSLASH) return this.#root;
    // White space at the start is passed over, and then anything may follow.
    if (!(first > SPACE) || first === HASH || first === QUESTION_MARK) return undefined;
    const mayBeHttp = first === SMALL_H || first === CAPITAL_H;
    if (mayBeHttp && reference.includes(":") && !/^https?:\/\//.test(reference)) return undefined;
    return this.#directory;
  }
}

const SPACE = 0x20;
const HASH = 0x23;
const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;
const CAPITAL_H = 0x48;
const BACKSLASH = 0x5c;
const SMALL_H = 0x68;
