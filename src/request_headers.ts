import type { Admission } from "./admission.ts";
import { withoutSecrets } from "./admission.ts";
import type { Cookies } from "./cookies.ts";
import type { Settings } from "./options.ts";
import type { CrawlRequest } from "./request.ts";

// HTML first, as browsers have it; a site that can give several forms of a page gives the one with links.
const ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5";

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
  else copy(new Headers(secrets.isSeedOrigin ? { ...own } : { ...withoutSecrets(own) }), headers);
  if (request.headers !== undefined) copy(new Headers({ ...request.headers }), headers);
  return headers;
}

function copy(from: Headers, to: Headers): void {
  for (const [name, value] of from) to.set(name, value);
}
