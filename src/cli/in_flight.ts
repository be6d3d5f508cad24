import type { CrawlEvent } from "../event.ts";
import { printable } from "./printable.ts";

const URLS_SHOWN = 3;

/** The URLs that are on the wire, for whoever waits for them. */
export class InFlight {
  // A URL goes in when its request starts and out when that ends; the crawl's concurrency bounds it.
  readonly #urls = new Set<string>();

  observe(event: CrawlEvent): void {
    if (event.type === "started") this.#urls.add(event.url);
    if (event.type === "ended") this.#urls.delete(event.url);
  }

  /** What a stop waits for, in words. */
  describe(): string {
    if (this.#urls.size === 0) return "nothing is in flight";
    const shown = [...this.#urls].slice(0, URLS_SHOWN).map(printable);
    const more = this.#urls.size - shown.length;
    return `waiting for ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  }
}
