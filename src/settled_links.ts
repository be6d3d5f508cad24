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

  has(place: string, link: string): boolean {
    return this.#byPlace.get(place)?.has(link) === true;
  }

  add(place: string, link: string): void {
    if (this.#count >= MAX_SETTLED) this.clear();
    const links = this.#byPlace.get(place);
    if (links === undefined) this.#byPlace.set(place, new Set([detached(link)]));
    else links.add(detached(link));
    this.#count++;
  }

  clear(): void {
    this.#byPlace.clear();
    this.#count = 0;
  }
}
