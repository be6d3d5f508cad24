/** Requests with the token, and the stream of events with its reconnecting. */
export const CONNECTION_SCRIPT: string = String.raw`
// The page may be mounted anywhere: its routes are beside it.
const BASE = location.pathname.replace(/\/?$/, "/");
const TOKEN_KEY = "dragline-token";
const MAX_RETRY_MS = 30000;

/** @param {string} path @param {RequestInit} [init] @returns {Promise<Response>} */
async function ask(path, init = {}) {
  const headers = new Headers(init.headers);
  const token = sessionStorage.getItem(TOKEN_KEY);
  if (token) headers.set("authorization", "Bearer " + token);
  const response = await fetch(BASE + path, { ...init, headers });
  if (response.status !== 401) return response;
  await askForToken();
  return ask(path, init);
}

/** @type {Promise<void> | undefined} */
let tokenAsked;

/** Asks once, however many requests wait for it. @returns {Promise<void>} */
function askForToken() {
  const dialog = /** @type {HTMLDialogElement} */ (find("token-dialog"));
  tokenAsked ??= new Promise((resolve) => {
    dialog.showModal();
    dialog.addEventListener(
      "close",
      () => {
        sessionStorage.setItem(TOKEN_KEY, field("token").value.trim());
        tokenAsked = undefined;
        resolve();
      },
      { once: true },
    );
  });
  return tokenAsked;
}

/** @param {"off" | "live" | "lost"} state @param {string} text */
function showConnection(state, text) {
  find("connection").dataset.state = state;
  setText(find("connection-text"), text);
}

/** @type {AbortController | undefined} */
let connection;

/**
 * Follows a crawl's events until it is over or another is watched, across lost connections. EventSource would do, but
 * it can send no token.
 * @param {string} id
 */
async function follow(id) {
  connection?.abort();
  const own = new AbortController();
  connection = own;
  let lastId = "";
  let retryMs = 2000;
  let failures = 0;
  while (!own.signal.aborted) {
    try {
      const headers = new Headers(lastId === "" ? [] : [["last-event-id", lastId]]);
      const response = await ask("crawls/" + id + "/events", { headers, signal: own.signal });
      if (response.status === 404) return showConnection("off", "This crawl is known no more");
      if (response.status === 204) return showConnection("off", "The crawl is over");
      if (!response.ok || !response.body) throw new Error("status " + response.status);
      if (failures > 0) announce("Connected again");
      failures = 0;
      showConnection("live", "Live");
      for await (const message of messages(response.body, own.signal)) {
        if (message.retry !== undefined) retryMs = message.retry;
        if (message.id !== undefined) lastId = message.id;
        if (message.data === "") continue;
        take(message.event, JSON.parse(message.data));
        if (message.event === "finished") return showConnection("off", "The crawl is over");
      }
    } catch (error) {
      if (own.signal.aborted) return;
    }
    const waitMs = Math.min(MAX_RETRY_MS, retryMs * 2 ** failures);
    if (failures === 0) announce("The connection is lost");
    failures++;
    showConnection("lost", "Connection lost, trying again in " + Math.ceil(waitMs / 1000) + " s");
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/**
 * Reads an event stream (HTML standard, server-sent events), as far as this server writes one.
 * @param {ReadableStream<Uint8Array>} body @param {AbortSignal} signal
 * @returns {AsyncGenerator<{ event: string, data: string, id?: string, retry?: number }>}
 */
async function* messages(body, signal) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield readBlock(block);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** @param {string} block */
function readBlock(block) {
  /** @type {{ event: string, data: string, id?: string, retry?: number }} */
  const message = { event: "message", data: "" };
  const data = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    else if (name === "event") message.event = value;
    else if (name === "id") message.id = value;
    else if (name === "retry") message.retry = Number(value);
  }
  message.data = data.join("\n");
  return message;
}

/** Takes in what an event says. @param {string} event @param {any} data */
function take(event, data) {
  switch (event) {
    case "reset":
      clearView();
      void loadHistory(view.id);
      break;
    case "stats":
      takeStats(data);
      break;
    case "finished":
      takeStats(data);
      announce("The crawl is over: " + data.pages + " pages, " + data.failures + " failures");
      void listCrawls();
      break;
    case "host":
      takeHost(data);
      break;
    default:
      view.results.push({ type: event, ...data });
      if (view.results.length > 2 * MAX_RESULTS) view.results = view.results.slice(-MAX_RESULTS);
      changed("results");
  }
}

/** @param {Stats} stats */
function takeStats(stats) {
  view.stats = stats;
  if (stats.finishReason === undefined) view.aheadMs = stats.startedAtMs + stats.elapsedMs - Date.now();
  addSample(stats.elapsedMs, stats.pages);
  changed("figures", "curve", "bars");
}

/** @param {Host} host */
function takeHost(host) {
  const before = view.hosts.get(host.host);
  // The host that changed last stands last: past the bound, the first leaves.
  view.hosts.delete(host.host);
  view.hosts.set(host.host, host);
  const [oldest] = view.hosts.keys();
  if (view.hosts.size > MAX_HOSTS && oldest !== undefined) view.hosts.delete(oldest);
  const pauseMs = (host.pausedUntilMs ?? 0) - serverNowMs();
  if (pauseMs > 5000 && host.pausedUntilMs !== before?.pausedUntilMs) {
    announce(host.host + " is paused for " + shownMs(pauseMs));
  }
  changed("hosts");
}
`;
