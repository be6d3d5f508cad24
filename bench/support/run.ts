import { readFileSync } from "node:fs";
import process from "node:process";

/** What a client's process measured of itself. */
export interface Run {
  /** Of one crawl. */
  readonly pages: number;
  readonly pagesPerSecond: number;
  /** Microseconds of the processor, of all threads, in the program and in the system. */
  readonly cpuMicrosecondsPerPage: number;
  /** The most that the process held of memory, the runtime itself and the crawls before included. */
  readonly peakBytes: number;
}

// V8 goes on compiling for some thousands of pages: after 0.3 s a page still cost half as much again.
const WARM_UP_MS = 1_500;
const LEAST_MS = 800;

/**
 * Crawls again and again: first until the code is warm, then for the figures, for at least so long that they mean
 * something. Prints a {@link Run}.
 *
 * @param crawl Gives the number of pages.
 * @param warmUp What warms up, where the crawl itself takes too long for it.
 */
export async function reportRun(
  crawl: () => Promise<number>,
  warmUp: () => Promise<number> = crawl,
): Promise<void> {
  await repeat(warmUp, WARM_UP_MS);
  const cpuBefore = process.cpuUsage();
  const { pages, runs, elapsedMs } = await repeat(crawl, LEAST_MS);
  const { user, system } = process.cpuUsage(cpuBefore);
  const run: Run = {
    pages,
    pagesPerSecond: (pages * runs * 1_000) / elapsedMs,
    cpuMicrosecondsPerPage: (user + system) / (pages * runs),
    peakBytes: peakBytes(),
  };
  process.stdout.write(`${JSON.stringify(run)}\n`);
}

async function repeat(
  crawl: () => Promise<number>,
  leastMs: number,
): Promise<{ pages: number; runs: number; elapsedMs: number }> {
  const startedAt = performance.now();
  const pages = await crawl();
  let runs = 1;
  while (performance.now() - startedAt < leastMs) {
    const again = await crawl();
    if (again !== pages) throw new Error(`Expected ${pages} pages again: received ${again}`);
    runs++;
  }
  return { pages, runs, elapsedMs: performance.now() - startedAt };
}

function peakBytes(): number {
  // What Linux says itself is the same on every runtime; elsewhere there is only what the runtime says, in kilobytes.
  const kilobytes =
    process.platform === "linux"
      ? Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1])
      : process.resourceUsage().maxRSS;
  return kilobytes * 1_024;
}
