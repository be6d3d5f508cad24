import { checkedSeed, type Seed } from "./admission.ts";

/** One seed, or any sequence of them; an endless one is read as far as the crawl has use for it. */
export type Seeds = Seed | Iterable<Seed> | AsyncIterable<Seed>;

/**
 * The seeds as one asynchronous sequence. What can be checked without waiting is checked at once: a single seed and an
 * array. Others are checked one by one by whoever reads them.
 *
 * @throws {TypeError} naming the seed that is none, or the value that holds no seeds
 */
export function seedFeed(seeds: Seeds): AsyncIterator<Seed> | Iterator<Seed> {
  if (typeof seeds === "string" || seeds instanceof URL) return [checkedSeed(seeds)].values();
  if (Array.isArray(seeds)) {
    for (const seed of seeds as readonly Seed[]) checkedSeed(seed);
    return (seeds as readonly Seed[]).values();
  }
  if (typeof seeds === "object" && seeds !== null) {
    if (Symbol.asyncIterator in seeds) return seeds[Symbol.asyncIterator]();
    if (Symbol.iterator in seeds) return seeds[Symbol.iterator]();
  }
  return [checkedSeed(seeds)].values();
}
