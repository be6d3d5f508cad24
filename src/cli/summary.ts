import type { CrawlStats, FinishReason } from "../stats.ts";
import { bytesText, counted, durationText, rateText } from "./figures.ts";

const ENDINGS: Readonly<Record<FinishReason, string>> = {
  done: "done",
  "max-pages": "ended at --max-pages",
  "max-requests": "ended at --max-requests",
  "max-duration": "ended at --max-duration",
  "max-pages-per-host": "ended at --max-pages-per-host",
  "max-depth": "ended at --max-depth",
  stopped: "stopped",
  cancelled: "ended, as nobody reads its output any more",
  aborted: "interrupted",
  failed: "failed",
};

/** The closing lines of a crawl: how it ended and what it did, then what went wrong and what was left alone. */
export function summaryText(stats: CrawlStats): string {
  const seconds = stats.elapsedMs / 1000;
  const lines = [
    `${ENDINGS[stats.finishReason ?? "failed"]}: ${[
      `${counted(stats.pages, "page")} in ${durationText(stats.elapsedMs)}`,
      `${rateText(seconds > 0 ? stats.pages / seconds : 0)} a second`,
      bytesText(stats.bytes),
      counted(stats.failures, "failure"),
      counted(stats.skips, "skip"),
      ...(stats.queued > 0 ? [`${stats.queued.toLocaleString("en-US")} left in the queue`] : []),
    ].join(", ")}`,
    ...tally("statuses", stats.statuses),
    ...tally("failures", stats.failuresByReason),
    ...tally("skips", stats.skipsByReason),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function tally(title: string, counts: Readonly<Record<string, number | undefined>>): string[] {
  const parts = Object.entries(counts)
    .flatMap(([name, count]) => (count ? [{ name, count }] : []))
    .sort((a, b) => b.count - a.count)
    .map(({ name, count }) => `${name} ${count.toLocaleString("en-US")}`);
  return parts.length > 0 ? [`${title}: ${parts.join(", ")}`] : [];
}

/** The same for programs: one line of JSON, with the paths of the outputs by their flags. */
export function summaryJson(
  stats: CrawlStats,
  outputs: Readonly<Record<string, string>>,
  error: string | undefined,
): string {
  const { startedAtMs, pausedHosts, inFlight, inProgress, finishReason, ...figures } = stats;
  const startedAt = new Date(startedAtMs).toISOString();
  return `${JSON.stringify({ finishReason, error, startedAt, ...figures, outputs })}\n`;
}
