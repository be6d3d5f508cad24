// What both crawlers of Crawlee are given: storage in memory alone, exactly 32 at once, robots.txt obeyed, no sessions,
// no retries to skew the count, nothing logged.
import { Configuration, LogLevel, log } from "@crawlee/core";
import { MemoryStorage } from "@crawlee/memory-storage";

const AT_ONCE = 32;

log.setLevel(LogLevel.OFF);

/** Options of a crawler. */
export const OPTIONS = {
  minConcurrency: AT_ONCE,
  maxConcurrency: AT_ONCE,
  respectRobotsTxtFile: true,
  useSessionPool: false,
  maxRequestRetries: 0,
};

/** A configuration with storage of its own, so that a second crawl does not know what the first has seen. */
export function freshConfiguration() {
  const storageClient = new MemoryStorage({ persistStorage: false, writeMetadata: false });
  return new Configuration({ persistStorage: false, storageClient });
}
