import { basename } from "node:path";
import { refuseUnknown, wrongType } from "../option_rules.ts";
import { checkPath, type Existing, PartialFile } from "./files_partial.ts";
import type { ResultSink } from "./result_sink.ts";
import { WarcIndex } from "./warc_index.ts";
import { loadWarcio } from "./warc_library.ts";
import { WarcRecords } from "./warc_records.ts";

/** Options of `toWarc`. */
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

/** @throws {TypeError} where an option or the path is none, naming it */
export function warcSink(path: string, options: WarcOptions): ResultSink {
  refuseUnknown("", options, { info: true, existing: true });
  const { info = {}, existing = "continue" } = options;
  checkPath(path, existing);
  if (!path.endsWith(".warc.gz")) throw wrongType("path", "a path that ends in '.warc.gz'", path);
  checkInfo(info);
  let file: PartialFile;
  let records: WarcRecords;
  return {
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
  };
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
