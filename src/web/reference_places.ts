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
    // `/` or `\`.
    if (first === 0x2f || first === 0x5c) return this.#root;
    // `#` or `?`; and white space at the start is passed over, so that anything may follow.
    if (!(first > 0x20) || first === 0x23 || first === 0x3f) return undefined;
    // `h`: of a base's own scheme, even what has one may be relative.
    if ((first | 0x20) === 0x68 && reference.includes(":") && !/^https?:\/\//.test(reference))
      return undefined;
    return this.#directory;
  }
}
