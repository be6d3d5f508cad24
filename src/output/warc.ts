import type { CrawlResult } from "../result.ts";
import { type WarcOptions, warcSink } from "./warc_sink.ts";

export type { Existing } from "./files_partial.ts";
export type { WarcOptions } from "./warc_sink.ts";

/**
 * Archives pages as WARC 1.1 (ISO 28500), by the package `warcio`, which is to be installed beside this one. Failures
 * and skips leave no record.
 *
 * An archive begins with a warcinfo record, and so does each run that continues it. A page is three records, each
 * compressed for itself: `response`; `request` and `metadata`, which are concurrent to it. Each has its record ID and
 * the SHA-1 digests of its block and payload. A page whose body the archive has already, from
 * this run or one before, is a `revisit` that refers to it (profile identical-payload-digest).
 *
 * A block is true to what the crawl has, and that is not what went over the wire: the body is decoded. So
 * `content-encoding` and `transfer-encoding` are kept as `x-orig-content-encoding` and `x-orig-transfer-encoding`,
 * `content-length` is the body's own (the other one is `x-orig-content-length`), and the status line says HTTP/1.1.
 * The request has the headers that its seed gave, without credentials; those of the crawl, say `User-Agent`, are for
 * `info` to tell. Redirects are listed in the metadata, as `redirect: 301 https://...`.
 *
 * The file is `<path>.partial` until the crawl has ended, and `path` from then on. When the crawl is aborted or the
 * process killed, it stays where it is, and the next run goes on behind its last whole record. A page counts as read
 * when it is written, so that a resumed crawl loses none; a slow disk slows the crawl. Memory grows by about 200 bytes a
 * page, for its digest.
 *
 * @param path ends in `.warc.gz`
 * @throws {TypeError} at once, where an option or the path is none, naming it
 * @throws {Error} (the stream errors) where warcio is not installed, or naming the step and the path where the disk is
 * full or refuses, or what is there is no WARC; what was written before stays whole
 *
 * @example
 * ```ts
 * import { crawl } from "dragline";
 * import { toWarc } from "dragline/warc";
 *
 * const info = { operator: "Jane Doe <jane@example.com>", isPartOf: "examples" };
 * await crawl("https://example.com/", { contentTypes: "any" }).pipeTo(toWarc("example.warc.gz", { info }));
 * ```
 */
export function toWarc(path: string, options: WarcOptions = {}): WritableStream<CrawlResult> {
  return new WritableStream(warcSink(path, options));
}
