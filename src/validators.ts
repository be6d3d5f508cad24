/** By what a page is asked whether it has changed, and where it led. Plain JSON. */
export interface Validators {
  /** The `ETag` header as it came. */
  readonly etag?: string | undefined;
  /** The `Last-Modified` header as it came. */
  readonly lastModified?: string | undefined;
  /** The URLs of its links, absolute. */
  readonly links: readonly string[];
}

/** Keeps {@link Validators} by a URL's key from one crawl to the next. A `Map` is one. */
export interface ValidatorStore {
  get(key: string): Validators | undefined | Promise<Validators | undefined>;
  set(key: string, validators: Validators): unknown;
}

/** Adds the headers of a conditional request: RFC 9110 §13.1. The caller's own stay as they are. */
export function addConditions(headers: Headers, { etag, lastModified }: Validators): void {
  if (headers.has("if-none-match") || headers.has("if-modified-since")) return;
  if (etag !== undefined) headers.set("if-none-match", etag);
  if (lastModified !== undefined) headers.set("if-modified-since", lastModified);
}

/** What an answer can be asked by the next time; `undefined` where it has nothing to be asked by. */
export function validatorsOf(headers: Headers, links: readonly string[]): Validators | undefined {
  const etag = headers.get("etag") ?? undefined;
  const lastModified = headers.get("last-modified") ?? undefined;
  return etag === undefined && lastModified === undefined ? undefined : { etag, lastModified, links };
}
