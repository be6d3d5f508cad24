import { limitBytes, limitText, readBytes, type SitemapBody, type Tell } from "./sitemap_bytes.ts";
import { readDocument } from "./sitemap_document.ts";
import type { SitemapItem } from "./sitemap_entries.ts";
import { unpack } from "./sitemap_gunzip.ts";
import { decodeBytes } from "./sitemap_text.ts";

export type { SitemapAlternate, SitemapFormat, SitemapItem } from "./sitemap_entries.ts";
export type { SitemapBody };

/** Bounds of {@link parseSitemap}, and what is known of the file. */
export interface SitemapOptions {
  /**
   * The most octets that are read of the file, packed and unpacked alike (of a string: UTF-16 code units). A larger
   * file is cut there: what came before is kept, and a problem told. At least 1. Default 52,428,800 (50 MiB), as
   * sitemaps.org has it.
   */
  maxBytes?: number;
  /** The most entries that are given; more are left out and told likewise. At least 1. Default 50,000. */
  maxEntries?: number;
  /**
   * The answer's Content-Type. Only its `charset` counts: what kind of file it is, and whether it is packed, shows in
   * the file alone. Default none.
   */
  contentType?: string;
}

/** The most that sitemaps.org allows of a file. */
const MAX_BYTES = 52_428_800;
const MAX_ENTRIES = 50_000;
const MAX_PROBLEMS = 100;

/**
 * Reads a sitemap as it arrives: XML sitemap or index of sitemaps (sitemaps.org 0.9), RSS 0.9 to 2.0, Atom, or plain
 * text with one address a line. gzip is known by its first two octets; the charset by byte order mark, `contentType`
 * and XML declaration.
 *
 * Items come in the file's order: its `format` once, before the first entry; `url` and `sitemap` as soon as each is
 * complete; a `problem` for whatever is wrong. Damage never throws and loses no entry that came before it; a file that
 * is no sitemap, an HTML error page for one, gives problems alone, and a stream that breaks off one more. At most 100
 * problems are told. Addresses are resolved against `url`, `lastModified` is left out where it is no date. Nothing
 * that the file declares is expanded or fetched. Memory stays flat whatever the file's size.
 *
 * To stop early (`break`, or the iterator's `return()`) cancels the stream.
 *
 * @param body the file as it came, or its text.
 * @param url where it was found: absolute.
 * @throws {TypeError} at once, where `url` is no absolute URL; at the first item, where the stream is locked.
 * @throws {RangeError} at once, where a bound is not at least 1.
 * @example
 * ```ts
 * const response = await fetch("https://example.com/sitemap.xml");
 * for await (const item of parseSitemap(response.body ?? "", response.url)) {
 *   if (item.type === "url") console.log(item.url, item.lastModified?.toISOString());
 * }
 * ```
 */
export function parseSitemap(
  body: SitemapBody,
  url: string | URL,
  options: SitemapOptions = {},
): AsyncIterableIterator<SitemapItem> {
  const { maxBytes = MAX_BYTES, maxEntries = MAX_ENTRIES, contentType } = options;
  requireBound("maxBytes", maxBytes);
  requireBound("maxEntries", maxEntries);
  const source = new Source(body);
  const items = readItems(source, requireUrl(url), { maxBytes, maxEntries, contentType });
  return {
    next: () => items.next(),
    // A generator's own return() would wait for the read that is under way: the stream is cancelled first.
    async return() {
      await source.cancel();
      return items.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function requireUrl(url: string | URL): string {
  try {
    return new URL(url).href;
  } catch {
    throw new TypeError(`Cannot parse sitemap as 'url' must be an absolute URL: received ${url}`);
  }
}

function requireBound(name: string, value: number): void {
  if (!(value >= 1)) {
    throw new RangeError(`Cannot parse sitemap as '${name}' must be at least 1: received ${value}`);
  }
}

/** The body, and the way to stop it. */
class Source {
  #body: SitemapBody;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  isCancelled = false;

  constructor(body: SitemapBody) {
    if (typeof body !== "string" && !(body instanceof Uint8Array) && typeof body?.getReader !== "function") {
      throw new TypeError(
        `Cannot parse sitemap as 'body' must be a string, Uint8Array or ReadableStream: received ${body}`,
      );
    }
    this.#body = body;
  }

  /** The text, or what gives the octets. */
  open(): string | Uint8Array | ReadableStreamDefaultReader<Uint8Array> {
    if (typeof this.#body === "string" || this.#body instanceof Uint8Array) return this.#body;
    this.#reader = this.#body.getReader();
    return this.#reader;
  }

  async cancel(): Promise<void> {
    if (this.isCancelled) return;
    this.isCancelled = true;
    if (typeof this.#body === "string" || this.#body instanceof Uint8Array) return;
    // A stream that has failed already refuses, and that it failed has been told; one that is locked is not ours.
    await (this.#reader ?? this.#body).cancel().catch(() => undefined);
    this.#reader?.releaseLock();
  }
}

interface ReadOptions {
  maxBytes: number;
  maxEntries: number;
  contentType: string | undefined;
}

/** The document's items within their bounds, each problem where it was found. */
async function* readItems(
  source: Source,
  url: string,
  options: ReadOptions,
): AsyncGenerator<SitemapItem, void, void> {
  const { maxEntries } = options;
  let entryCount = 0;
  let problemCount = 0;
  try {
    for await (const item of readDocument((tell) => readText(source, options, tell), url)) {
      if (source.isCancelled) return;
      if (item.type === "problem" && problemCount++ >= MAX_PROBLEMS) continue;
      if ((item.type === "url" || item.type === "sitemap") && ++entryCount > maxEntries) {
        yield { type: "problem", message: `more than ${maxEntries} entries: the rest is left out` };
        return;
      }
      yield item;
    }
  } finally {
    await source.cancel();
  }
}

async function* readText(
  source: Source,
  { maxBytes, contentType }: ReadOptions,
  tell: Tell,
): AsyncGenerator<string, void, void> {
  const body = source.open();
  if (typeof body === "string") return yield* limitText(body, maxBytes, tell);
  const packed = limitBytes(readBytes(body, tell), maxBytes, tell);
  yield* decodeBytes(limitBytes(unpack(packed, tell), maxBytes, tell), contentType);
}
