import type { Clock } from "../clock.ts";
import { jsonLine } from "../output/jsonl.ts";
import { DEFAULT_FIELDS, recordOf } from "../output/result_record.ts";
import type { CrawlResult } from "../result.ts";
import { type LoggedLine, ResultReader, type ResultType } from "./result_reader.ts";

export interface ResultLogParts {
  readonly clock: Clock;
  /** UTF-16 units of all kept lines together. */
  readonly maxChars: number;
  /** Milliseconds for which a reader may take nothing before the crawl goes on without it. */
  readonly idleMs: number;
}

/** Which results a reader wants, and for how long. */
export interface ResultReading {
  readonly types: ReadonlySet<ResultType>;
  /** Whether it waits for what is still to come. */
  readonly follows: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The newest pages and failures of a crawl as lines of JSON, and the readers of them. Whoever reads a crawl hands each
 * result to {@link add} and waits: the log is the crawl's brake, as it lets nothing in before every reader has taken
 * what was there.
 *
 * Skips go to those who read at that moment and are not kept: there may be many more of them than of all else.
 */
export class ResultLog {
  readonly #parts: ResultLogParts;
  /** The oldest leave past `maxChars`. */
  readonly #kept: LoggedLine[] = [];
  #keptChars = 0;
  #dropped = 0;
  /** An entry a client that follows; each takes itself out. */
  readonly #readers = new Set<ResultReader>();
  #isClosed = false;

  constructor(parts: ResultLogParts) {
    this.#parts = parts;
  }

  /** Lines that were kept once and are no more. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How many follow. */
  get readers(): number {
    return this.#readers.size;
  }

  /** Takes a result in; fulfilled when every reader has taken it, or has gone. */
  async add(result: CrawlResult): Promise<void> {
    const line = jsonLine(recordOf(result, DEFAULT_FIELDS));
    const logged: LoggedLine = { type: result.type, line };
    if (result.type !== "skip") this.#keep(logged);
    for (const reader of this.#readers) reader.offer(logged);
    for (const reader of [...this.#readers]) await reader.taken();
  }

  /** The lines, oldest first, from the oldest that is left. */
  read({ types, follows, signal }: ResultReading): ReadableStream<Uint8Array> {
    const reader: ResultReader = new ResultReader({
      lines: this.#kept.filter(({ type }) => types.has(type)),
      types,
      clock: this.#parts.clock,
      idleMs: this.#parts.idleMs,
      signal,
      onEnd: () => this.#readers.delete(reader),
    });
    if (follows && !this.#isClosed && !signal?.aborted) this.#readers.add(reader);
    else reader.close();
    return reader.stream;
  }

  /** Nothing more will come: each reader ends when it has taken what there is. */
  close(): void {
    this.#isClosed = true;
    for (const reader of [...this.#readers]) reader.close();
  }

  #keep(logged: LoggedLine): void {
    this.#kept.push(logged);
    this.#keptChars += logged.line.length;
    let gone = 0;
    while (this.#keptChars > this.#parts.maxChars && gone < this.#kept.length - 1) {
      this.#keptChars -= this.#kept[gone]!.line.length;
      gone++;
    }
    this.#kept.splice(0, gone);
    this.#dropped += gone;
  }
}
