import type { CrawlResult } from "../result.ts";
import { type FilesOptions, folderSink } from "./files_folder.ts";

export type { CsvOptions } from "./csv.ts";
export type { FilesOptions } from "./files_folder.ts";
export type { ManifestEntry } from "./files_manifest.ts";
export type { Existing } from "./files_partial.ts";
export {
  type CsvFileOptions,
  type JsonLinesFileOptions,
  toCsvFile,
  toJsonLinesFile,
} from "./files_records.ts";
export type { JsonLinesOptions } from "./jsonl.ts";
export type { RecordField, ResultRecord } from "./result_record.ts";

/**
 * Saves pages as files below a folder: `folder/a.test/docs/page.html`. Pages that are not `ok`, failures and skips
 * leave no file; the first are in the manifest.
 *
 * - **Names** are made of URLs, and never lead out of the folder. A path that ends in `/` is the file `index`; the
 *   extension fits the media type. Of two URLs that some disk would give one file (`/a` and `/A`, http and https) the
 *   later one's gets a mark.
 * - **`index.jsonl`** is the manifest: one {@link ManifestEntry} a line for each page that came. Of several for one URL
 *   the last one counts; its file is the one that the last line with a `file` names.
 * - **Across runs** the same URL goes to the same file: a manifest that is there is read first and added to. One
 *   crawl at a time may write to a folder.
 * - **No file is torn**: each is written as `.partial` and renamed, and only then listed. A page counts as read when
 *   it is saved, so that a resumed crawl loses none; a slow disk slows the crawl.
 * - **Offline links** are made when the crawl has ended, as only then it is known what was saved; until then, and
 *   after an abort, all links are absolute. The next run that ends sees to those that were left. Style sheets and
 *   scripts are saved as they are. By itself a crawl asks for no images, styles and scripts: its `follow` may name
 *   them, as `extractLinks` finds them with `assets: true`.
 *
 * Memory grows by the URLs of the pages that were saved.
 *
 * @param folder made when it is not there
 * @throws {TypeError} at once, where an option is of the wrong kind, naming it
 * @throws {Error} (the stream errors) naming the step and the path, where the disk is full or refuses; what was saved
 * before stays whole
 *
 * @example
 * ```ts
 * import { crawl } from "dragline";
 * import { toFiles } from "dragline/files";
 *
 * await crawl("https://example.com/docs/").pipeTo(toFiles("docs", { offline: true }));
 * ```
 */
export function toFiles(folder: string, options: FilesOptions = {}): WritableStream<CrawlResult> {
  return new WritableStream(folderSink(folder, options));
}
