import type { CrawlEvent, SkipReason } from "../../mod.ts";
import type { Place, Places } from "./places.ts";
import { type Look, row, seconds } from "./screen.ts";

/** Why a URL was left alone, in words. */
export const SKIP_WORDS: Readonly<Record<SkipReason, string>> = {
  robots: "robots.txt forbids it",
  "robots-unreachable": "robots.txt could not be had, which forbids all of the host",
  scope: "it belongs to none of the hosts that were asked for",
  depth: "too many hops from where the crawl began",
  seen: "it redirects to a page that the crawl has already",
  trap: "its shape is that of a URL without end",
  "content-type": "not a page: its type is in its headers, its body was left unread",
  nofollow: "the link asks not to be followed",
  duplicate: "nearly the same as a page before",
  "private-address": "an address of a private network",
  "host-unavailable": "its host failed too often in a row",
  budget: "its host has given all the pages that it may give",
  "invalid-url": "not a URL of http or https",
  "retry-after": "its host asked to wait for too long",
  dropped: "it was dropped by hand",
};

/** One event as one line, or none where another line says it better. */
export function storyLine(event: CrawlEvent, startedAtMs: number, places: Places): string | undefined {
  const line = (host: Place["host"], verb: string, look: Look, what: string): string =>
    row([seconds(event.atMs - startedAtMs).padStart(7), 7, "dim"], [host, 9], [verb, 9, look], [what, 0]);
  switch (event.type) {
    case "robots": {
      const { host } = places.of(event.origin);
      return line(host, "robots", "cyan", robotsWords(event));
    }
    case "sitemap": {
      const { host, path } = places.of(event.url);
      return line(host, "sitemap", "cyan", `${path} lists ${event.entries} pages`);
    }
    case "page": {
      const { url, status, ok, title, redirects } = event.page;
      const { host, path } = places.of(url);
      const way = redirects.map((hop) => places.of(hop.url).path).join(", ");
      const told = `${path.padEnd(16)} ${title ?? ""}${way ? `, by way of ${way}` : ""}`;
      return line(host, `page ${status}`, ok ? "green" : "red", told.trimEnd());
    }
    case "redirected": {
      const { host, path } = places.of(event.request.url);
      return line(
        host,
        `to ${event.status}`,
        "yellow",
        `${path.padEnd(16)} points on to ${places.of(event.to).path}`,
      );
    }
    case "retrying": {
      const { host, path } = places.of(event.request.url);
      const fault = event.status ?? event.reason;
      const when = seconds(event.notBeforeMs - event.atMs);
      return line(host, "retry", "yellow", `${path.padEnd(16)} ${fault}: asked again in ${when}`);
    }
    case "paced":
      return line(places.hostName(event.host), "pace", "yellow", paceWords(event));
    case "failure": {
      const { host, path } = places.of(event.failure.url);
      const { reason, attempts } = event.failure;
      return line(host, "failure", "red", `${path.padEnd(16)} ${reason}, after ${attempts} attempts`);
    }
    case "skip": {
      const { host, path } = places.of(event.skip.url);
      return line(host, "skip", "dim", `${path.padEnd(16)} ${SKIP_WORDS[event.skip.reason]}`);
    }
    default:
      return undefined;
  }
}

function robotsWords(event: Extract<CrawlEvent, { type: "robots" }>): string {
  switch (event.policy) {
    case "rules": {
      const wish =
        event.crawlDelayMs === undefined
          ? ""
          : `, and it asks for ${seconds(event.crawlDelayMs)} between requests`;
      return `robots.txt has rules, which hold from here on${wish}`;
    }
    case "allow-all":
      return `no robots.txt (${event.status ?? event.reason}), so all is allowed`;
    case "unreachable": {
      const next =
        event.retryAtMs === undefined
          ? "given up"
          : `asked again in ${seconds(event.retryAtMs - event.atMs)}`;
      return `robots.txt cannot be had (${event.status ?? event.reason}): nothing is allowed, ${next}`;
    }
  }
}

function paceWords(event: Extract<CrawlEvent, { type: "paced" }>): string {
  const { why, limit, gapMs, pausedUntilMs } = event;
  if (pausedUntilMs !== undefined)
    return `paused for ${seconds(pausedUntilMs - event.atMs)}: it asked for it (${why})`;
  const changes = [
    ...(limit.from !== limit.to ? [`${limit.to} at once instead of ${limit.from}`] : []),
    ...(gapMs.from !== gapMs.to
      ? [`${seconds(gapMs.to)} between requests instead of ${seconds(gapMs.from)}`]
      : []),
  ];
  return `${changes.join(", ")} (${why})`;
}
