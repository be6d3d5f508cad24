/** State, formats, and the drawing in batches. */
export const SHELL_SCRIPT: string = `
/**
 * @typedef {{ id: string, seeds: string[], stats: Stats, history?: [number, number][] }} CrawlInfo
 * @typedef {{ startedAtMs: number, elapsedMs: number, pages: number, failures: number, skips: number, queued: number,
 *   inFlight: number, bytes: number, hosts: number, statuses: Record<string, number>,
 *   failuresByReason: Record<string, number>, skipsByReason: Record<string, number>,
 *   finishReason?: string, finishDetail?: string }} Stats
 * @typedef {{ host: string, limit: number, gapMs: number, pausedUntilMs?: number, why?: string, inFlight: number,
 *   pages: number, failures: number }} Host
 * @typedef {{ type: string, url: string, status?: number, title?: string, reason?: string, detail?: string,
 *   bytes?: number, responseMs?: number, attempts?: number, depth?: number, referrer?: string }} Result
 */

// What is kept and what is drawn are bounded, however much a crawl tells.
const MAX_RESULTS = 1000;
const MAX_RESULT_ROWS = 100;
const MAX_HOSTS = 1000;
const MAX_HOST_ROWS = 100;
const MAX_SAMPLES = 480;
const DRAW_EVERY_MS = 250;

/** What is known of the crawl that is watched. */
const view = {
  id: "",
  seeds: /** @type {string[]} */ ([]),
  stats: /** @type {Stats | undefined} */ (undefined),
  /** How far the server's clock is ahead of this one. */
  aheadMs: 0,
  hosts: /** @type {Map<string, Host>} */ (new Map()),
  results: /** @type {Result[]} */ ([]),
  samples: /** @type {[number, number][]} */ ([[0, 0]]),
};

/** @param {string} id @returns {HTMLElement} */
function find(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error("There is no element " + id);
  return element;
}

/** @param {string} id @returns {HTMLInputElement} */
function field(id) {
  return /** @type {HTMLInputElement} */ (find(id));
}

/** An element with text in it: what a page says never becomes markup.
 * @param {string} tag @param {string} [className] @returns {HTMLElement} */
function make(tag, className) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  return element;
}

/** @param {Element} element @param {string} text */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Gives a list so many children and fills them. Those that are there are used again: nothing else moves.
 * @template T
 * @param {Element} parent @param {readonly T[]} items @param {() => HTMLElement} create
 * @param {(element: HTMLElement, item: T) => void} fill
 */
function fillList(parent, items, create, fill) {
  while (parent.childElementCount > items.length) parent.lastElementChild?.remove();
  while (parent.childElementCount < items.length) parent.append(create());
  items.forEach((item, index) => fill(/** @type {HTMLElement} */ (parent.children[index]), item));
}

const wholeNumbers = new Intl.NumberFormat("en");

/** @param {number} count */
function shownCount(count) {
  return count < 1e6 ? wholeNumbers.format(count) : (count / 1e6).toFixed(2) + " M";
}

/** @param {number} bytes */
function shownBytes(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let at = 0;
  while (bytes >= 1000 && at < units.length - 1) {
    bytes /= 1000;
    at++;
  }
  return (at > 0 && bytes < 10 ? bytes.toFixed(1) : Math.round(bytes)) + " " + units[at];
}

/** @param {number} ms */
function shownTime(ms) {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? hours + ":" + parts.join(":") : String(Number(parts[0])) + ":" + parts[1];
}

/** @param {number} ms */
function shownMs(ms) {
  return ms < 1000 ? Math.round(ms) + " ms" : Number((ms / 1000).toFixed(ms < 10000 ? 2 : 0)) + " s";
}

/** @param {number} rate */
function shownRate(rate) {
  return rate === 0 ? "0" : rate < 10 ? rate.toFixed(1) : shownCount(Math.round(rate));
}

/** @type {Map<string, () => void>} */
const painters = new Map();
/** @type {Set<string>} */
const toDraw = new Set();
let drawTimer = 0;
let drawnAtMs = 0;

/** Has parts of the page drawn anew, soon and all at once. @param {...string} parts */
function changed(...parts) {
  for (const part of parts) toDraw.add(part);
  if (drawTimer !== 0 || document.hidden) return;
  drawTimer = window.setTimeout(draw, Math.max(0, drawnAtMs + DRAW_EVERY_MS - performance.now()));
}

function draw() {
  drawTimer = 0;
  drawnAtMs = performance.now();
  const parts = [...toDraw];
  toDraw.clear();
  for (const part of parts) painters.get(part)?.();
}

document.addEventListener("visibilitychange", () => changed());

/** Tells those who do not see the page. @param {string} text */
function announce(text) {
  setText(find("live"), text);
}

function serverNowMs() {
  return Date.now() + view.aheadMs;
}

/** Forgets what was known of a crawl. */
function clearView() {
  view.hosts.clear();
  view.results = [];
  view.samples = [[0, 0]];
  changed("figures", "curve", "bars", "hosts", "results");
}
`;
