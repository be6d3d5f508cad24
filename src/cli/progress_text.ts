import type { CrawlStats } from "../stats.ts";
import { counted, durationText, rateText, timeOfDayText } from "./figures.ts";

const RATE_WINDOW_MS = 5000;
const PAUSED_HOSTS_SHOWN = 2;

/** Pages a second over the last seconds: what a crawl does now, not what it did on the whole. */
export class Rate {
  readonly #samples: { atMs: number; pages: number }[] = [];

  sample(atMs: number, pages: number): void {
    this.#samples.push({ atMs, pages });
    while (this.#samples.length > 2 && atMs - (this.#samples[1]?.atMs ?? atMs) >= RATE_WINDOW_MS) {
      this.#samples.shift();
    }
  }

  get perSecond(): number {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (!first || !last || first.atMs === last.atMs) return 0;
    return ((last.pages - first.pages) / (last.atMs - first.atMs)) * 1000;
  }
}

/** What a progress line tells, the most telling first: a narrow terminal cuts off the end. */
export function progressFields(stats: CrawlStats, pagesPerSecond: number, nowMs: number): string[] {
  const fields = [
    counted(stats.pages, "page"),
    `${rateText(pagesPerSecond)}/s`,
    `${stats.queued.toLocaleString("en-US")} queued`,
    `${stats.inFlight} in flight`,
    counted(stats.failures, "failure"),
  ];
  const paused = pausedText(stats.pausedHosts, nowMs);
  if (paused !== undefined) fields.push(paused);
  return fields;
}

function pausedText(hosts: CrawlStats["pausedHosts"], nowMs: number): string | undefined {
  const paused = hosts.filter(({ untilMs }) => untilMs > nowMs).sort((a, b) => a.untilMs - b.untilMs);
  if (paused.length === 0) return undefined;
  const shown = paused.slice(0, PAUSED_HOSTS_SHOWN).map(({ host, untilMs, why }) => {
    return `${host} until ${timeOfDayText(untilMs)}, ${durationText(untilMs - nowMs)} more (${why})`;
  });
  const more = paused.length - shown.length;
  return `paused: ${shown.join("; ")}${more > 0 ? `; and ${counted(more, "more host", "more hosts")}` : ""}`;
}
