// What is new, changed and gone since the last run. Pages that a server can tell to be unchanged are not sent again;
// of the others a digest of the text tells.
//
//   npx tsx examples/recipes/changes.ts https://example.com/ state.json
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { crawl, type Page, type Validators } from "../../mod.ts";

const [, , seed = "https://example.com/", path = "state.json"] = process.argv;

type State = { validators: [string, Validators][]; digests: [string, string][] };
const before: State = existsSync(path)
  ? (JSON.parse(await readFile(path, "utf8")) as State)
  : { validators: [], digests: [] };
const revalidate = new Map(before.validators);
const old = new Map(before.digests);
const digests = new Map<string, string>();

/** What stands for the page's text; of one that could not be had, what stood for it the last time. */
function digestOf({ ok, url, text }: Page): string {
  return ok ? createHash("sha256").update(text).digest("hex") : (old.get(url) ?? "");
}

for await (const result of crawl(seed, { revalidate, results: "all" })) {
  if (result.type === "skip") continue;
  const { url } = result;
  if (result.type === "failure") digests.set(url, old.get(url) ?? "");
  else if (result.status !== 404 && result.status !== 410) digests.set(url, digestOf(result));
  else continue;
  if (!old.has(url)) console.log("new", url);
  else if (old.get(url) !== digests.get(url)) console.log("changed", url);
}
for (const url of old.keys()) if (!digests.has(url)) console.log("gone", url);
await writeFile(path, JSON.stringify({ validators: [...revalidate], digests: [...digests] }));
