/** The form that starts a crawl. */
export const FORM_SCRIPT: string = String.raw`
const NUMBERS = ["maxPages", "maxDepth", "delayMs", "concurrency"];
const TEXTS = ["include", "exclude", "userAgent"];
const FIELDS = ["seeds", "scope", "maxDurationMs", ...NUMBERS, ...TEXTS];

/** What the form asks for; an empty field leaves its option to the server. */
function submission() {
  /** @type {Record<string, unknown>} */
  const options = { scope: field("scope").value };
  for (const name of NUMBERS) if (field(name).value !== "") options[name] = Number(field(name).value);
  if (field("maxDurationMs").value !== "") options.maxDurationMs = Number(field("maxDurationMs").value) * 60000;
  for (const name of TEXTS) if (field(name).value.trim() !== "") options[name] = field(name).value.trim();
  if (field("sitemaps").checked) options.sitemaps = true;
  return { seeds: field("seeds").value.split(/\s+/).filter(Boolean), options };
}

/** @param {Record<string, string>} errors by the field's name; "" for those of none */
function showErrors(errors) {
  for (const name of FIELDS) {
    setText(find(name + "-error"), errors[name] ?? "");
    field(name).setAttribute("aria-invalid", String(name in errors));
  }
  const general = errors[""] ?? "";
  find("start-error").hidden = general === "";
  setText(find("start-error"), general);
  const first = FIELDS.find((name) => name in errors);
  if (!first) return;
  const details = field(first).closest("details");
  if (details) details.open = true;
  field(first).focus();
}

/** @param {Response} response */
async function problemErrors(response) {
  /** @type {{ detail?: string, errors?: { pointer: string, detail: string }[] }} */
  const problem = await response.json().catch(() => ({}));
  /** @type {Record<string, string>} */
  const errors = {};
  for (const { pointer, detail } of problem.errors ?? []) {
    const name = /^#\/(?:options\/)?(\w+)/.exec(pointer)?.[1] ?? "";
    errors[FIELDS.includes(name) ? name : ""] ??= detail;
  }
  if (Object.keys(errors).length === 0) errors[""] = problem.detail ?? "The server answered " + response.status;
  return errors;
}

find("start").addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = JSON.stringify(submission());
  try {
    const response = await ask("crawls", { method: "POST", headers: { "content-type": "application/json" }, body });
    if (!response.ok) return showErrors(await problemErrors(response));
    showErrors({});
    /** @type {CrawlInfo} */
    const info = await response.json();
    announce("The crawl has started");
    await watch(info.id);
    find("watch").focus();
  } catch (error) {
    showErrors({ "": "The server cannot be reached" });
  }
});
`;
