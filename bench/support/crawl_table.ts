import type { Client } from "./client_process.ts";
import { markdownTable } from "./markdown_table.ts";
import type { Run } from "./run.ts";
import { formatFigure, formatSpread, ratios, type Spread, spreadOf } from "./summary.ts";

/** All rounds of one client on one runtime. */
export interface ClientFigures {
  readonly pagesPerSecond: Spread;
  readonly cpuMicrosecondsPerPage: Spread;
  /** When all rounds were done. */
  readonly peakBytes: number;
  /** Pages a second against the bare loop's, round by round. */
  readonly againstBareLoop: Spread;
}

export interface RuntimeFigures {
  readonly runtime: string;
  readonly clients: Readonly<Partial<Record<Client, ClientFigures>>>;
}

/** What `npm run bench` found of one site. */
export interface SiteFigures {
  readonly site: string;
  readonly pages: number;
  readonly runtimes: readonly RuntimeFigures[];
}

/** Sums up the rounds of one client, given those of the bare loop beside it. */
export function clientFigures(runs: readonly Run[], bareLoop: readonly Run[]): ClientFigures {
  const rates = runs.map(({ pagesPerSecond }) => pagesPerSecond);
  const bareRates = bareLoop.map(({ pagesPerSecond }) => pagesPerSecond);
  return {
    pagesPerSecond: spreadOf(rates),
    cpuMicrosecondsPerPage: spreadOf(runs.map(({ cpuMicrosecondsPerPage }) => cpuMicrosecondsPerPage)),
    peakBytes: Math.max(...runs.map(({ peakBytes }) => peakBytes)),
    againstBareLoop: spreadOf(ratios(rates, bareRates)),
  };
}

const HEADINGS = [
  "runtime, client",
  "pages a second",
  "against the bare loop",
  "CPU a page, ms",
  "peak memory, MB",
];

const CLIENTS: readonly (readonly [Client, string])[] = [
  ["bare", "bare loop"],
  ["fetch", "`crawl()`"],
  ["undici", "`crawl()` by undici"],
];

/** One row for each client on each runtime. */
export function siteTable({ site, pages, runtimes }: SiteFigures): string {
  const rows = runtimes.flatMap(({ runtime, clients }) =>
    CLIENTS.flatMap(([client, name]) => {
      const figures = clients[client];
      return figures ? [[`${runtime}, ${name}`, ...cells(client, figures)]] : [];
    }),
  );
  return `**${site}**: ${pages.toLocaleString("en")} pages\n\n${markdownTable(HEADINGS, rows)}`;
}

function cells(client: Client, figures: ClientFigures): string[] {
  return [
    formatSpread(figures.pagesPerSecond),
    client === "bare" ? "" : formatSpread(figures.againstBareLoop),
    (figures.cpuMicrosecondsPerPage.median / 1_000).toFixed(2),
    formatFigure(figures.peakBytes / 1e6),
  ];
}
