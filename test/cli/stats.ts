import { type CrawlStats, noCounts } from "../../src/stats.ts";

/** A crawl that has just begun, but for what the test says. */
export function statsWith(known: Partial<CrawlStats>): CrawlStats {
  return {
    ...noCounts(),
    startedAtMs: 0,
    elapsedMs: 0,
    queued: 0,
    inProgress: 0,
    overflowed: 0,
    hosts: 0,
    pausedHosts: [],
    ...known,
  };
}
