import { createReadStream } from "node:fs";
import { diskError } from "./files_error.ts";

/** A line of a file, or a record of several lines. */
export interface FileLine {
  /** Without its line end. */
  readonly text: string;
  /** The octets from the file's beginning to just past this line. */
  readonly end: number;
  /** Whether a line feed ends it; only the last one may lack it. */
  readonly isEnded: boolean;
}

/** What a reader of lines may ask for. */
export interface LineOptions {
  /** Whether a line feed within `"..."` is part of the line, as in CSV. Default `false`. */
  readonly quotes?: boolean;
}

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

/**
 * The lines of a file, one at a time.
 *
 * @throws {Error} naming the path
 */
export async function* readLines(path: string, options: LineOptions = {}): AsyncGenerator<FileLine> {
  const { quotes = false } = options;
  let parts: Uint8Array[] = [];
  let end = 0;
  let isQuoted = false;
  for await (const chunk of chunksOf(path)) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (quotes && chunk[at] === QUOTE) isQuoted = !isQuoted;
      if (chunk[at] !== LINE_FEED || isQuoted) continue;
      parts.push(chunk.subarray(start, at));
      end += at + 1 - start;
      yield { text: textOf(parts), end, isEnded: true };
      parts = [];
      start = at + 1;
    }
    parts.push(chunk.subarray(start));
    end += chunk.length - start;
  }
  const text = textOf(parts);
  if (parts.some(({ length }) => length > 0)) yield { text, end, isEnded: false };
}

/** The octets of a file. */
export async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path)) yield chunk as Uint8Array;
  } catch (cause) {
    throw diskError("read", path, cause);
  }
}

function textOf(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  const text = parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
