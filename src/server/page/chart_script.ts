/** The curve of pages a second over a crawl's time. */
export const CHART_SCRIPT: string = `
const CURVE_WIDTH = 600;
const CURVE_HEIGHT = 150;
const CURVE_BINS = 75;
// What is shown as the rate of now is that of the last few seconds.
const RATE_OF_MS = 4000;

/** @param {number} elapsedMs @param {number} pages */
function addSample(elapsedMs, pages) {
  const last = view.samples[view.samples.length - 1];
  if (last && elapsedMs <= last[0]) return;
  view.samples.push([elapsedMs, pages]);
  if (view.samples.length > MAX_SAMPLES) view.samples = view.samples.filter((_, index) => index % 2 === 0);
}

/** How many pages there were at some moment, between two samples as on a line. @param {number} atMs */
function pagesAt(atMs) {
  let before = view.samples[0] ?? [0, 0];
  for (const sample of view.samples) {
    if (sample[0] >= atMs) {
      const spanMs = sample[0] - before[0];
      return spanMs === 0 ? sample[1] : before[1] + ((sample[1] - before[1]) * (atMs - before[0])) / spanMs;
    }
    before = sample;
  }
  return before[1];
}

/** Pages a second between two moments. @param {number} fromMs @param {number} toMs */
function rateBetween(fromMs, toMs) {
  return toMs <= fromMs ? 0 : ((pagesAt(toMs) - pagesAt(fromMs)) * 1000) / (toMs - fromMs);
}

function rateNow() {
  const stats = view.stats;
  if (!stats || stats.finishReason !== undefined) return averageRate();
  return rateBetween(Math.max(0, stats.elapsedMs - RATE_OF_MS), stats.elapsedMs);
}

function averageRate() {
  const elapsedMs = view.stats?.elapsedMs ?? 0;
  return elapsedMs === 0 ? 0 : ((view.stats?.pages ?? 0) * 1000) / elapsedMs;
}

/** A round number that is not below, by as little as may be. @param {number} value */
function roundAbove(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.5, 2, 3, 5, 7.5, 10].find((step) => step * power >= value) ?? 10) * power;
}

painters.set("curve", () => {
  const elapsedMs = Math.max(1000, view.stats?.elapsedMs ?? 0);
  const bins = Math.max(2, Math.min(CURVE_BINS, Math.floor(elapsedMs / 250)));
  const rates = Array.from({ length: bins }, (_, bin) =>
    rateBetween((elapsedMs * bin) / bins, (elapsedMs * (bin + 1)) / bins),
  );
  const most = Math.max(...rates);
  const top = most > 0 ? roundAbove(most * 1.05) : 1;
  const points = rates.map((rate, bin) => {
    const x = (bin / (bins - 1)) * CURVE_WIDTH;
    return x.toFixed(1) + " " + (CURVE_HEIGHT - (rate / top) * CURVE_HEIGHT).toFixed(1);
  });
  const line = "M" + points.join("L");
  find("curve-line").setAttribute("d", line);
  find("curve-area").setAttribute("d", line + "L" + CURVE_WIDTH + " " + CURVE_HEIGHT + "L0 " + CURVE_HEIGHT + "Z");
  setText(find("curve-top"), shownRate(top) + " a second");
  setText(find("curve-end"), shownTime(elapsedMs));
  const label =
    "Pages a second over " + shownTime(elapsedMs) + ": at most " + shownRate(most) + ", on average " + shownRate(averageRate());
  find("curve").setAttribute("aria-label", label);
});
`;
