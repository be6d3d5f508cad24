import type { Clock, Random } from "./clock.ts";
import type { CrawlEvent } from "./event.ts";
import type { Transport } from "./fetcher.ts";
import type { BloomOptions } from "./frontier/bloom.ts";
import type { Frontier } from "./frontier/frontier.ts";
import type { Page } from "./page.ts";
import type { PaceRules } from "./politeness/host.ts";
import type { RetryRules } from "./politeness/retry.ts";
import type { CrawlRequest } from "./request.ts";
import type { CrawlSnapshot, SavedCrawl } from "./snapshot.ts";
import type { ValidatorStore } from "./validators.ts";
import type { KeyOptions } from "./web/url.ts";

/** A function of the shape of the standard's `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Which URLs belong to a crawl, by their nearness to its seeds; or a function that says so. */
export type Scope =
  | "origin"
  | "host"
  | "domain"
  | "prefix"
  | "any"
  | ((url: URL, request: CrawlRequest) => boolean);

/** How robots.txt is dealt with. */
export interface RobotsOptions {
  /** Milliseconds for which rules hold before they are fetched again. Default: one day (RFC 9309 §2.4). */
  maxAgeMs?: number;
  /** How often an unreachable robots.txt is asked for again. Default: 3. */
  unreachableRetries?: number;
  /** Milliseconds. A host that asks for a longer crawl-delay is skipped as `robots`. Default: 5 minutes. */
  maxCrawlDelayMs?: number;
  /** In place of the crawl's own, for robots.txt alone. */
  fetch?: Fetch;
}

/** All options of {@link crawl}; each has a default. "No limit" is `Infinity`. */
export interface CrawlOptions {
  /** `"pages"` yields answers alone, `"all"` also failures and skips. Default: `"pages"`. */
  results?: "pages" | "all";
  /** Requests in flight over all hosts, and results that wait for the reader. 1 and up. Default: 8. */
  concurrency?: number;
  /**
   * Requests in flight to one host, 1 and up. A number is fixed; `adaptive` is the ceiling of a limit that starts at 1
   * and follows the host's response times. Default: `{ adaptive: 4 }`.
   */
  hostConcurrency?: number | { adaptive: number };
  /**
   * Least milliseconds between two starts to one host. A number is the least with a most of one minute, up to which a
   * host's refusals widen the gap; `[least, most]` gives both; equal ends fix it. Default: 250.
   */
  delayMs?: number | readonly [number, number];
  /** Which URLs are paced together, as a name. Default: the authority, say `example.com:8080`. */
  hostKey?: (url: URL) => string;
  /** Whether robots.txt is obeyed, and how. Default: `true`. */
  robots?: boolean | RobotsOptions;
  /** Sent with every request; the part before `/` is matched in robots.txt. Default: `dragline/<version>`. */
  userAgent?: string;
  /** `true`: the sitemaps that robots.txt of the seeds names, else `/sitemap.xml`; or a list of URLs. Default: `false`. */
  sitemaps?: boolean | readonly (string | URL)[];
  /**
   * Which links belong: `"host"` those of a seed's authority, `"origin"` also of its scheme, `"domain"` of its
   * registrable domain, `"prefix"` below its last slash, `"any"` all. Default: `"host"`.
   */
  scope?: Scope;
  /** Only links that match one of these: a glob text, where `*` stands for any run of characters, or a `RegExp`. */
  include?: Pattern | readonly Pattern[];
  /** No links that match one of these. */
  exclude?: Pattern | readonly Pattern[];
  /** Which links of a page to take: all, none, or those that the function names. Default: `true`. */
  follow?: boolean | ((page: Page) => Iterable<string | URL>);
  /** Whether a page's `nofollow`, in X-Robots-Tag, meta robots and rel, is obeyed. Default: `true`. */
  directives?: boolean;
  /** Higher goes first within a host; ties keep their order. Default: minus the depth, which is breadth first. */
  priority?: (request: CrawlRequest) => number;
  /** Most hops from a seed; 0 takes seeds alone. Default: `Infinity`. */
  maxDepth?: number;
  /** Most pages. Default: `Infinity`. */
  maxPages?: number;
  /** Most requests sent, those for robots.txt, each hop and each attempt counted. Default: `Infinity`. */
  maxRequests?: number;
  /** Milliseconds from the first read after which nothing starts. Default: `Infinity`. */
  maxDurationMs?: number;
  /** Most pages of one host; the rest of its queue is skipped as `budget`. Default: `Infinity`. */
  maxPagesPerHost?: number;
  /** Milliseconds for one request, from its start to the last byte of the body. Default: 10,000. */
  timeoutMs?: number;
  /** Most bytes of one body, decoded. Over it the transfer is cut: `too-large`. Default: 10 MiB. */
  maxBodyBytes?: number;
  /** Media types whose body is read, `image/*` for all of a kind; `"any"` reads all. Default: HTML, XHTML, XML, plain text. */
  contentTypes?: readonly string[] | "any";
  /** Most hops of one redirect chain; 0 follows none. Default: 10. */
  maxRedirects?: number;
  /**
   * For 408, 429, 5xx and faults of the network: `max` more attempts, the first after `baseMs`, each wait twice the one
   * before, none over `maxMs`. Default: `{ max: 2, baseMs: 500, maxMs: 30_000 }`.
   */
  retries?: Partial<RetryRules>;
  /** So many refusals or faults of a host in a row, and its queue is skipped as `host-unavailable`. Default: 20. */
  maxHostFailures?: number;
  /** Milliseconds. A longer `Retry-After` is not waited for: the host's queue is skipped. Default: one hour. */
  maxRetryAfterMs?: number;
  /**
   * Whether pages with nearly the same text are known by it. `duplicateOf` names the first of them, and their links are
   * not followed. Default: `false`.
   */
  nearDuplicates?: boolean | NearDuplicatesOptions;
  /** Whether links whose URLs show that they never end are left alone, as `trap`. Default: `true`. */
  traps?: boolean;
  /** Whether links to loopback, private and link-local addresses are taken. Default: `"seeds"`, where a seed is one itself. */
  privateAddresses?: "seeds" | "allow" | "deny";
  /** Whether a jar keeps cookies for the crawl. Default: `false`. */
  cookies?: boolean;
  /**
   * Where requests wait and what remembers which URLs were seen: `sqlite()` or `redis()`, or a store of your own. It is
   * closed with the crawl. Default: in memory.
   */
  frontier?: Frontier;
  /**
   * How the frontier in memory remembers what it has seen: exactly, at some 16 bytes a URL, or by a Bloom filter at 1.2
   * bytes for 1% of new URLs lost. Default: `"exact"`.
   */
  seen?: "exact" | { bloom: BloomOptions };
  /**
   * Asks pages that are known from an earlier crawl whether they have changed. A 304 is a page with `unchanged: true`,
   * whose links are those it had then. A `Map` will do: `revalidate: new Map()`, kept between crawls as JSON.
   */
  revalidate?: ValidatorStore;
  /** What `snapshot()` gave: the crawl goes on from there, and seeds that it had count as seen. */
  resume?: CrawlSnapshot;
  /** Under which form a URL counts as seen; what is fetched stays as written. */
  keys?: KeyOptions;
  /** Sent with every request. An Authorization or Cookie in a record goes to the seeds' origins only. */
  headers?: Readonly<Record<string, string>> | ((request: CrawlRequest) => HeadersInit);
  /** Any function of the standard's shape: proxies, caches, tests. Default: the runtime's. */
  fetch?: Fetch;
  /** The lower seam, in place of `fetch`. */
  transport?: Transport;
  /** Aborting errors the stream with its reason; `stop()` is the gentle way. */
  signal?: AbortSignal;
  /** Milliseconds for which, after `stop()`, what is in flight may still run. Default: `Infinity`. */
  graceMs?: number;
  /** Told of all that happens, as it happens. What it throws errors the stream. */
  onEvent?: (event: CrawlEvent) => void;
  /** Time, for tests and simulations. Default: the system's. */
  clock?: Clock;
  /** Chance, for tests and simulations: numbers of at least 0 and below 1. Default: the system's. */
  random?: Random;
}

/** How near-duplicates are dealt with. */
export interface NearDuplicatesOptions {
  /** In how many of the digest's 64 bits two pages may differ: 0 to 8. Default: 3. */
  distance?: number;
  /** Whether their links are followed all the same. Default: `false`. */
  links?: boolean;
  /** Whether they are skipped, as `duplicate`, and not given as pages. Default: `false`. */
  skip?: boolean;
}

/** A glob text, matched against the whole URL, or a regular expression, searched in it. */
export type Pattern = string | RegExp;

/** The options as the engine uses them: checked, and each with its value. */
export interface Settings {
  readonly results: "pages" | "all";
  readonly concurrency: number;
  readonly pace: PaceRules;
  readonly hostKey: (url: string) => string;
  readonly robots: { readonly [K in keyof Required<Omit<RobotsOptions, "fetch">>]: number } | undefined;
  readonly robotsTransport: Transport;
  readonly userAgent: string;
  readonly sitemaps: boolean | readonly string[];
  readonly scope: Scope;
  readonly include: readonly Pattern[];
  readonly exclude: readonly Pattern[];
  readonly follow: boolean | ((page: Page) => Iterable<string | URL>);
  readonly directives: boolean;
  readonly priority: ((request: CrawlRequest) => number) | undefined;
  readonly maxDepth: number;
  readonly maxPages: number;
  readonly maxRequests: number;
  readonly maxDurationMs: number;
  readonly maxPagesPerHost: number;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly contentTypes: readonly string[] | "any";
  readonly maxRedirects: number;
  readonly retries: RetryRules;
  readonly maxHostFailures: number;
  readonly maxRetryAfterMs: number;
  readonly nearDuplicates: Required<NearDuplicatesOptions> | undefined;
  readonly traps: boolean;
  readonly privateAddresses: "seeds" | "allow" | "deny";
  readonly cookies: boolean;
  readonly frontier: Frontier | undefined;
  readonly seen: "exact" | { readonly bloom: BloomOptions };
  readonly revalidate: ValidatorStore | undefined;
  readonly resume: SavedCrawl | undefined;
  readonly keys: KeyOptions;
  readonly headers: Readonly<Record<string, string>> | ((request: CrawlRequest) => HeadersInit);
  readonly transport: Transport;
  readonly signal: AbortSignal | undefined;
  readonly graceMs: number;
  readonly onEvent: ((event: CrawlEvent) => void) | undefined;
  readonly clock: Clock;
  readonly random: Random;
}
