import type { Admission, Refusal } from "./admission.ts";
import { sleepUntil } from "./clock.ts";
import { type Frontier, isToCome } from "./frontier/frontier.ts";
import { SeenTable } from "./frontier/seen.ts";
import type { Hosts } from "./hosts.ts";
import type { Journal } from "./journal.ts";
import type { Settings } from "./options.ts";
import type { CrawlRequest } from "./request.ts";
import type { Skip } from "./result.ts";
import type { Seed } from "./seed.ts";
import type { SeedFeed } from "./seed_feed.ts";
import { originOf } from "./web/url.ts";

// Of a sequence that is not in memory, seeds are read ahead until so many requests are queued.
const SEEDS_AHEAD = 1_000;
const SEEDS_AT_ONCE = 100;

// Between two readings of a sequence that had nothing new, while there is nothing else to do.
const BREATH_MS = 1;

/** What the intake works with. */
export interface IntakeParts {
  readonly settings: Settings;
  readonly admission: Admission;
  readonly frontier: Frontier;
  readonly hosts: Hosts;
  readonly journal: Journal;
  /** What an origin's robots.txt lists; `undefined` where that will be told once it is read. */
  readonly sitemapsOf: (origin: string) => readonly string[] | undefined;
  /** Gets each refused URL once. */
  readonly onSkip: (skip: Skip) => void;
  /** Called when there is more to do. */
  readonly onChange: () => void;
}

/** Takes seeds, links and sitemap entries in, and tells what is queued now and what is left alone. */
export class Intake {
  readonly #parts: IntakeParts;
  // By reason and URL: a link that stands on every page is refused once. It grows as the seen table does.
  readonly #refused: SeenTable;
  #areSeedsRead = false;
  #onShort: (() => void) | undefined;

  constructor(parts: IntakeParts, salt: number) {
    this.#parts = parts;
    this.#refused = new SeenTable(salt);
  }

  /** Whether the sequence of seeds has come to its end. */
  get areSeedsRead(): boolean {
    return this.#areSeedsRead;
  }

  /** Reads seeds as the crawl has use for them: an endless sequence of them is no more than a long one. */
  async feed({ seeds, isInMemory }: SeedFeed, isOver: () => boolean): Promise<void> {
    let isDone = false;
    while (!isDone && !isOver()) {
      const { queued } = await this.#parts.frontier.counts(this.#parts.settings.clock.now());
      if (queued >= SEEDS_AHEAD && !isInMemory) {
        await this.#untilShort();
        continue;
      }
      const batch: Seed[] = [];
      while (batch.length < SEEDS_AT_ONCE && !isDone) {
        const next = seeds.next();
        const { done, value } = isToCome(next) ? await next : next;
        isDone = done === true;
        if (!isDone) batch.push(value);
        // A seed that had to be waited for is not kept back until there are more.
        if (isToCome(next)) break;
      }
      if (isOver()) break;
      const accepted = await this.add(batch);
      if (accepted === 0 && !isDone) await this.#giveWay();
    }
    this.#areSeedsRead = true;
    this.#parts.onChange();
  }

  /** To be called now and then: more seeds may be of use. */
  proceed(): void {
    this.#onShort?.();
    this.#onShort = undefined;
  }

  /** Queues seeds, and says how many were new. */
  async add(seeds: readonly Seed[]): Promise<number> {
    const { settings, admission } = this.#parts;
    const requests: CrawlRequest[] = [];
    for (const seed of seeds) {
      const admitted = admission.seed(seed);
      if ("refused" in admitted) this.refuse([admitted], undefined);
      else requests.push(admitted);
    }
    if (settings.sitemaps === true) {
      const origins = new Set(requests.map(({ url }) => originOf(url)));
      for (const origin of origins) await this.#addKnownSitemaps(origin);
    }
    return this.queue(requests);
  }

  /** To be called with where a seed was redirected to: sitemaps of that origin are the seed's too. */
  async noteLanding(url: string): Promise<void> {
    const origin = originOf(url);
    // A seed's own origin has been asked.
    if (this.#parts.settings.sitemaps !== true || this.#parts.admission.isSeedOrigin(origin)) return;
    await this.#addKnownSitemaps(origin);
  }

  /** To be called with what an origin's robots.txt lists, once that is read. */
  async noteSitemaps(origin: string, listed: readonly string[]): Promise<void> {
    const { settings, admission } = this.#parts;
    if (settings.sitemaps === true && admission.isSeedOrigin(origin))
      await this.#addOwnSitemaps(origin, listed);
  }

  /** Queues sitemaps. One that is not to be asked for is told as an event, and gives no result. */
  async addSitemaps(urls: readonly string[]): Promise<void> {
    const { admission, journal } = this.#parts;
    const requests: CrawlRequest[] = [];
    for (const url of urls) {
      const admitted = admission.sitemap(url);
      if ("refused" in admitted) {
        const problems = [`it is not asked for: ${admitted.refused}`];
        journal.tell({ type: "sitemap", url: admitted.url, entries: 0, problems });
      } else requests.push(admitted);
    }
    await this.queue(requests);
  }

  /** Puts requests into the frontier, and says how many were new. */
  async queue(requests: readonly CrawlRequest[]): Promise<number> {
    if (requests.length === 0) return 0;
    const { frontier, hosts, onChange, settings } = this.#parts;
    const isNew = await frontier.add(requests, settings.clock.now());
    const accepted = requests.filter((_, i) => isNew[i]);
    if (accepted.length === 0) return 0;
    this.accept(accepted);
    hosts.noteQueued(accepted);
    onChange();
    return accepted.length;
  }

  /** Tells what the frontier took in. */
  accept(requests: readonly CrawlRequest[]): void {
    for (const request of requests) {
      if (request.kind !== "sitemap") this.#parts.journal.tell({ type: "accepted", request });
    }
  }

  /** Tells what is left alone. */
  refuse(refusals: readonly Refusal[], referrer: string | undefined): void {
    for (const { refused: reason, url, detail } of refusals) {
      if (!this.#refused.add(`${reason} ${url}`)) continue;
      const skip: Skip = { type: "skip", url, reason, referrer, detail };
      this.#parts.journal.tell({ type: "skip", skip });
      this.#parts.onSkip(skip);
    }
  }

  async #addKnownSitemaps(origin: string): Promise<void> {
    const listed = this.#parts.sitemapsOf(origin);
    if (listed !== undefined) await this.#addOwnSitemaps(origin, listed);
  }

  /** Where an origin lists none, there may be one at the usual address. */
  async #addOwnSitemaps(origin: string, listed: readonly string[]): Promise<void> {
    await this.addSitemaps(listed.length > 0 ? listed : [`${origin}/sitemap.xml`]);
  }

  /** A sequence that has nothing new must keep neither the event loop nor the crawl's clock from all else. */
  async #giveWay(): Promise<void> {
    const { frontier, settings } = this.#parts;
    const { queued, inProgress } = await frontier.counts(settings.clock.now());
    if (queued + inProgress > 0) return this.#untilShort();
    await sleepUntil(settings.clock, settings.clock.now() + BREATH_MS);
  }

  #untilShort(): Promise<void> {
    return new Promise((resolve) => {
      this.#onShort = resolve;
    });
  }
}
