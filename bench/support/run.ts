import { readFileSync } from "node:fs";
import process from "node:process";

/** What a client's process measured of itself. */
export interface Run {
  /** Of one crawl. */
  readonly pages: number;
  readonly pagesPerSecond: number;
  /** Microseconds of the processor, of all threads, in the program and in the system. */
  readonly cpuMicrosecondsPerPage: number;
  /** The most that the process held of memory so far, the runtime itself and the crawls before included. */
  readonly peakBytes: number;
}

/**
 * Crawls again and again, for at least so long and at least once.
 *
 * @param crawl Gives the number of pages, the same each time.
 */
export async function measureRun(crawl: () => Promise<number>, leastMs: number): Promise<Run> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const pages = await crawl();
  let runs = 1;
  while (performance.now() - startedAt < leastMs) {
    const again = await crawl();
    if (again !== pages) throw new Error(`Expected ${pages} pages again: received ${again}`);
    runs++;
  }
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    pages,
    pagesPerSecond: (pages * runs * 1_000) / elapsedMs,
    cpuMicrosecondsPerPage: (user + system) / (pages * runs),
    peakBytes: peakBytes(),
  };
}

function peakBytes(): number {
  // What Linux says itself is the same on every runtime; elsewhere there is only what the runtime says, in kilobytes.
  const kilobytes =
    process.platform === "linux"
      ? Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1])
      : process.resourceUsage().maxRSS;
  return kilobytes * 1_024;
}
