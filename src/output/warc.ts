import { basename } from "node:path";
import { refuseUnknown, wrongType } from "../option_rules.ts";
import type { CrawlResult } from "../result.ts";
import { checkPath, type Existing, PartialFile } from "./files_partial.ts";
import { WarcIndex } from "./warc_index.ts";
import { loadWarcio } from "./warc_library.ts";
import { WarcRecords } from "./warc_records.ts";

export type { Existing } from "./files_partial.ts";

/** Options of {@link toWarc}. */
export interface WarcOptions {
  /**
   * Fields of the warcinfo record besides those that are always there (`software`, `format`, `conformsTo`): say
   * `operator`, `isPartOf`, `description`, `http-header-user-agent`.
   */
  readonly info?: Readonly<Record<string, string>>;
  /**
   * `"continue"` goes on with an archive that is there; `"replace"` writes a new one. Default `"continue"`.
   */
  readonly existing?: Existing;
}

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
  refuseUnknown("", options, { info: true, existing: true });
  const { info = {}, existing = "continue" } = options;
  checkPath(path, existing);
  if (!path.endsWith(".warc.gz")) throw wrongType("path", "a path that ends in '.warc.gz'", path);
  checkInfo(info);
  let file: PartialFile;
  let records: WarcRecords;
  return new WritableStream({
    async start() {
      const warcio = await loadWarcio();
      const index = new WarcIndex();
      file = await PartialFile.open({ path, existing, inspect: (found) => index.read(found, warcio) });
      records = new WarcRecords(warcio, index);
      await file.append(await records.opening(basename(path), info));
    },
    async write(result) {
      if (result.type === "page") await file.append(await records.ofPage(result));
    },
    close: () => file.finish(),
    abort: () => file.leave(),
  });
}

function checkInfo(info: Readonly<Record<string, string>>): void {
  if (typeof info !== "object" || info === null) throw wrongType("info", "texts by their names", info);
  for (const [name, value] of Object.entries(info)) {
    if (!/^[\w-]+$/.test(name)) throw wrongType("info", "texts by names of letters, digits and '-'", name);
    if (typeof value !== "string" || /[\r\n]/.test(value)) {
      throw wrongType(`info.${name}`, "a text of one line", value);
    }
  }
}
