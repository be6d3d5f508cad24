import type { CrawlEvent, SkipReason } from "../../mod.ts";
import type { Place, Places } from "./places.ts";
import { type Look, row, seconds } from "./screen.ts";

/** Why a URL was left alone, in words. */
export const SKIP_WORDS: Readonly<Record<SkipReason, string>> = {
  robots: "robots.txt forbids it",
  "robots-unreachable": "its robots.txt could not be had, which forbids all",
  scope: "not on one of the hosts that the crawl began on",
  depth: "too many hops from where the crawl began",
  seen: "it redirects to a page that the crawl has already",
  trap: "its shape is that of a URL without end",
  "content-type": "no page, by its headers: the body is left unread",
  nofollow: "the link asks not to be followed",
  duplicate: "nearly the same as a page before",
  "private-address": "an address of a private network",
  "host-unavailable": "its host failed too often in a row",
  budget: "its host has given all the pages that it may give",
  "invalid-url": "not a URL of http or https",
  "retry-after": "its host asked to wait for too long",
  dropped: "it was dropped by hand",
};

/** The column that holds a path, or an outside URL. */
export const PATH_WIDTH = 20;

/** One event as one line, or none where another line says it better. */
export function storyLine(event: CrawlEvent, startedAtMs: number, places: Places): string | undefined {
  const line = (host: Place["host"], verb: string, look: Look, path: string, told: string): string => {
    const time = seconds(event.atMs - startedAtMs).padStart(7);
    return row([time, 7, "dim"], [host, 9], [verb, 8, look], [path, PATH_WIDTH], [told, 0]);
  };
  switch (event.type) {
    case "robots": {
      const { host } = places.of(event.origin);
      return line(host, "robots", "cyan", "/robots.txt", robotsWords(event));
    }
    case "sitemap": {
      const { host, path } = places.of(event.url);
      const found = event.problems.length > 0 ? event.problems.join("; ") : `lists ${event.entries} pages`;
      return line(host, "sitemap", "cyan", path, found);
    }
    case "page": {
      const { url, status, ok, title, redirects } = event.page;
      const { host, path } = places.of(url);
      const way = redirects.map((hop) => places.of(hop.url).path).join(", ");
      const told = `${title ?? ""}${way ? `, by way of ${way}` : ""}`;
      return line(host, `page ${status}`, ok ? "green" : "red", path, told);
    }
    case "redirected": {
      const { host, path } = places.of(event.request.url);
      return line(host, `to ${event.status}`, "yellow", path, `points on to ${places.of(event.to).path}`);
    }
    case "retrying": {
      const { host, path } = places.of(event.request.url);
      const told = `${event.status ?? event.reason}: asked again ${soon(event.notBeforeMs - event.atMs)}`;
      return line(host, "retry", "yellow", path, told);
    }
    case "paced":
      return line(places.hostName(event.host), "pace", "yellow", "", paceWords(event));
    case "failure": {
      const { host, path } = places.of(event.failure.url);
      return line(
        host,
        "failure",
        "red",
        path,
        `${event.failure.reason}, after ${event.failure.attempts} attempts`,
      );
    }
    case "skip": {
      const { host, path } = places.of(event.skip.url);
      return line(host, "skip", "dim", path, SKIP_WORDS[event.skip.reason]);
    }
    default:
      return undefined;
  }
}

function robotsWords(event: Extract<CrawlEvent, { type: "robots" }>): string {
  switch (event.policy) {
    case "rules": {
      const wish = event.crawlDelayMs;
      return `its rules hold from here on${wish === undefined ? "" : `, with Crawl-delay: ${wish / 1000}`}`;
    }
    case "allow-all":
      return `there is none (${event.status ?? event.reason}), so all is allowed`;
    case "unreachable": {
      const next =
        event.retryAtMs === undefined ? "given up" : `asked again ${soon(event.retryAtMs - event.atMs)}`;
      return `${event.status ?? event.reason}, so nothing is allowed; ${next}`;
    }
  }
}

function paceWords({
  why,
  limit,
  gapMs,
  pausedUntilMs,
  atMs,
}: Extract<CrawlEvent, { type: "paced" }>): string {
  if (pausedUntilMs !== undefined)
    return `nothing is asked of it for ${seconds(pausedUntilMs - atMs)} (${why})`;
  const changes = [
    ...(limit.from === limit.to ? [] : [`${limit.to} at once instead of ${limit.from}`]),
    ...(gapMs.from === gapMs.to
      ? []
      : [`${seconds(gapMs.to)} between requests instead of ${seconds(gapMs.from)}`]),
  ];
  return `${changes.join(", ")} (${why})`;
}

/** How soon something comes; a connection that was stale is tried again at once. */
function soon(ms: number): string {
  return ms < 5 ? "at once" : `in ${seconds(ms)}`;
}
