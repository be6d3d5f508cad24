import type { CrawlOptions } from "../../src/options.ts";
import { pick } from "./scene.ts";
import type { WitnessedCrawl } from "./witness.ts";

/** How a crawl is brought to its end. */
export type Ending =
  | "read out"
  | "read slowly"
  | "break"
  | "abort"
  | "cancel"
  | "stop and go on"
  | "deny private addresses";

/** One crawl of a soak: what it is given, and how it ends. */
export interface CrawlPlan extends WitnessedCrawl {
  readonly ending: Ending;
  /** After so many results something happens, where the ending says so. */
  readonly afterResults: number;
  readonly options: CrawlOptions;
}

const ENDINGS: readonly Ending[] = [
  "read out",
  "read out",
  "read slowly",
  "break",
  "abort",
  "cancel",
  "stop and go on",
  "stop and go on",
];
const MOST_MS = 8_000;

/** Draws the next crawl of a soak. */
export function drawPlan(random: () => number, crawl: number): CrawlPlan {
  const ceiling = 1 + Math.floor(random() * 6);
  const hostConcurrency = random() < 0.5 ? ceiling : { adaptive: ceiling };
  const gapMs = pick(random, [0, 5, 20, 40]);
  const obeysRobots = random() < 0.85;
  const traps = random() < 0.7;
  const options: CrawlOptions = {
    concurrency: 1 + Math.floor(random() * 16),
    hostConcurrency,
    delayMs: pick(random, [gapMs, [gapMs, gapMs + 100], [gapMs, gapMs]]),
    robots: obeysRobots && { unreachableRetries: 1 },
    sitemaps: random() < 0.4,
    timeoutMs: pick(random, [400, 700, 1_000]),
    maxBodyBytes: 2 ** 20,
    maxDurationMs: MOST_MS,
    retries: { max: Math.floor(random() * 3), baseMs: 20, maxMs: 200 },
    maxRetryAfterMs: 4_000,
    maxHostFailures: pick(random, [5, 20, 1_000]),
    maxRedirects: pick(random, [0, 3, 10]),
    cookies: random() < 0.5,
    nearDuplicates: random() < 0.3,
    directives: random() < 0.8,
    seen: random() < 0.7 ? "exact" : { bloom: { capacity: 100_000, falsePositives: 1e-6 } },
    traps,
    maxDepth: traps ? Number.POSITIVE_INFINITY : 6,
    contentTypes: random() < 0.8 ? ["text/html"] : "any",
    graceMs: pick(random, [0, 100, Number.POSITIVE_INFINITY]),
    ...(random() < 0.2 && { maxPages: 1 + Math.floor(random() * 40) }),
    ...(random() < 0.2 && { maxRequests: 1 + Math.floor(random() * 80) }),
    ...(random() < 0.2 && { maxPagesPerHost: 1 + Math.floor(random() * 10) }),
  };
  const ending = random() < 0.02 ? "deny private addresses" : pick(random, ENDINGS);
  const afterResults = Math.floor(random() * 60);
  return { crawl, gapMs, limit: ceiling, obeysRobots, ending, afterResults, options };
}
