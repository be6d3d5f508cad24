import type { Admission } from "./admission.ts";
import type { HopStream } from "./fetcher.ts";
import type { Intake } from "./intake.ts";
import type { Settings } from "./options.ts";
import type { CrawlRequest } from "./request.ts";
import type { readSitemap, SitemapReport } from "./sitemap_feed.ts";

/** Of a sitemap's body, as sitemaps.org has it. The reader has the same bound, and keeps what came before. */
export const MAX_SITEMAP_BYTES = 52_428_800;

/** What a sitemap's entries go through on their way to the frontier. */
export interface SitemapParts {
  readonly settings: Pick<Settings, "clock">;
  readonly admission: Admission;
  readonly intake: Intake;
}

/** Reads sitemaps as they arrive. */
export class SitemapReceiver {
  readonly #parts: SitemapParts;
  #readSitemap: typeof readSitemap | undefined;

  constructor(parts: SitemapParts) {
    this.#parts = parts;
  }

  /** Loads the reader before the first sitemap is asked for, whose time runs. Most crawls have no use for it. */
  async load(): Promise<typeof readSitemap> {
    const feed = await import("./sitemap_feed.ts");
    await feed.loadParser();
    this.#readSitemap = feed.readSitemap;
    return feed.readSitemap;
  }

  /** A frontier may hold sitemaps of a crawl before this one, which has no others: then it is loaded here. */
  async receive(request: CrawlRequest, { body, headers }: HopStream): Promise<SitemapReport> {
    const { settings, admission, intake } = this.#parts;
    const read = this.#readSitemap ?? (await this.load());
    return read(
      request,
      body,
      headers.get("content-type"),
      admission,
      async (requests, refusals) => {
        await intake.queue(requests);
        intake.refuse(refusals, request.url);
      },
      settings.clock.now(),
    );
  }
}
