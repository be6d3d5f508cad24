import { markdownTable } from "./markdown_table.ts";
import type { Run } from "./run.ts";
import { formatFigure, formatSpread, ratios, type Spread, spreadOf } from "./summary.ts";

/** All rounds of one crawler. */
export interface PeerFigures {
  readonly name: string;
  readonly setting: string;
  /** The fewest that it found in a round. */
  readonly pages: number;
  readonly pagesPerSecond: Spread;
  readonly cpuMicrosecondsPerPage: Spread;
  /** The most in any round. */
  readonly peakBytes: number;
  /** How many times the pages a second Dragline has, round by round. */
  readonly draglineTimes: Spread;
}

export function peerFigures(
  name: string,
  setting: string,
  runs: readonly Run[],
  dragline: readonly Run[],
): PeerFigures {
  const rates = runs.map(({ pagesPerSecond }) => pagesPerSecond);
  const own = dragline.map(({ pagesPerSecond }) => pagesPerSecond);
  return {
    name,
    setting,
    pages: Math.min(...runs.map(({ pages }) => pages)),
    pagesPerSecond: spreadOf(rates),
    cpuMicrosecondsPerPage: spreadOf(runs.map(({ cpuMicrosecondsPerPage }) => cpuMicrosecondsPerPage)),
    peakBytes: Math.max(...runs.map(({ peakBytes }) => peakBytes)),
    draglineTimes: spreadOf(ratios(own, rates)),
  };
}

/** One row for each crawler, Dragline first; beside its name how many pages it found, where that is not all. */
export function peerTable(figures: readonly PeerFigures[], expectedPages: number): string {
  const times = `${figures[0]!.name}, times as fast`;
  const headings = ["crawler", "pages a second", times, "CPU a page, ms", "peak memory, MB"];
  const rows = figures.map((of, at) => [
    of.pages === expectedPages ? of.name : `${of.name} (found ${of.pages} of ${expectedPages} pages)`,
    formatSpread(of.pagesPerSecond),
    at === 0 ? "" : formatSpread(of.draglineTimes),
    (of.cpuMicrosecondsPerPage.median / 1_000).toFixed(2),
    formatFigure(of.peakBytes / 1e6),
  ]);
  return markdownTable(headings, rows);
}
