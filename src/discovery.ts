import type { Admission, Refusal } from "./admission.ts";
import type { Settings } from "./options.ts";
import { type Outlinks, outlinksOf, type Page } from "./page.ts";
import type { CrawlRequest } from "./request.ts";
import { isFollowable } from "./web/link_rel.ts";
import type { Link } from "./web/links.ts";
import { ReferencePlaces } from "./web/reference_places.ts";
import { resolveUrl, withoutFragment } from "./web/url.ts";

/** What a page leads to: what may be queued, and what may not, with its reason. */
export interface Discovery {
  readonly requests: readonly CrawlRequest[];
  readonly refusals: readonly Refusal[];
}

// A link to write a mail, to call or to run a script is no URL that failed: it has no result.
const OTHER_SCHEME = /^(?!https?:)[a-z][a-z0-9+.-]*:/i;

const NOTHING: Discovery = { requests: [], refusals: [] };

/** Reads a page's links. Those of an answer that is not `ok` are not followed. */
export function discover(
  page: Page,
  settings: Pick<Settings, "follow" | "directives" | "nearDuplicates">,
  admission: Admission,
): Discovery {
  const { follow, directives, nearDuplicates } = settings;
  if (!(page.ok || page.unchanged) || follow === false) return NOTHING;
  if (page.duplicateOf !== undefined && nearDuplicates?.links === false) return NOTHING;
  const requests: CrawlRequest[] = [];
  const refusals: Refusal[] = [];
  // One page often links to the same URL many times.
  const met = new Set<string>();
  const refuse = (refusal: Refusal): void => {
    if (!OTHER_SCHEME.test(refusal.url)) refusals.push(refusal);
  };
  const admit = (url: string): void => {
    if (admission.isSettled(url) || met.has(url)) return;
    met.add(url);
    const admitted = admission.link(url, page.url, page.depth + 1);
    if (admitted === undefined) return;
    if ("refused" in admitted) refuse(admitted);
    else requests.push(admitted);
  };
  if (typeof follow === "function") {
    for (const picked of follow(page)) {
      const url = String(picked);
      admit(resolveUrl(url, page.url) ?? url);
    }
    return { requests, refusals };
  }
  const outlinks = outlinksOf(page);
  const mayFollow = linkFilter(page, outlinks, directives);
  const places = new ReferencePlaces(outlinks.base);
  for (const link of outlinks.found) {
    const isFollowed = mayFollow(link);
    // What a page asks for by a link has no fragment.
    const href = isFollowed ? withoutFragment(link.href) : link.href;
    const place = places.of(href);
    if (isFollowed && place !== undefined && admission.isSettled(href, place)) continue;
    const url = outlinks.urlOf(href);
    if (url === undefined) refusals.push({ refused: "invalid-url", url: link.href });
    else if (!isFollowed) refuse({ refused: "nofollow", url });
    else {
      admit(url);
      if (place !== undefined && admission.isSettled(url)) admission.settle(href, place);
    }
  }
  // A Refresh header leads on as the meta element does, which is among the links.
  const hasRefresh = page.headers.has("refresh") && (!directives || page.directives.follow);
  const refreshUrl = hasRefresh ? page.directives.refresh?.url : undefined;
  if (refreshUrl !== undefined) admit(refreshUrl);
  return { requests, refusals };
}

/** The links that a page lets crawlers follow. */
export function followedLinks(page: Page, { directives }: Pick<Settings, "directives">): string[] {
  const outlinks = outlinksOf(page);
  const mayFollow = linkFilter(page, outlinks, directives);
  return outlinks.found.flatMap((link) => (mayFollow(link) ? (outlinks.urlOf(link.href) ?? []) : []));
}

function linkFilter(
  page: Page,
  { found }: Outlinks,
  directives: boolean,
): (link: Pick<Link, "rel">) => boolean {
  if (!directives) return () => true;
  // Reading directives costs, and there may be nothing to follow.
  const follows = found.length === 0 || page.directives.follow;
  return (link) => follows && isFollowable(link);
}
