import process from "node:process";
import { MemoryFrontier } from "../../src/frontier/memory.ts";
import type { CrawlRequest } from "../../src/request.ts";

const PAGES = 50_000;
// As the crawl hands it in: the host and the referrer of many requests are one string.
const HOSTS = Array.from({ length: 10 }, (_, n) => `host${n}.example.test`);
const REFERRER = "https://host0.example.test/";

/** One of a million requests with URLs of 60 characters, on ten hosts. */
export function numberedRequest(n: number): CrawlRequest {
  const path = `section/page-${String(n).padStart(9, "0")}.html`;
  const url = `https://host${n % 10}.example.test/${path}`.padEnd(60, "x");
  return { url, key: url, host: HOSTS[n % 10]!, depth: 3, priority: -3, order: n, referrer: REFERRER };
}

/** A frontier in memory with so many requests queued. */
export function filledFrontier(count: number): MemoryFrontier {
  const frontier = new MemoryFrontier();
  for (let n = 0; n < count; n += 1_000) {
    frontier.add(Array.from({ length: Math.min(1_000, count - n) }, (_, i) => numberedRequest(n + i)));
  }
  return frontier;
}

/**
 * Microseconds of the processor for a page (taken, completed with two links of which one is new) with so many queued.
 */
export function frontierCost(queued: number): number {
  const frontier = filledFrontier(queued);
  const leases = frontier.lease(10, 0);
  let next = queued;
  const before = process.cpuUsage();
  for (let n = 0; n < PAGES; n++) {
    const lease = leases[n % leases.length]!;
    const [taken] = frontier.take(lease, 1, 0);
    // One new for each that goes, and one that is known: the queue stays as long as it is.
    frontier.complete(lease, taken!, [numberedRequest(next++), numberedRequest(next - 1)]);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / PAGES;
}
