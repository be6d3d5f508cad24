import type { HopResponse } from "./fetcher.ts";
import { NearDuplicates } from "./near_duplicates.ts";
import type { Settings } from "./options.ts";
import { Page } from "./page.ts";
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
  readonly #nearDuplicates: NearDuplicates | undefined;

  constructor(settings: PageSettings) {
    const { nearDuplicates } = settings;
    this.#settings = settings;
    this.#nearDuplicates = nearDuplicates && new NearDuplicates(nearDuplicates);
  }

  /** What it remembers, as JSON. */
  save(): Pick<SavedCrawl, "pagesByHost" | "nearDuplicates"> {
    return { pagesByHost: [...this.#pagesByHost], nearDuplicates: this.#nearDuplicates?.save() };
  }

  /** Takes in what {@link save} gave. */
  restore({ pagesByHost, nearDuplicates }: Pick<SavedCrawl, "pagesByHost" | "nearDuplicates">): void {
    for (const [host, count] of pagesByHost) this.#pagesByHost.set(host, count);
    this.#nearDuplicates?.restore(nearDuplicates ?? []);
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
    const { status, headers, body, startedAtMs, responseMs } = answer;
    const timings = { startedAtMs, responseMs };
    const page = new Page({ request, status, headers, body, timings, userAgent, known });
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
