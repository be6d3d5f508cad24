/** The list of crawls, which of them is watched, and what can be done with it. */
export const CONTROLS_SCRIPT: string = String.raw`
/** @param {string} id @param {Stats} stats */
function showInList(id, stats) {
  const hint = document.querySelector("#crawls [data-id='" + id + "'] .hint");
  if (hint) setText(hint, (stats.finishReason ?? "running") + ", " + shownCount(stats.pages) + " pages");
}

async function listCrawls() {
  const response = await ask("crawls");
  if (!response.ok) throw new Error("status " + response.status);
  /** @type {CrawlInfo[]} */
  const crawls = await response.json();
  fillList(
    find("crawls"),
    crawls,
    () => {
      const item = make("li");
      const button = make("button");
      button.setAttribute("type", "button");
      button.append(make("span", "name"), make("span", "hint"));
      button.addEventListener("click", () => void watch(button.dataset.id ?? ""));
      item.append(button);
      return item;
    },
    (item, { id, seeds, stats }) => {
      const button = /** @type {HTMLElement} */ (item.firstElementChild);
      button.dataset.id = id;
      if (id === view.id) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      const name = /** @type {HTMLElement} */ (button.firstElementChild);
      setText(name, seeds.map((seed) => seed.replace(/^https?:\/\//, "")).join(", "));
      showInList(id, stats);
    },
  );
  find("no-crawls").hidden = crawls.length > 0;
  return crawls;
}

/** @param {string} id */
async function loadHistory(id) {
  const response = await ask("crawls/" + id);
  if (!response.ok) return undefined;
  /** @type {CrawlInfo} */
  const info = await response.json();
  if (view.id !== id) return undefined;
  const [lastMs] = info.history?.at(-1) ?? [0];
  view.samples = [...(info.history ?? []), ...view.samples.filter(([atMs]) => atMs > lastMs)];
  changed("curve");
  return info;
}

/** @param {string} id */
async function watch(id) {
  view.id = id;
  view.stats = undefined;
  clearView();
  const info = await loadHistory(id);
  if (!info) return;
  view.seeds = info.seeds;
  takeStats(info.stats);
  history.replaceState(null, "", "#" + id);
  document.title = info.seeds.join(", ") + " · Dragline";
  find("empty").hidden = true;
  find("crawl").hidden = false;
  const stop = /** @type {HTMLButtonElement} */ (find("stop"));
  stop.disabled = false;
  setText(stop, "Stop");
  void follow(id);
  await listCrawls();
}

find("stop").addEventListener("click", async () => {
  const stop = /** @type {HTMLButtonElement} */ (find("stop"));
  stop.disabled = true;
  setText(stop, "Stopping…");
  await ask("crawls/" + view.id, { method: "DELETE" });
  announce("Stopping: what is in flight may finish");
});

find("download").addEventListener("click", async () => {
  const id = view.id;
  const response = await ask("crawls/" + id + "/pages?follow=false");
  if (!response.ok) return announce("There is nothing to download");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = "crawl-" + id + ".jsonl";
  link.click();
  URL.revokeObjectURL(link.href);
});

find("hosts-filter").addEventListener("input", () => changed("hosts"));
find("results-filter").addEventListener("input", () => changed("results"));
for (const input of document.querySelectorAll("input[name=kind]")) {
  input.addEventListener("change", () => changed("results"));
}
window.addEventListener("hashchange", () => {
  if (location.hash.slice(1) !== view.id) void begin();
});

/** Watches the crawl that the address names, or else the newest. */
async function begin() {
  try {
    const crawls = await listCrawls();
    const named = crawls.find(({ id }) => id === location.hash.slice(1));
    const shown = named ?? crawls.find(({ stats }) => stats.finishReason === undefined) ?? crawls[0];
    if (shown) await watch(shown.id);
    else showConnection("off", "Ready");
  } catch (error) {
    showConnection("lost", "The server cannot be reached");
  }
}

void begin();
`;
