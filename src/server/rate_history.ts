/** How far a crawl was at some moment: milliseconds since its start, and pages until then. */
export type RateSample = readonly [elapsedMs: number, pages: number];

const MAX_SAMPLES = 240;
const FIRST_STEP_MS = 250;

/**
 * The pages of a crawl over its time, for a curve: however long it runs, between 120 and 240 samples at even distances.
 * Where they are full, every other one goes and the distance doubles.
 */
export class RateHistory {
  #samples: RateSample[] = [[0, 0]];
  #stepMs = FIRST_STEP_MS;

  /** The oldest first. */
  get samples(): readonly RateSample[] {
    return this.#samples;
  }

  /** Takes note of how far the crawl is; `elapsedMs` never goes back. */
  note(elapsedMs: number, pages: number): void {
    const [lastMs] = this.#samples.at(-1)!;
    if (elapsedMs < lastMs + this.#stepMs) return;
    this.#samples.push([Math.round(elapsedMs), pages]);
    if (this.#samples.length <= MAX_SAMPLES) return;
    this.#samples = this.#samples.filter((_, index) => index % 2 === 0);
    this.#stepMs *= 2;
  }
}
