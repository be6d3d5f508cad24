import type { CrawlOptions, Pattern } from "../options.ts";
import type { CrawlRequest } from "../request.ts";
import { compilePattern } from "../scope.ts";
import { loadRegistrableDomain } from "../web/registrable_domain.ts";
import { hostKey } from "../web/url.ts";
import type { Wishes } from "./wishes.ts";

/** The options of a crawl that are functions, for the words by which the command is asked for them. */
export async function wishedOptions({
  priority,
  first = [],
  hostKey: paced,
}: Wishes): Promise<Pick<CrawlOptions, "priority" | "hostKey">> {
  return {
    ...((priority === "depth" || first.length > 0) && { priority: priorityBy(priority, first) }),
    ...(paced === "domain" && { hostKey: await domainKey() }),
  };
}

// More hops than any crawl makes, and few enough that one hop more or less still counts beside them.
const BEFORE_ALL = 2 ** 40;

function priorityBy(
  way: "breadth" | "depth" | undefined,
  first: readonly Pattern[],
): (request: CrawlRequest) => number {
  const patterns = first.map(compilePattern);
  return ({ url, depth }) => {
    const byHops = way === "depth" ? depth : -depth;
    return patterns.some((pattern) => pattern.test(url)) ? BEFORE_ALL + byHops : byHops;
  };
}

/** A host without a registrable domain, say an IP address, stands for itself. */
async function domainKey(): Promise<(url: URL) => string> {
  const registrableDomain = await loadRegistrableDomain();
  return (url) => registrableDomain(url.hostname) ?? hostKey(url.href);
}
