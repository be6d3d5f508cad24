import type { CrawlStats } from "../stats.ts";
import { bytesText, counted, durationText, rateText, timeOfDayText } from "./figures.ts";
import type { Span } from "./terminal_line.ts";

const RATE_WINDOW_MS = 5000;
const PAUSED_HOSTS_SHOWN = 3;
const BAR_COLUMNS = 30;
const LEAST_BAR_COLUMNS = 10;
/** What stands beside a bar needs about so much. */
const BESIDE_BAR_COLUMNS = 45;

/** The ends that a crawl may come to, as they were asked for. */
export interface ProgressBudgets {
  readonly maxPages?: number | undefined;
  readonly maxRequests?: number | undefined;
  readonly maxDurationMs?: number | undefined;
}

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

/** A crawl at one moment, for whoever watches. */
export interface Moment {
  readonly stats: CrawlStats;
  readonly pagesPerSecond: number;
  readonly nowMs: number;
  readonly budgets: ProgressBudgets;
}

/** How far a crawl is on its way to the nearest of its ends. */
interface Way {
  /** 0 to 1. */
  readonly done: number;
  readonly text: string;
  /** `undefined` where it cannot be known. */
  readonly leftMs: number | undefined;
}

/** What a plain line tells, the most telling first. */
export function progressFields(moment: Moment): string[] {
  const { stats, nowMs } = moment;
  const way = nearestEnd(moment);
  const fields = [counted(stats.pages, "page"), ...figures(moment).map(({ text }) => text)];
  if (way !== undefined) fields.push(`${percent(way.done)} of ${way.text}`, ...leftText(way));
  const paused = pausedTexts(stats.pausedHosts, nowMs);
  if (paused.length > 0) fields.push(`paused: ${paused.join("; ")}`);
  return fields;
}

/** The lines of the live block: how far it is, how it goes, and who is paused. */
export function progressBlock(moment: Moment, columns: number): Span[][] {
  const { stats, nowMs } = moment;
  const way = nearestEnd(moment);
  const first: Span[] = [];
  if (way !== undefined) {
    first.push(...bar(way.done, columns), { text: `${percent(way.done)} of ${way.text} · ` });
  }
  first.push({ text: [counted(stats.pages, "page"), ...(way ? leftText(way) : [])].join(" · ") });
  const second = figures(moment).flatMap((span, index) => (index === 0 ? [span] : [{ text: " · " }, span]));
  const paused = pausedTexts(stats.pausedHosts, nowMs);
  return [first, second, ...paused.map((text): Span[] => [{ text: `paused: ${text}`, colour: "yellow" }])];
}

function figures({ stats, pagesPerSecond }: Moment): Span[] {
  return [
    { text: `${rateText(pagesPerSecond)}/s` },
    { text: `${stats.queued.toLocaleString("en-US")} queued` },
    { text: `${stats.inFlight} in flight` },
    { text: counted(stats.failures, "failure"), ...(stats.failures > 0 && { colour: "red" as const }) },
    { text: bytesText(stats.bytes) },
  ];
}

/** Of several ends, the one that most of the way is behind of. */
function nearestEnd({ stats, pagesPerSecond, budgets }: Moment): Way | undefined {
  const ways: Way[] = [];
  const { maxPages = Number.POSITIVE_INFINITY, maxRequests = Number.POSITIVE_INFINITY } = budgets;
  const { maxDurationMs = Number.POSITIVE_INFINITY } = budgets;
  if (Number.isFinite(maxPages)) {
    const leftMs = pagesPerSecond > 0 ? ((maxPages - stats.pages) / pagesPerSecond) * 1000 : undefined;
    ways.push({ done: stats.pages / maxPages, text: counted(maxPages, "page"), leftMs });
  }
  if (Number.isFinite(maxRequests)) {
    const sent = stats.requests + stats.robotsRequests;
    const leftMs = sent > 0 ? ((maxRequests - sent) / sent) * stats.elapsedMs : undefined;
    ways.push({ done: sent / maxRequests, text: counted(maxRequests, "request"), leftMs });
  }
  if (Number.isFinite(maxDurationMs)) {
    const leftMs = maxDurationMs - stats.elapsedMs;
    ways.push({ done: stats.elapsedMs / maxDurationMs, text: durationText(maxDurationMs), leftMs });
  }
  return ways.sort((a, b) => b.done - a.done)[0];
}

function percent(done: number): string {
  return `${Math.floor(Math.min(done, 1) * 100)}%`;
}

function leftText({ leftMs }: Way): string[] {
  return leftMs === undefined ? [] : [`about ${durationText(Math.max(leftMs, 0))} left`];
}

/** None where the terminal is too narrow for it. */
function bar(done: number, columns: number): Span[] {
  const width = Math.min(BAR_COLUMNS, columns - BESIDE_BAR_COLUMNS);
  if (width < LEAST_BAR_COLUMNS) return [];
  const full = Math.floor(Math.min(done, 1) * width);
  return [
    { text: "█".repeat(full), colour: "green" },
    { text: "░".repeat(width - full), colour: "dim" },
    { text: " " },
  ];
}

function pausedTexts(hosts: CrawlStats["pausedHosts"], nowMs: number): string[] {
  const paused = hosts.filter(({ untilMs }) => untilMs > nowMs).sort((a, b) => a.untilMs - b.untilMs);
  const shown = paused.slice(0, PAUSED_HOSTS_SHOWN).map(({ host, untilMs, why }) => {
    return `${host} until ${timeOfDayText(untilMs)}, ${durationText(untilMs - nowMs)} more (${why})`;
  });
  const more = paused.length - shown.length;
  return more > 0 ? [...shown, `and ${counted(more, "more host", "more hosts")}`] : shown;
}
