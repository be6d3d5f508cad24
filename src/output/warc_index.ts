import { chunksOf } from "./files_lines.ts";
import type { Kept } from "./files_partial.ts";
import type { Warcio } from "./warc_library.ts";

/** A record to which a later one with the same payload may refer. */
export interface Capture {
  readonly id: string;
  readonly url: string;
  readonly date: string;
}

type WarcRecord = InstanceType<Warcio["WARCRecord"]>;

/** The payloads of an archive by their digests. */
export class WarcIndex {
  // One entry a different payload; they stay, as the archive does.
  readonly #captures = new Map<string, Capture>();

  captureOf(digest: string): Capture | undefined {
    return this.#captures.get(digest);
  }

  note(digest: string, capture: Capture): void {
    if (!this.#captures.has(digest)) this.#captures.set(digest, capture);
  }

  /**
   * Reads an archive that is there, and says how far its records are whole.
   *
   * @throws {Error} naming the path, where it is no archive, or is damaged elsewhere than at its end
   */
  async read(path: string, { AsyncIterReader, WARCParser }: Warcio): Promise<Kept> {
    const chunks = chunksOf(path);
    const reader = new AsyncIterReader(chunks);
    const parser = new WARCParser(reader, { parseHttp: false });
    // A record is known to be whole when the parser has gone on behind it.
    let last: { record: WarcRecord; start: number } | undefined;
    let isForeign = false;
    try {
      for await (const record of parser) {
        if (last) this.#noteRecord(last.record);
        last = undefined;
        isForeign = !record.warcHeaders.statusline.startsWith("WARC/");
        if (isForeign || (await lengthOf(record)) < record.warcContentLength) break;
        last = { record, start: parser.offset };
      }
    } finally {
      await chunks.return(undefined);
    }
    const bytes = parser.offset;
    // The reader takes for plain text what does not unpack. What a kill leaves does, as far as it goes.
    if (isForeign || reader.compressed === null) {
      throw new Error(
        `Cannot continue '${path}' as there is no record of a compressed WARC at octet ${bytes}`,
      );
    }
    if (last && bytes > last.start) this.#noteRecord(last.record);
    return { bytes };
  }

  #noteRecord(record: WarcRecord): void {
    const { warcPayloadDigest: digest, warcTargetURI: url, warcDate: date } = record;
    const id = record.warcHeader("WARC-Record-ID");
    if (record.warcType === "response" && digest && url && date && id) this.note(digest, { id, url, date });
  }
}

async function lengthOf(record: WarcRecord): Promise<number> {
  let length = 0;
  for await (const chunk of record.reader) length += chunk.length;
  return length;
}
