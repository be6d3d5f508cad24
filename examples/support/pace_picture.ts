import type { SimulatedHost } from "../../test/support/simulated_host.ts";
import { simulate } from "../../test/support/simulator.ts";

/** One host to be drawn: a title, a sentence on what it does, and the host itself. */
export interface Subject {
  readonly title: string;
  readonly does: string;
  readonly server: SimulatedHost;
}

interface Course {
  /** When each request started, and whether it was refused. */
  readonly starts: { readonly atMs: number; refused: boolean }[];
  /** Limit and gap from this time on. */
  readonly steps: { readonly atMs: number; readonly limit: number; readonly gapMs: number }[];
  readonly pauses: { readonly fromMs: number; readonly toMs: number }[];
}

const WIDTH = 960;
const LEFT = 64;
const RIGHT = 64;
const PLOT_WIDTH = WIDTH - LEFT - RIGHT;
const PANEL_HEIGHT = 232;
const PLOT_TOP = 52;
const PLOT_HEIGHT = 112;
const STARTS_TOP = PLOT_TOP + PLOT_HEIGHT + 8;
const STARTS_HEIGHT = 22;

// Colours that keep a contrast of 3:1 to white and to near black alike; text follows the reader's scheme.
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-size: 15px; font-weight: 600 }
  .limit { fill: none; stroke: #2f81f7; stroke-width: 2 }
  .gap { fill: none; stroke: #c06c00; stroke-width: 2 }
  text.limit { fill: #0757ba; stroke: none } text.gap { fill: #8a4b00; stroke: none }
  .pause { fill: #8957e5; opacity: 0.22 }
  .start { stroke: #57866a; stroke-width: 1 }
  .refused { stroke: #e5484d; stroke-width: 2 }
  .axis { fill: none; stroke: #8b949e; stroke-width: 1 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } text.limit { fill: #79b8ff } text.gap { fill: #ffb04f }
    .pause { opacity: 0.45 } .start { stroke: #6fbf8b }
  }`;

/** Draws limit, gap, pauses and starts of each host over the first `spanMs`, as an SVG document. */
export function drawPaces(subjects: readonly Subject[], ceiling: number, spanMs: number): string {
  const height = subjects.length * PANEL_HEIGHT + 32;
  const panels = subjects.map((subject, at) => {
    const panel = drawPanel(subject, courseOf(subject.server, ceiling, spanMs), ceiling, spanMs);
    return `<g transform="translate(0 ${at * PANEL_HEIGHT})">${panel}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="t d">
<title id="t">The pace of three hosts</title>
<desc id="d">${subjects.map(({ title, does }) => `${title}: ${does}.`).join(" ")}</desc>
<style>${STYLE}</style>
${panels.join("\n")}
<text x="${LEFT}" y="${height - 10}">Each green line is a start, each red one a start that was refused; violet: the host is paused.</text>
</svg>
`;
}

function courseOf(server: SimulatedHost, ceiling: number, untilMs: number): Course {
  const course: Course = { starts: [], steps: [{ atMs: 0, limit: 1, gapMs: 0 }], pauses: [] };
  const rules = { concurrency: { adaptive: ceiling }, minGapMs: 0, maxGapMs: 60_000 };
  simulate({
    server,
    rules,
    untilMs,
    onEvent: (event, { limit, gapMs }) => {
      if (event.type === "start") {
        course.starts.push({ atMs: event.atMs, refused: false });
        return;
      }
      if (event.outcome.type === "throttled") course.starts[event.request]!.refused = true;
      const { change } = event;
      if (change === undefined) return;
      course.steps.push({ atMs: event.atMs, limit, gapMs });
      if (change.pausedUntilMs === undefined) return;
      course.pauses.push({ fromMs: event.atMs, toMs: Math.min(change.pausedUntilMs, untilMs) });
    },
  });
  return course;
}

function drawPanel({ title, does }: Subject, course: Course, ceiling: number, spanMs: number): string {
  const x = (atMs: number): string => (LEFT + (atMs / spanMs) * PLOT_WIDTH).toFixed(1);
  const y = (part: number): string => (PLOT_TOP + (1 - part) * PLOT_HEIGHT).toFixed(1);
  const highestLimit = Math.min(ceiling, Math.max(4, ...course.steps.map(({ limit }) => limit)));
  const widestMs = Math.max(100, ...course.steps.map(({ gapMs }) => gapMs));
  const stepped = (part: (step: Course["steps"][number]) => number): string =>
    `M${x(0)} ${y(part(course.steps[0]!))}${course.steps.map((step) => `H${x(step.atMs)}V${y(part(step))}`).join("")}H${x(spanMs)}`;
  const ticks = (isRefused: boolean, height: number): string =>
    course.starts
      .filter(({ refused }) => refused === isRefused)
      .map(({ atMs }) => `M${x(atMs)} ${STARTS_TOP + STARTS_HEIGHT}v${-height}`)
      .join("");
  const bottom = STARTS_TOP + STARTS_HEIGHT;
  const refused = course.starts.filter((start) => start.refused).length;
  return [
    `<text class="title" x="${LEFT}" y="20">${title}</text>`,
    `<text x="${LEFT}" y="39">${does}; ${course.starts.length} starts, ${refused} refused</text>`,
    ...course.pauses.map(
      ({ fromMs, toMs }) =>
        `<rect class="pause" x="${x(fromMs)}" y="${PLOT_TOP}" width="${(Number(x(toMs)) - Number(x(fromMs))).toFixed(1)}" height="${bottom - PLOT_TOP}"/>`,
    ),
    `<path class="axis" d="M${LEFT} ${PLOT_TOP}V${bottom}H${WIDTH - RIGHT}V${PLOT_TOP}"/>`,
    `<path class="gap" d="${stepped(({ gapMs }) => gapMs / widestMs)}"/>`,
    `<path class="limit" d="${stepped(({ limit }) => limit / highestLimit)}"/>`,
    `<path class="start" d="${ticks(false, STARTS_HEIGHT - 6)}"/>`,
    `<path class="refused" d="${ticks(true, STARTS_HEIGHT + 4)}"/>`,
    `<text class="limit" x="${LEFT - 8}" y="${PLOT_TOP + 5}" text-anchor="end">${highestLimit}</text>`,
    `<text class="limit" x="${LEFT - 8}" y="${PLOT_TOP + PLOT_HEIGHT / 2}" text-anchor="end">limit</text>`,
    `<text class="gap" x="${WIDTH - RIGHT + 8}" y="${PLOT_TOP + 5}">${Math.round(widestMs)} ms</text>`,
    `<text class="gap" x="${WIDTH - RIGHT + 8}" y="${PLOT_TOP + PLOT_HEIGHT / 2}">gap</text>`,
    `<text x="${LEFT - 8}" y="${bottom - 4}" text-anchor="end">starts</text>`,
    ...[0, 0.25, 0.5, 0.75, 1].map(
      (part) =>
        `<text x="${x(part * spanMs)}" y="${bottom + 18}" text-anchor="middle">${(part * spanMs) / 1000} s</text>`,
    ),
  ].join("\n");
}
