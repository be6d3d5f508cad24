/** Figures, bars, hosts and results. */
export const PANELS_SCRIPT: string = `
/** @param {number} status */
function statusClass(status) {
  return status < 300 ? "good" : status < 400 ? "info" : status < 500 ? "warn" : "bad";
}

painters.set("figures", () => {
  const stats = view.stats;
  const isOver = stats?.finishReason !== undefined;
  const figures = {
    pages: shownCount(stats?.pages ?? 0),
    rate: shownRate(rateNow()),
    queued: shownCount(stats?.queued ?? 0),
    inFlight: shownCount(stats?.inFlight ?? 0),
    failures: shownCount(stats?.failures ?? 0),
    skips: shownCount(stats?.skips ?? 0),
    bytes: shownBytes(stats?.bytes ?? 0),
    elapsed: shownTime(stats?.elapsedMs ?? 0),
  };
  for (const [name, text] of Object.entries(figures)) {
    const element = document.querySelector("[data-figure=" + name + "]");
    if (element) setText(element, text);
  }
  const badge = find("state");
  badge.dataset.state = !isOver ? "running" : stats?.finishReason === "failed" ? "failed" : "over";
  setText(badge, !isOver ? "running" : (stats?.finishReason ?? ""));
  setText(find("seed"), view.seeds.length > 3 ? view.seeds.slice(0, 3).join(", ") + " and " + (view.seeds.length - 3) + " more" : view.seeds.join(", "));
  if (stats) showInList(view.id, stats);
  const stop = /** @type {HTMLButtonElement} */ (find("stop"));
  if (isOver) {
    stop.disabled = true;
    setText(stop, "Stop");
  }
});

/** @typedef {{ name: string, count: number, colour: string }} Bar */

/** @param {string} id @param {Bar[]} bars */
function paintBars(id, bars) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  fillList(
    find(id),
    bars,
    () => {
      const item = make("li");
      const track = make("span", "track");
      track.append(make("span", "fill"));
      item.append(make("span"), track, make("b"));
      return item;
    },
    (item, { name, count, colour }) => {
      const [label, track, number] = item.children;
      const fill = /** @type {HTMLElement | null} */ (track?.firstElementChild ?? null);
      if (!label || !fill || !number) return;
      setText(label, name);
      label.className = colour;
      fill.className = "fill " + colour;
      fill.style.width = (100 * count) / most + "%";
      setText(number, shownCount(count));
    },
  );
  find("no-" + id).hidden = bars.length > 0;
}

painters.set("bars", () => {
  const { statuses = {}, failuresByReason = {}, skipsByReason = {} } = view.stats ?? {};
  paintBars(
    "statuses",
    Object.entries(statuses).map(([name, count]) => ({ name, count, colour: statusClass(Number(name)) })),
  );
  /** @type {Bar[]} */
  const reasons = [
    ...Object.entries(failuresByReason).map(([name, count]) => ({ name, count, colour: "bad" })),
    ...Object.entries(skipsByReason).map(([name, count]) => ({ name, count, colour: "idle" })),
  ];
  paintBars("reasons", reasons.sort((a, b) => b.count - a.count));
});

/** Milliseconds for which nothing is asked of a host. @param {Host} host */
function pauseLeftMs(host) {
  if (view.stats?.finishReason !== undefined) return 0;
  return Math.max(0, (host.pausedUntilMs ?? 0) - serverNowMs());
}

/** Why a pace changed, in words. @type {Record<string, string>} */
const PACE_REASONS = {
  throttled: "slowed: it refused",
  "retry-after": "it asked to wait",
  slow: "slowed: answers got slower",
  fast: "sped up",
  calibrating: "measuring its pace",
  recovered: "getting its pace back",
  "crawl-delay": "by its crawl-delay",
  hold: "held",
};

/** @param {Host} host */
function hostState(host) {
  const pauseMs = pauseLeftMs(host);
  const why = host.why ? ", " + (PACE_REASONS[host.why] ?? host.why) : "";
  // The last second is shown as such until it is over.
  if (pauseMs > 0) return "paused for " + shownTime(pauseMs + 999) + why;
  return (host.inFlight > 0 ? "busy" : "waiting") + why;
}

painters.set("hosts", () => {
  const wanted = field("hosts-filter").value.trim().toLowerCase();
  const found = [...view.hosts.values()].filter(({ host }) => host.toLowerCase().includes(wanted));
  // Those that wait longest first, then those that gave most.
  found.sort((a, b) => pauseLeftMs(b) - pauseLeftMs(a) || b.pages - a.pages || (a.host < b.host ? -1 : 1));
  fillList(
    find("hosts"),
    found.slice(0, MAX_HOST_ROWS),
    () => {
      const row = make("tr");
      row.setAttribute("role", "row");
      const name = make("th", "host");
      name.setAttribute("scope", "row");
      const cells = ["number", "number", "number", ""].map((className) => make("td", className));
      row.append(name, ...cells);
      // On a narrow screen the table is laid out as a grid, which would cost it its roles.
      name.setAttribute("role", "rowheader");
      for (const cell of cells) cell.setAttribute("role", "cell");
      return row;
    },
    (row, host) => {
      const isOver = view.stats?.finishReason !== undefined;
      const texts = [
        host.host,
        shownCount(host.pages),
        host.inFlight + " / " + host.limit,
        shownMs(host.gapMs),
        isOver ? "done" : hostState(host),
      ];
      texts.forEach((text, index) => setText(/** @type {Element} */ (row.children[index]), text));
      row.children[0]?.setAttribute("title", host.host);
      const state = row.children[4];
      if (state) state.className = pauseLeftMs(host) > 0 ? "warn" : "";
    },
  );
  setText(find("hosts-count"), shownCount(view.stats?.hosts ?? view.hosts.size));
  const left = found.length - MAX_HOST_ROWS;
  setText(find("hosts-more"), left > 0 ? "and " + shownCount(left) + " more: filter to find one" : "");
});

// A pause counts down without any event.
setInterval(() => {
  if ([...view.hosts.values()].some((host) => pauseLeftMs(host) > 0)) changed("hosts");
}, 1000);

function chosenKind() {
  const checked = document.querySelector("input[name=kind]:checked");
  return checked ? /** @type {HTMLInputElement} */ (checked).value : "";
}

/** @param {Result} result */
function resultMeta(result) {
  if (result.type !== "page") {
    return result.type === "failure" ? (result.attempts === 1 ? "1 attempt" : result.attempts + " attempts") : "skipped";
  }
  return shownBytes(result.bytes ?? 0) + ", " + shownMs(result.responseMs ?? 0);
}

/** @param {HTMLElement} row @param {Result} result */
function fillResult(row, result) {
  const [mark, name, meta, address] = row.children;
  if (!mark || !name || !meta || !address) return;
  const isPage = result.type === "page";
  setText(mark, isPage ? String(result.status) : result.type === "failure" ? "fail" : "skip");
  mark.className = "mark " + (isPage ? statusClass(result.status ?? 0) : result.type === "failure" ? "bad" : "idle");
  setText(name, isPage ? result.title || "(no title)" : result.reason + (result.detail ? ": " + result.detail : ""));
  setText(meta, resultMeta(result));
  const link = /** @type {HTMLAnchorElement} */ (address.firstElementChild);
  setText(link, result.url);
  // A skipped link may be of any scheme: only what a crawl could fetch can be clicked.
  if (/^https?:/i.test(result.url)) link.href = result.url;
  else link.removeAttribute("href");
}

function makeResult() {
  const row = make("li");
  const address = make("span", "address");
  const link = document.createElement("a");
  link.target = "_blank";
  link.rel = "noopener noreferrer nofollow";
  address.append(link);
  row.append(make("span", "mark"), make("span", "name"), make("span", "meta"), address);
  return row;
}

painters.set("results", () => {
  // What somebody points at or has the focus in does not move away below them.
  if (find("results").matches(":hover, :focus-within")) {
    setText(find("results-more"), "Held still while you are in the list");
    return;
  }
  const kind = chosenKind();
  const wanted = field("results-filter").value.trim().toLowerCase();
  const found = view.results.filter(
    (result) =>
      (kind === "" ? result.type !== "skip" : result.type === kind) &&
      [result.url, result.title, result.reason, result.detail, String(result.status ?? "")].some((text) =>
        text?.toLowerCase().includes(wanted),
      ),
  );
  fillList(find("results"), found.slice(-MAX_RESULT_ROWS).reverse(), makeResult, fillResult);
  const left = found.length - MAX_RESULT_ROWS;
  setText(
    find("results-more"),
    left > 0 ? "and " + shownCount(left) + " before these" : found.length === 0 ? "Nothing to show" : "",
  );
});

for (const event of ["mouseleave", "focusout"]) {
  find("results").addEventListener(event, () => setTimeout(() => changed("results"), 0));
}
`;
