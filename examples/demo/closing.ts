import type { CrawlEvent, CrawlStats } from "../../mod.ts";
import type { Places } from "./places.ts";
import { paint, row, seconds } from "./screen.ts";
import { PATH_WIDTH, SKIP_WORDS } from "./story.ts";

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
  const figure = (name: string, count: number, told: string): string =>
    row([`  ${name}`, 12], [String(count).padStart(4), 4, "bold"], [told, 0]);
  return [
    figure("pages", stats.pages, `in ${seconds(stats.elapsedMs)}`),
    figure("requests", stats.requests, statuses.join(", ")),
    figure("robots.txt", stats.robotsRequests, "more, before anything else of each host"),
    figure("failures", stats.failures, Object.keys(stats.failuresByReason).join(", ")),
    figure("skips", stats.skips, Object.keys(stats.skipsByReason).join(", ")),
  ];
}

/** A line a wait, host by host in the order in which they were presented. */
function waits(events: readonly CrawlEvent[], places: Places): string[] {
  return places.hosts.flatMap((host) => {
    const line = (ms: number, told: string): string =>
      row([`  ${host.name}`, 11], [seconds(ms).padStart(7), 7, "yellow"], [told, 0]);
    const { starts, gapMs } = startsOf(host.authority, events);
    const rule = crawlDelayRule(host.authority, events) ?? "delayMs, 0.25 s by default";
    return [
      line(gapMs, `the least between two of its ${starts} requests (${rule})`),
      ...events.flatMap((event) => {
        const wait = waitIn(event, places);
        return wait?.host === host.name ? [line(wait.ms, wait.told)] : [];
      }),
    ];
  });
}

/** The wait that an event began, where it began one; of those at once there is nothing to tell. */
function waitIn(event: CrawlEvent, places: Places): { host: string; ms: number; told: string } | undefined {
  switch (event.type) {
    case "paced": {
      if (event.pausedUntilMs === undefined) return undefined;
      const told = "without any request to it: its 429 said Retry-After";
      return { host: places.hostName(event.host), ms: event.pausedUntilMs - event.atMs, told };
    }
    case "retrying": {
      const ms = event.notBeforeMs - event.atMs;
      // Where the host asked for a pause, that was the wait.
      if (event.status === 429 || ms < 5) return undefined;
      const { host, path } = places.of(event.request.url);
      return { host, ms, told: `before ${path} was asked for again, after ${event.status ?? event.reason}` };
    }
    case "robots": {
      if (event.retryAtMs === undefined) return undefined;
      const told = `before its robots.txt was asked for again, after ${event.status ?? event.reason}`;
      return { host: places.of(event.origin).host, ms: event.retryAtMs - event.atMs, told };
    }
    default:
      return undefined;
  }
}

/** How many requests a host got, and the least time between two of them, as it was. */
function startsOf(authority: string, events: readonly CrawlEvent[]): { starts: number; gapMs: number } {
  const times = events.flatMap((event) =>
    event.type === "started" && event.host === authority ? [event.atMs] : [],
  );
  const gaps = times.slice(1).map((atMs, i) => atMs - (times[i] ?? atMs));
  return { starts: times.length, gapMs: Math.min(...gaps) };
}

function crawlDelayRule(authority: string, events: readonly CrawlEvent[]): string | undefined {
  for (const event of events) {
    if (event.type !== "robots" || event.crawlDelayMs === undefined) continue;
    if (new URL(event.origin).host === authority) return `its Crawl-delay, ${seconds(event.crawlDelayMs)}`;
  }
  return undefined;
}

function skips(events: readonly CrawlEvent[], places: Places): string[] {
  return events.flatMap((event) => {
    if (event.type !== "skip") return [];
    const { url, reason } = event.skip;
    const { host, path } = places.of(url);
    return [row([`  ${host}`, 11], [path, PATH_WIDTH], [reason, 18, "yellow"], [SKIP_WORDS[reason], 0])];
  });
}
