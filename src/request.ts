/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** All that waits for a host, or all that bears a tag. */
export type HostOrTag = { readonly host: string } | { readonly tag: string };

/** One hop of a redirect chain: the URL that was asked and the status with which it pointed on. */
export interface Redirect {
  readonly url: string;
  readonly status: number;
}

/**
 * One URL that the frontier accepted, with all that must outlive a restart. Plain JSON: a store may write it down
 * as it is.
 */
export interface CrawlRequest {
  /** Absolute, as it is sent: without a fragment and without credentials. */
  readonly url: string;
  /** The canonical form under which the URL counts as seen. */
  readonly key: string;
  /** The unit of pacing: by default the authority, `example.com` or `example.com:8080`. */
  readonly host: string;
  /** Hops from the nearest seed; a seed has 0. A redirect's target keeps the depth of what pointed to it. */
  readonly depth: number;
  /** Higher goes first within its host. */
  readonly priority: number;
  /** The order of acceptance: of equal priority, the lower one goes first. */
  readonly order: number;
  /** The page on which the link was found; none for a seed. */
  readonly referrer?: string;
  /** Set on what the caller gave, and on what it redirects to: such a request is in scope wherever it leads. */
  readonly seed?: true;
  /** What is read from the answer; a page unless it says otherwise. */
  readonly kind?: "sitemap";
  /** Of a sitemap: how many indexes lead to it. */
  readonly nesting?: number;
  /** Passes although its key was seen before: a retry that the caller asked for, a redirect that set a cookie. */
  readonly revisit?: true;
  /** Milliseconds since the epoch before which it is not taken. */
  readonly notBeforeMs?: number;
  /** `GET` unless it says otherwise. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly tag?: string;
  /** The caller's own, comes back on the page. */
  readonly data?: JsonValue;
  /** The hops that led here, oldest first. */
  readonly redirects?: readonly Redirect[];
  /** Attempts that were made and used up so far. */
  readonly attempts?: number;
}

/** Whether a request is of that host, or bears that tag. */
export function matches(request: CrawlRequest, what: HostOrTag): boolean {
  return "host" in what ? request.host === what.host : request.tag === what.tag;
}
