import { checkedHeaders } from "./option_rules.ts";
import type { JsonValue } from "./request.ts";
import { isCrawlable } from "./web/url.ts";

/** A seed with all that can be said of it. */
export interface SeedObject {
  /** Absolute, of http or https. */
  readonly url: string | URL;
  /** A name under which requests are held or dropped together. */
  readonly tag?: string;
  /** Higher goes first within its host. Default: what `priority` gives, else minus the depth. */
  readonly priority?: number;
  /** Hops that count as made already. Default: 0. */
  readonly depth?: number;
  /** Default: `GET`. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** JSON of the caller's own; it comes back as `page.request.data`. */
  readonly data?: JsonValue;
}

/** Where a crawl begins. */
export type Seed = string | URL | SeedObject;

/**
 * @throws {TypeError} where the seed is no URL of http or https, or what comes with it is of the wrong kind
 */
export function checkedSeed(seed: Seed): SeedObject {
  const object = typeof seed === "string" || seed instanceof URL ? { url: seed } : seed;
  if (typeof object !== "object" || object === null || !isText(object.url)) {
    throw new TypeError(
      `Cannot crawl as a seed must be a URL or an object with one: received ${String(seed)}`,
    );
  }
  const { url, depth, priority, method, tag } = object;
  if (!isCrawlable(url)) {
    throw new TypeError(`Cannot crawl as a seed must be an absolute http or https URL: received '${url}'`);
  }
  if (depth !== undefined && (!Number.isInteger(depth) || depth < 0)) {
    throw new RangeError(
      `Cannot crawl '${url}' as its 'depth' must be a whole number of 0 or more: received ${depth}`,
    );
  }
  if (priority !== undefined && !Number.isFinite(priority)) {
    throw new RangeError(
      `Cannot crawl '${url}' as its 'priority' must be a finite number: received ${priority}`,
    );
  }
  if (method !== undefined && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method)) {
    throw new TypeError(
      `Cannot crawl '${url}' as its 'method' must be a token of HTTP: received '${method}'`,
    );
  }
  checkBody(url, method, object.body);
  checkHeaders(url, object.headers);
  if (tag !== undefined && typeof tag !== "string") {
    throw new TypeError(`Cannot crawl '${url}' as its 'tag' must be a string: received ${String(tag)}`);
  }
  return object;
}

function checkBody(url: string | URL, method: string | undefined, body: unknown): void {
  if (body === undefined) return;
  if (typeof body !== "string") {
    throw new TypeError(`Cannot crawl '${url}' as its 'body' must be a string: received ${String(body)}`);
  }
  // Fetch standard, the Request constructor: a GET or HEAD has none.
  if (method === undefined || /^(?:get|head)$/i.test(method)) {
    throw new TypeError(
      `Cannot crawl '${url}' as a 'body' needs a method that takes one: received ${method ?? "GET"}`,
    );
  }
}

function checkHeaders(url: string | URL, headers: unknown): void {
  if (headers === undefined) return;
  const prototype: unknown =
    typeof headers === "object" && headers !== null && Object.getPrototypeOf(headers);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(
      `Cannot crawl '${url}' as its 'headers' must be a record: received ${String(headers)}`,
    );
  }
  try {
    checkedHeaders(headers as Record<string, string>);
  } catch (error) {
    throw new TypeError(
      `Cannot crawl '${url}' as its 'headers' must be names and values of HTTP: ${(error as Error).message}`,
    );
  }
}

function isText(url: unknown): url is string | URL {
  return typeof url === "string" || url instanceof URL;
}
