import type { Admission, Refusal } from "./admission.ts";
import type { Settings } from "./options.ts";
import type { Page } from "./page.ts";
import type { CrawlRequest } from "./request.ts";
import { isFollowable } from "./web/directives.ts";
import { resolveUrl } from "./web/url.ts";

/** What a page leads to: what may be queued, and what may not, with its reason. */
export interface Discovery {
  readonly requests: readonly CrawlRequest[];
  readonly refusals: readonly Refusal[];
}

const NOTHING: Discovery = { requests: [], refusals: [] };

/** Reads a page's links. Those of an answer that is not `ok` are not followed. */
export function discover(
  page: Page,
  { follow, directives, nearDuplicates }: Pick<Settings, "follow" | "directives" | "nearDuplicates">,
  admission: Admission,
): Discovery {
  if (!page.ok || follow === false) return NOTHING;
  if (page.duplicateOf !== undefined && nearDuplicates?.links === false) return NOTHING;
  const requests: CrawlRequest[] = [];
  const refusals: Refusal[] = [];
  // One page often links to the same URL many times.
  const met = new Set<string>();
  const admit = (url: string): void => {
    if (met.has(url)) return;
    met.add(url);
    const admitted = admission.link(url, page.url, page.depth + 1);
    if (admitted === undefined) return;
    if ("refused" in admitted) refusals.push(admitted);
    else requests.push(admitted);
  };
  if (typeof follow === "function") {
    for (const picked of follow(page)) {
      const url = String(picked);
      admit(resolveUrl(url, page.url) ?? url);
    }
    return { requests, refusals };
  }
  const hasRefresh = page.headers.has("refresh");
  // Reading directives costs, and there may be nothing to follow.
  const leadsOn = page.links.length > 0 || hasRefresh;
  const mayFollow = leadsOn && (!directives || page.directives.follow);
  for (const link of page.links) {
    if (mayFollow && (!directives || isFollowable(link))) admit(link.url);
    else refusals.push({ refused: "nofollow", url: link.url });
  }
  // A Refresh header leads on as the meta element does, which is among the links.
  const refreshUrl = hasRefresh ? page.directives.refresh?.url : undefined;
  if (refreshUrl !== undefined && mayFollow) admit(refreshUrl);
  for (const href of page.invalidLinks) refusals.push({ refused: "invalid-url", url: href });
  return { requests, refusals };
}
