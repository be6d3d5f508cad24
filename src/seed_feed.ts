import { checkedSeed, type Seed } from "./seed.ts";

/** One seed, or any sequence of them; an endless one is read as far as the crawl has use for it. */
export type Seeds = Seed | Iterable<Seed> | AsyncIterable<Seed>;

/** Seeds one after another. */
export interface SeedFeed {
  readonly seeds: AsyncIterator<Seed> | Iterator<Seed>;
  /** Whether all of them are in memory already, so that reading them all at once costs nothing. */
  readonly isInMemory: boolean;
}

/**
 * The seeds as one sequence. What can be checked without waiting is checked at once: a single seed and an array.
 * Others are checked one by one by whoever reads them.
 *
 * @throws {TypeError} naming the seed that is none, or the value that holds no seeds
 */
export function seedFeed(seeds: Seeds): SeedFeed {
  if (typeof seeds === "object" && seeds !== null && !(seeds instanceof URL)) {
    if (Array.isArray(seeds))
      return { seeds: (seeds as readonly Seed[]).map(checkedSeed).values(), isInMemory: true };
    if (Symbol.asyncIterator in seeds) return { seeds: seeds[Symbol.asyncIterator](), isInMemory: false };
    if (Symbol.iterator in seeds)
      return { seeds: seeds[Symbol.iterator](), isInMemory: seeds instanceof Set };
  }
  return { seeds: [checkedSeed(seeds as Seed)].values(), isInMemory: true };
}

/** Not to be waited for: a generator's return() queues behind a next() that may never come. */
export async function closeSeeds({ seeds }: SeedFeed): Promise<void> {
  try {
    await seeds.return?.();
  } catch {
    // Nobody reads any more of it, so its fault is nobody's.
  }
}
