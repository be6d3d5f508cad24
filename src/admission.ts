import { Traps } from "./frontier/traps.ts";
import type { Settings } from "./options.ts";
import type { CrawlRequest, Redirect } from "./request.ts";
import type { SkipReason } from "./result.ts";
import type { Scope } from "./scope.ts";
import { checkedSeed, type Seed } from "./seed.ts";
import { SettledLinks } from "./settled_links.ts";
import type { SavedAdmission } from "./snapshot.ts";
import { isMetadataAddress, isPrivateAddress } from "./web/private_address.ts";
import { canonicalKey, isCrawlable, originOf, splitCredentials, withoutFragment } from "./web/url.ts";

/** A URL that may not be queued, and why. */
export interface Refusal {
  readonly refused: SkipReason;
  readonly url: string;
  /** One sentence where the reason alone does not say enough. */
  readonly detail?: string;
}

/** Makes requests of seeds, links, redirects and sitemap entries, or says why not. */
export class Admission {
  readonly #settings: Settings;
  readonly #scope: Scope;
  readonly #isSeen: (key: string) => boolean;
  readonly #traps: Traps | undefined;
  #accepted = 0;
  /** One entry a seed at the most: names and addresses of private networks that a seed itself has. */
  readonly #privateSeeds = new Set<string>();
  /** By origin, one entry a seed at the most: credentials that stood in its URL. */
  readonly #authorizations = new Map<string, string>();
  readonly #seedOrigins = new Set<string>();
  // The links of a page have mostly one origin, and a URL parser is slow.
  #judgedOrigin = "";
  #lastHost = "";
  // They begin anew when the scope has grown.
  readonly #settled = new SettledLinks();
  #scopeSize = 0;
  #isJudgedForbidden = false;

  /** `isSeen` may say `false` where it cannot tell at once. */
  constructor(settings: Settings, scope: Scope, isSeen: (key: string) => boolean) {
    this.#settings = settings;
    this.#scope = scope;
    this.#isSeen = isSeen;
    this.#traps = settings.traps ? new Traps() : undefined;
  }

  /**
   * @throws {TypeError} where the seed is no URL of http or https, or what comes with it is of the wrong kind
   */
  seed(seed: Seed): CrawlRequest | Refusal {
    const object = checkedSeed(seed);
    const { url, authorization } = splitCredentials(withoutFragment(String(object.url)));
    const { depth = 0, priority, tag, method, headers, body, data } = object;
    const hostname = new URL(url).hostname;
    if (this.#settings.privateAddresses === "seeds" && isPrivateAddress(hostname)) {
      this.#allowPrivate(hostname);
    }
    if (this.#isForbidden(url)) return { refused: "private-address", url };
    this.#scope.addSeed(url);
    this.#seedOrigins.add(originOf(url));
    if (authorization !== undefined) this.#authorizations.set(originOf(url), authorization);
    const upperMethod = method?.toUpperCase();
    const key = canonicalKey(url, this.#settings.keys);
    return this.#request({
      url,
      key: keyOf(key, upperMethod, body),
      depth,
      seed: true,
      ...(priority !== undefined && { priority }),
      ...(tag !== undefined && { tag }),
      ...(upperMethod !== undefined && { method: upperMethod }),
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && { body }),
      ...(data !== undefined && { data }),
    });
  }

  /**
   * Whether nothing new can come of a link: it is among those that {@link link} found seen, or refused whatever page has
   * it. Most links of most pages are, so that nothing is made of them.
   *
   * @param place what `link` resolves against, by {@link ReferencePlaces}; "" where it is a URL by itself.
   */
  isSettled(link: string, place = ""): boolean {
    this.#unsettleInLargerScope();
    return this.#settled.has(place, link);
  }

  /** Takes note that a link, as it is written in a place, is a URL that {@link isSettled}. */
  settle(link: string, place = ""): void {
    this.#unsettleInLargerScope();
    this.#settled.add(place, link);
  }

  /**
   * A link of a page; `url` is absolute and may be anything at all. `undefined` where the frontier has it already, as
   * far as it can tell at once.
   */
  link(url: string, referrer: string, depth: number): CrawlRequest | Refusal | undefined {
    if (!isCrawlable(url)) {
      this.settle(url);
      return { refused: "invalid-url", url };
    }
    const key = canonicalKey(url, this.#settings.keys);
    if (this.#isSeen(key)) {
      this.settle(url);
      return undefined;
    }
    const found = this.#find(url, key, depth, referrer);
    if ("refused" in found) {
      if (found.refused === "scope" && this.#scope.goesByUrl) this.settle(url);
      return found;
    }
    const trap = this.#traps?.check(found.url, found.host, this.#settings.clock.now());
    return trap === undefined ? found : { refused: "trap", url: found.url, detail: trap };
  }

  #unsettleInLargerScope(): void {
    if (this.#scope.size === this.#scopeSize) return;
    this.#settled.clear();
    this.#scopeSize = this.#scope.size;
  }

  /** An entry of a sitemap. `hint`, 0 and up and below 1, moves it forward among those of its depth. */
  entry(url: string, sitemap: CrawlRequest, hint: number): CrawlRequest | Refusal {
    if (!isCrawlable(url)) return { refused: "invalid-url", url };
    return this.#find(url, canonicalKey(url, this.#settings.keys), sitemap.depth + 1, sitemap.url, hint);
  }

  /** A sitemap; `parent` is the index that lists it. Sitemaps count as seen apart from pages. */
  sitemap(url: string, parent?: CrawlRequest): CrawlRequest | Refusal {
    const bare = isCrawlable(url) ? splitCredentials(withoutFragment(url)).url : undefined;
    if (bare === undefined) return { refused: "invalid-url", url };
    if (this.#isForbidden(bare)) return { refused: "private-address", url: bare };
    return this.#request({
      url: bare,
      key: `sitemap ${canonicalKey(bare)}`,
      depth: parent?.depth ?? 0,
      kind: "sitemap",
      nesting: (parent?.nesting ?? 0) + (parent === undefined ? 0 : 1),
      ...(parent !== undefined && { referrer: parent.url }),
    });
  }

  /**
   * What a request becomes when its answer points on to `target`. It keeps its place, and a seed takes the scope
   * along.
   */
  redirect(request: CrawlRequest, status: number, target: string): CrawlRequest | Refusal {
    const url = splitCredentials(withoutFragment(target)).url;
    if (request.seed) this.#allowOnwards(request.url, url);
    if (this.#isForbidden(url)) return { refused: "private-address", url };
    const hop: Redirect = { url: request.url, status };
    const { method, body, headers, attempts, revisit, ...kept } = request;
    const becomesGet = turnsToGet(status, method);
    const crosses = originOf(url) !== originOf(request.url);
    const plainKey = request.kind === "sitemap" ? canonicalKey(url) : canonicalKey(url, this.#settings.keys);
    const key = becomesGet ? plainKey : keyOf(plainKey, method, body);
    let sent = headers;
    if (sent !== undefined && becomesGet) sent = without(sent, BODY_HEADERS);
    if (sent !== undefined && crosses) sent = without(sent, SECRET_HEADERS);
    const next: CrawlRequest = {
      ...kept,
      url,
      key: request.kind === "sitemap" ? `sitemap ${key}` : key,
      host: this.#hostOf(url),
      redirects: [...(request.redirects ?? []), hop],
      ...(!becomesGet && method !== undefined && { method }),
      ...(!becomesGet && body !== undefined && { body }),
      ...(sent !== undefined && { headers: sent }),
    };
    if (!request.seed && request.kind !== "sitemap" && !this.#scope.holds(url, next)) {
      return { refused: "scope", url };
    }
    return next;
  }

  /** What may be sent to this URL and not to others: the credentials of a seed's URL, and the secrets in `headers`. */
  secrets(url: string): { readonly isSeedOrigin: boolean; readonly authorization: string | undefined } {
    const origin = originOf(url);
    return {
      isSeedOrigin: this.#seedOrigins.has(origin),
      authorization: this.#authorizations.get(origin),
    };
  }

  /** What seeds have opened, as JSON: all but credentials. */
  save(): SavedAdmission {
    return {
      lastOrder: this.#accepted,
      seedOrigins: [...this.#seedOrigins],
      privateSeeds: [...this.#privateSeeds],
    };
  }

  /** Takes in what {@link save} gave. */
  restore({ lastOrder, seedOrigins, privateSeeds }: SavedAdmission): void {
    this.#accepted = lastOrder;
    for (const origin of seedOrigins) this.#seedOrigins.add(origin);
    for (const hostname of privateSeeds) this.#privateSeeds.add(hostname);
  }

  /** The next place in the order of acceptance. */
  nextOrder(): number {
    return ++this.#accepted;
  }

  /** Whether a seed is of that origin. */
  isSeedOrigin(origin: string): boolean {
    return this.#seedOrigins.has(origin);
  }

  /** The same string for the same host, as links mostly have: a queue of a million holds it once. */
  #hostOf(url: string): string {
    const host = this.#settings.hostKey(url);
    if (host !== this.#lastHost) this.#lastHost = host;
    return this.#lastHost;
  }

  /** A private seed may lead on in its own network, but nothing public may lead in, and nothing to a cloud's metadata. */
  #allowOnwards(from: string, to: string): void {
    if (!this.#privateSeeds.has(new URL(from).hostname)) return;
    const { hostname } = new URL(to);
    if (isPrivateAddress(hostname) && !isMetadataAddress(hostname)) this.#allowPrivate(hostname);
  }

  #allowPrivate(hostname: string): void {
    this.#privateSeeds.add(hostname);
    this.#judgedOrigin = "";
  }

  /** Whether an address of a private network is out of bounds. */
  #isForbidden(url: string): boolean {
    if (this.#settings.privateAddresses === "allow") return false;
    const origin = originOf(url);
    if (origin !== this.#judgedOrigin) {
      const { hostname } = new URL(url);
      this.#judgedOrigin = origin;
      this.#isJudgedForbidden = isPrivateAddress(hostname) && !this.#privateSeeds.has(hostname);
    }
    return this.#isJudgedForbidden;
  }

  /** Whether a robots.txt may be asked for there: it follows its redirects to other hosts. */
  mayContact(url: string): boolean {
    return !this.#isForbidden(url);
  }

  #find(found: string, key: string, depth: number, referrer: string, hint = 0): CrawlRequest | Refusal {
    const { url } = splitCredentials(withoutFragment(found));
    if (this.#isForbidden(url)) return { refused: "private-address", url };
    // All members in one literal: V8 keeps those that come later outside of the object, 40 bytes a queued request.
    const request = this.#prioritised({
      url,
      key,
      host: this.#hostOf(url),
      depth,
      priority: hint - depth,
      order: this.nextOrder(),
      referrer,
    });
    if (!this.#scope.holds(url, request)) return { refused: "scope", url };
    if (depth > this.#settings.maxDepth) return { refused: "depth", url };
    return request;
  }

  #request(
    parts: Omit<CrawlRequest, "host" | "priority" | "order"> & { readonly priority?: number },
  ): CrawlRequest {
    const request = {
      ...parts,
      host: this.#hostOf(parts.url),
      // A seed has 0 then, not -0.
      priority: parts.priority ?? 0 - parts.depth,
      order: this.nextOrder(),
    };
    return parts.priority === undefined ? this.#prioritised(request) : request;
  }

  /** The request with the priority that the caller's own rule gives it, where there is one. */
  #prioritised(request: CrawlRequest): CrawlRequest {
    if (this.#settings.priority === undefined) return request;
    const priority = this.#settings.priority(request);
    if (typeof priority !== "number" || Number.isNaN(priority)) {
      throw new TypeError(
        `Cannot crawl as 'priority' must give a number: received ${String(priority)} for '${request.url}'`,
      );
    }
    return { ...request, priority };
  }
}

/** The key under which a request of any method counts as seen: two of GET differ by their URL alone. */
function keyOf(urlKey: string, method: string | undefined, body: string | undefined): string {
  return method === undefined || method === "GET" ? urlKey : `${method} ${urlKey} ${body ?? ""}`;
}

/** Fetch standard, HTTP-redirect fetch: 303 makes a GET of all but GET and HEAD, 301 and 302 of POST alone. */
function turnsToGet(status: number, method: string | undefined): boolean {
  if (method === undefined || method === "GET" || method === "HEAD") return false;
  return status === 303 || ((status === 301 || status === 302) && method === "POST");
}

// Fetch standard: "request-body-header name".
const BODY_HEADERS = /^content-(?:encoding|language|location|type|length)$/i;

// Fetch standard, HTTP-redirect fetch: what authenticates does not go along to another origin.
const SECRET_HEADERS = /^(?:authorization|cookie|proxy-authorization)$/i;

/** The headers that may go to any origin. */
export function withoutSecrets(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return without(headers, SECRET_HEADERS);
}

function without(headers: Readonly<Record<string, string>>, names: RegExp): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)));
}
