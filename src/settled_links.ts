import { detached } from "./web/detached.ts";

// Some 2 MB of them.
const MAX_SETTLED = 20_000;

/**
 * Links of which nothing new can come, each as it is written and where that counts for its URL: see
 * {@link ReferencePlaces}. It begins anew when it is full.
 */
export class SettledLinks {
  readonly #byPlace = new Map<string, Set<string>>();
  #count = 0;
  // A page's links are mostly of one place: it is looked up for the first of them.
  #lastPlace: string | undefined;
  #lastLinks: Set<string> | undefined;

  has(place: string, link: string): boolean {
    if (place !== this.#lastPlace) {
      this.#lastPlace = place;
      this.#lastLinks = this.#byPlace.get(place);
    }
    return this.#lastLinks?.has(link) === true;
  }

  add(place: string, link: string): void {
    if (this.#count++ >= MAX_SETTLED) this.clear();
    const links = this.#byPlace.get(place) ?? new Set();
    this.#byPlace.set(detached(place), links.add(detached(link)));
    this.#lastPlace = undefined;
  }

  clear(): void {
    this.#byPlace.clear();
    this.#count = 0;
    this.#lastPlace = undefined;
  }
}
