import { type Admission, withoutSecrets } from "./admission.ts";
import type { Cookies } from "./cookies.ts";
import type { Settings } from "./options.ts";
import type { CrawlRequest } from "./request.ts";

// HTML first, as browsers have it; a site that can give several forms of a page gives the one with links.
const ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5";
const ROBOTS_ACCEPT = "text/plain,*/*;q=0.5";

/** The headers of one request. What is nearer to the request wins: the seed's own, the caller's, the crawl's. */
export function requestHeaders(
  request: CrawlRequest,
  settings: Settings,
  admission: Admission,
  cookies: Cookies | undefined,
): Headers {
  const headers = new Headers({ accept: ACCEPT, "user-agent": settings.userAgent });
  const secrets = admission.secrets(request.url);
  if (secrets.authorization !== undefined) headers.set("authorization", secrets.authorization);
  const cookie = cookies?.header(request.url);
  if (cookie !== undefined) headers.set("cookie", cookie);
  const own = settings.headers;
  if (typeof own === "function") copy(new Headers(own(request)), headers);
  else if (hasAny(own)) copy(ownHeaders(own, secrets.isSeedOrigin), headers);
  if (request.headers !== undefined) copy(new Headers({ ...request.headers }), headers);
  return headers;
}

/** The headers with which robots.txt is asked for: those that a page would get, as far as no request is needed. */
export function robotsHeaders(url: string, settings: Settings, admission: Admission): Headers {
  const headers = new Headers({ "user-agent": settings.userAgent });
  const secrets = admission.secrets(url);
  if (secrets.authorization !== undefined) headers.set("authorization", secrets.authorization);
  const own = settings.headers;
  if (typeof own !== "function") copy(ownHeaders(own, secrets.isSeedOrigin), headers);
  headers.set("accept", ROBOTS_ACCEPT);
  return headers;
}

/** What the caller wants sent with every request: secrets to the seeds' origins only. */
function ownHeaders(own: Readonly<Record<string, string>>, isSeedOrigin: boolean): Headers {
  return new Headers(isSeedOrigin ? { ...own } : { ...withoutSecrets(own) });
}

function hasAny(own: Readonly<Record<string, string>>): boolean {
  for (const _ in own) return true;
  return false;
}

function copy(from: Headers, to: Headers): void {
  for (const [name, value] of from) to.set(name, value);
}
