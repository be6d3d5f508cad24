import type { CrawlEvent, CrawlStats } from "../../mod.ts";
import type { Places } from "./places.ts";
import { paint, row, seconds } from "./screen.ts";
import { SKIP_WORDS } from "./story.ts";

/** The end of the demo: the figures, then a reason for each wait and for each URL that was left alone. */
export function closingLines(events: readonly CrawlEvent[], stats: CrawlStats, places: Places): string[] {
  return [
    paint("bold", "In figures"),
    ...figures(stats),
    "",
    paint("bold", "Why it waited"),
    ...waits(events, places),
    "",
    paint("bold", "What it left alone, and why"),
    ...skips(events, places),
  ];
}

function figures(stats: CrawlStats): string[] {
  const statuses = Object.entries(stats.statuses).map(([status, count]) => `${count} × ${status}`);
  return [
    row(["  pages", 12], [String(stats.pages).padStart(3), 3], [`in ${seconds(stats.elapsedMs)}`, 0]),
    row(["  requests", 12], [String(stats.requests).padStart(3), 3], [statuses.join(", "), 0]),
    row(
      ["  robots.txt", 12],
      [String(stats.robotsRequests).padStart(3), 3],
      ["each host's before its first page", 0],
    ),
    row(
      ["  failures", 12],
      [String(stats.failures).padStart(3), 3],
      [Object.keys(stats.failuresByReason).join(", "), 0],
    ),
    row(
      ["  skips", 12],
      [String(stats.skips).padStart(3), 3],
      [Object.keys(stats.skipsByReason).join(", "), 0],
    ),
  ];
}

function waits(events: readonly CrawlEvent[], places: Places): string[] {
  const lines: string[] = [];
  for (const [authority, { starts, gapMs }] of startsByHost(events)) {
    const delayMs = crawlDelayMs(events, authority);
    const rule =
      delayMs === undefined ? "the default of delayMs" : `its robots.txt says Crawl-delay: ${delayMs / 1000}`;
    const told = `between any two of its ${starts} requests at least, as measured: ${rule}`;
    lines.push(wait(places.hostName(authority), gapMs, told));
  }
  for (const event of events) {
    if (event.type === "paced" && event.pausedUntilMs !== undefined) {
      const told = "nothing was asked of it, not even other pages: its 429 said Retry-After";
      lines.push(wait(places.hostName(event.host), event.pausedUntilMs - event.atMs, told));
    }
    // A host that is paused is told above.
    if (event.type === "retrying" && event.status !== 429) {
      const { host, path } = places.of(event.request.url);
      const told = `before ${path} was asked again, after ${event.status ?? `a fault (${event.reason})`}`;
      lines.push(wait(host, event.notBeforeMs - event.atMs, told));
    }
    if (event.type === "robots" && event.retryAtMs !== undefined) {
      const told = `before its robots.txt was asked for again, after ${event.status ?? event.reason}`;
      lines.push(wait(places.of(event.origin).host, event.retryAtMs - event.atMs, told));
    }
  }
  return lines;
}

function wait(host: string, ms: number, told: string): string {
  return row([`  ${host}`, 11], [seconds(ms).padStart(7), 7, "yellow"], [told, 0]);
}

/** How many requests each host got, and the least time between two of them. */
function startsByHost(events: readonly CrawlEvent[]): Map<string, { starts: number; gapMs: number }> {
  const hosts = new Map<string, { starts: number; gapMs: number; lastMs: number }>();
  for (const event of events) {
    if (event.type !== "started") continue;
    const before = hosts.get(event.host);
    hosts.set(event.host, {
      starts: (before?.starts ?? 0) + 1,
      gapMs: before ? Math.min(before.gapMs, event.atMs - before.lastMs) : Infinity,
      lastMs: event.atMs,
    });
  }
  return hosts;
}

function crawlDelayMs(events: readonly CrawlEvent[], authority: string): number | undefined {
  for (const event of events) {
    if (event.type === "robots" && new URL(event.origin).host === authority) return event.crawlDelayMs;
  }
  return undefined;
}

function skips(events: readonly CrawlEvent[], places: Places): string[] {
  return events.flatMap((event) => {
    if (event.type !== "skip") return [];
    const { url, reason } = event.skip;
    const { host, path } = places.of(url);
    return [row([`  ${host}`, 11], [path, 20], [reason, 18, "yellow"], [SKIP_WORDS[reason], 0])];
  });
}
