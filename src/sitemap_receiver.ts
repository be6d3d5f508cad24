import type { Admission } from "./admission.ts";
import type { HopStream } from "./fetcher.ts";
import type { Intake } from "./intake.ts";
import type { Settings } from "./options.ts";
import type { CrawlRequest } from "./request.ts";
import type { SitemapReport } from "./sitemap_feed.ts";

/** What a sitemap's entries go through on their way to the frontier. */
export interface SitemapParts {
  readonly settings: Pick<Settings, "clock">;
  readonly admission: Admission;
  readonly intake: Intake;
}

/** Reads a sitemap as it arrives. Its reader is loaded by the first one: most crawls have none. */
export async function receiveSitemap(
  request: CrawlRequest,
  { body, headers }: HopStream,
  { settings, admission, intake }: SitemapParts,
): Promise<SitemapReport> {
  const { readSitemap } = await import("./sitemap_feed.ts");
  return readSitemap(
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
