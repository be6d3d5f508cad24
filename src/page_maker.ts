import type { HopResponse } from "./fetcher.ts";
import type { NearDuplicates } from "./near_duplicates.ts";
import type { Settings } from "./options.ts";
import { Page, type PageReaders } from "./page.ts";
import type { CrawlRequest } from "./request.ts";
import type { Skip } from "./result.ts";
import type { SavedCrawl } from "./snapshot.ts";
import type { Validators } from "./validators.ts";
import { isOneOf } from "./web/content_type.ts";
import type { VisitState } from "./workbench.ts";

type PageSettings = Pick<Settings, "contentTypes" | "maxPagesPerHost" | "nearDuplicates" | "userAgent">;

/** Makes pages of answers, and remembers of them what those to come are held against. */
export class PageMaker {
  readonly #settings: PageSettings;
  // Where there is a budget a host. One entry a host with pages.
  readonly #pagesByHost = new Map<string, number>();
  // Where they are asked for. One entry for each page that was the first of its kind.
  #nearDuplicates: NearDuplicates | undefined;
  /** What a crawl before this one knew of them, until they are loaded. */
  #savedDuplicates: SavedCrawl["nearDuplicates"];
  #readers: PageReaders | undefined;

  constructor(settings: PageSettings) {
    this.#settings = settings;
  }

  /** Loads what pages are read by, before the first {@link make}. */
  async load(): Promise<void> {
    const [readers] = await Promise.all([import("./page_readers.ts"), this.#loadNearDuplicates()]);
    this.#readers = readers;
  }

  async #loadNearDuplicates(): Promise<void> {
    const { nearDuplicates } = this.#settings;
    if (nearDuplicates === undefined) return;
    const { NearDuplicates } = await import("./near_duplicates.ts");
    this.#nearDuplicates = new NearDuplicates(nearDuplicates);
    this.#nearDuplicates.restore(this.#savedDuplicates ?? []);
    this.#savedDuplicates = undefined;
  }

  /** What it remembers, as JSON. */
  save(): Pick<SavedCrawl, "pagesByHost" | "nearDuplicates"> {
    const nearDuplicates = this.#nearDuplicates?.save() ?? this.#savedDuplicates;
    return { pagesByHost: [...this.#pagesByHost], nearDuplicates };
  }

  /** Takes in what {@link save} gave, before {@link load}. */
  restore({ pagesByHost, nearDuplicates }: Pick<SavedCrawl, "pagesByHost" | "nearDuplicates">): void {
    for (const [host, count] of pagesByHost) this.#pagesByHost.set(host, count);
    this.#savedDuplicates = nearDuplicates;
  }

  /** Whether the host may give one more page now, once what is in flight turns out to be none, or not at all. */
  leave(state: VisitState): "now" | "later" | "never" {
    const { maxPagesPerHost } = this.#settings;
    if (maxPagesPerHost === Number.POSITIVE_INFINITY) return "now";
    const pages = this.#pagesByHost.get(state.host.name) ?? 0;
    if (pages >= maxPagesPerHost) return "never";
    return pages + state.pagesInFlight < maxPagesPerHost ? "now" : "later";
  }

  /** The page that an answer is, or why it is skipped. */
  make(
    request: CrawlRequest,
    answer: Omit<HopResponse, "type">,
    known: Validators | undefined,
  ): Page | Pick<Skip, "reason" | "detail"> {
    const { contentTypes, maxPagesPerHost, nearDuplicates, userAgent } = this.#settings;
    if (this.#readers === undefined) throw new Error("Cannot make a page before load()");
    const { status, headers, body, startedAtMs, responseMs } = answer;
    const timings = { startedAtMs, responseMs };
    const page = new Page({
      request,
      status,
      headers,
      body,
      timings,
      userAgent,
      readers: this.#readers,
      known,
    });
    const { contentType } = page;
    const isWanted =
      contentTypes === "any" || contentType === undefined || isOneOf(contentType, contentTypes);
    if (page.ok && !isWanted) return { reason: "content-type", detail: contentType };
    this.#compare(page);
    if (page.duplicateOf !== undefined && nearDuplicates?.skip) {
      return { reason: "duplicate", detail: `it is nearly ${page.duplicateOf}` };
    }
    if (maxPagesPerHost !== Number.POSITIVE_INFINITY) {
      this.#pagesByHost.set(request.host, (this.#pagesByHost.get(request.host) ?? 0) + 1);
    }
    return page;
  }

  /** Notes on a page that it is nearly the same as one before, or keeps it for those that come. */
  #compare(page: Page): void {
    if (this.#nearDuplicates === undefined || !page.ok || page.simhash === undefined) return;
    page.duplicateOf = this.#nearDuplicates.find(page.simhash);
    if (page.duplicateOf === undefined) this.#nearDuplicates.add(page.simhash, page.url);
  }
}
