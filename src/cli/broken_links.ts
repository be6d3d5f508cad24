import type { ResultSink } from "../output/result_sink.ts";
import type { JsonValue } from "../request.ts";
import type { CrawlResult } from "../result.ts";
import { canonicalKey } from "../web/url.ts";
import { csvTable } from "./csv_table.ts";
import { JournalFile } from "./journal_file.ts";
import { writeWholeFile } from "./whole_file.ts";

/** A line of the journal: the links of a page, or what is broken. */
type Note =
  | { readonly page: string; readonly links: readonly string[] }
  | { readonly broken: string; readonly keys: readonly string[]; readonly why: string; readonly on?: string };

interface BrokenLink {
  readonly url: string;
  readonly why: string;
  readonly pages: Set<string>;
}

const COLUMNS = ["url", "why", "pages"];

/**
 * Writes which links are broken: answered with an error status, not answered at all, or no URLs; each once, with all
 * pages of the crawl on which it stands. The file is written when the crawl ends. Until then the links of each page
 * are in `<path>.journal`, so that memory grows by the broken ones alone.
 *
 * @param isResumable whether the crawl has a store: then its journal is gone on with, and stays for the next run
 */
export function brokenLinksFile(path: string, isResumable: boolean): ResultSink {
  let journal: JournalFile;
  return {
    async start() {
      journal = await JournalFile.open(`${path}.journal`, isResumable ? "continue" : "replace");
    },
    async write(result) {
      const note = noteOf(result);
      if (note !== undefined) await journal.append(note as JsonValue);
    },
    async close() {
      await writeWholeFile(path, csvTable(COLUMNS, rowsOf(await brokenIn(journal))));
      await (isResumable ? journal.close() : journal.remove());
    },
    abort: () => journal.close(),
  };
}

function noteOf(result: CrawlResult): Note | undefined {
  switch (result.type) {
    case "page": {
      if (!result.ok && !result.unchanged)
        return brokenNote(result.url, result.request, `status ${result.status}`);
      const keys = result.links.filter(({ url }) => /^https?:/.test(url)).map(({ url }) => canonicalKey(url));
      return { page: result.url, links: [...new Set(keys)] };
    }
    case "failure":
      return brokenNote(result.url, result.request, result.reason);
    case "skip":
      // A link of another scheme, say mailto:, is none of ours and no fault.
      if (result.reason !== "invalid-url" || URL.canParse(result.url)) return undefined;
      return {
        broken: result.url,
        keys: [],
        why: "invalid-url",
        ...(result.referrer !== undefined && { on: result.referrer }),
      };
    default:
      return result satisfies never;
  }
}

/** A link that redirects to what is broken is broken too: it is known by what was written on the page. */
function brokenNote(url: string, request: Exclude<CrawlResult["request"], undefined>, why: string): Note {
  const hops = (request.redirects ?? []).map((redirect) => redirect.url);
  const written = hops[0] ?? request.url;
  return {
    broken: written,
    keys: [...new Set([canonicalKey(written), ...hops.map((hop) => canonicalKey(hop)), canonicalKey(url)])],
    why,
    ...(request.referrer !== undefined && { on: request.referrer }),
  };
}

/** Reads the journal twice: what is broken may stand behind the pages that link to it. */
async function brokenIn(journal: JournalFile): Promise<BrokenLink[]> {
  const links = new Map<string, BrokenLink>();
  const byKey = new Map<string, BrokenLink>();
  for await (const value of journal.values()) {
    const note = value as Note;
    if (!("broken" in note)) continue;
    const link = links.get(note.broken) ?? { url: note.broken, why: note.why, pages: new Set<string>() };
    links.set(note.broken, link);
    if (note.on !== undefined) link.pages.add(note.on);
    for (const key of note.keys) byKey.set(key, link);
  }
  for await (const value of journal.values()) {
    const note = value as Note;
    if (!("page" in note)) continue;
    for (const key of note.links) byKey.get(key)?.pages.add(note.page);
  }
  return [...links.values()];
}

function* rowsOf(links: readonly BrokenLink[]): Generator<string[]> {
  for (const { url, why, pages } of links) yield [url, why, [...pages].join(" ")];
}
