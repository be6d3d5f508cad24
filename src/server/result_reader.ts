import type { Clock } from "../clock.ts";
import type { CrawlResult } from "../result.ts";

export type ResultType = CrawlResult["type"];

/** One result, as it is sent and as what it counts. */
export interface LoggedLine {
  readonly type: ResultType;
  readonly line: string;
}

const MAX_CHUNK_CHARS = 64 * 1024;

export interface ResultReaderParts {
  readonly lines: LoggedLine[];
  readonly types: ReadonlySet<ResultType>;
  readonly clock: Clock;
  readonly idleMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onEnd: () => void;
}

/** One client that reads results: lines that it has not taken wait here, at most those kept when it came and one more. */
export class ResultReader {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #parts: ResultReaderParts;
  #lines: readonly LoggedLine[];
  #at = 0;
  #isClosing = false;
  #isEnded = false;
  #onTaken: (() => void) | undefined;
  #onOffer: (() => void) | undefined;
  #cancelIdle: () => void = () => {};
  #close: () => void = () => {};
  #fail: (error: unknown) => void = () => {};
  readonly #onAbort = (): void => this.#end();

  constructor(parts: ResultReaderParts) {
    this.#parts = parts;
    this.#lines = parts.lines;
    parts.signal?.addEventListener("abort", this.#onAbort, { once: true });
    const encoder = new TextEncoder();
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#close = () => controller.close();
          this.#fail = (error) => controller.error(error);
        },
        pull: async (controller) => {
          const text = await this.#next();
          if (text !== undefined) controller.enqueue(encoder.encode(text));
        },
        cancel: () => {
          this.#close = () => {};
          this.#end();
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Hands it a line. To be called when the one before was taken. */
  offer(logged: LoggedLine): void {
    if (this.#isEnded || !this.#parts.types.has(logged.type)) return;
    this.#lines = [...this.#lines.slice(this.#at), logged];
    this.#at = 0;
    this.#onOffer?.();
  }

  /** Fulfilled when it has taken all that it was handed, or is gone. */
  async taken(): Promise<void> {
    if (this.#isEnded || this.#at === this.#lines.length) return;
    await new Promise<void>((resolve) => {
      this.#onTaken = resolve;
      this.#armIdle();
    });
  }

  close(): void {
    this.#isClosing = true;
    this.#onOffer?.();
  }

  async #next(): Promise<string | undefined> {
    while (!this.#isEnded) {
      const text = this.#take();
      if (text !== "") return text;
      if (this.#isClosing) this.#end();
      else await this.#offered();
    }
    return undefined;
  }

  #offered(): Promise<void> {
    return new Promise((resolve) => {
      this.#onOffer = resolve;
    });
  }

  #take(): string {
    let text = "";
    while (this.#at < this.#lines.length && text.length < MAX_CHUNK_CHARS)
      text += this.#lines[this.#at++]!.line;
    if (this.#at === this.#lines.length) this.#release();
    else if (this.#onTaken !== undefined) this.#armIdle();
    return text;
  }

  /** A connection that went away unnoticed must not hold the crawl up for ever. */
  #armIdle(): void {
    const { clock, idleMs } = this.#parts;
    this.#cancelIdle();
    this.#cancelIdle = clock.at(clock.now() + idleMs, () => {
      // A stream that only ended would look like all there was.
      const reason = `Nothing was taken for ${idleMs} ms: the crawl went on without this reader`;
      this.#close = () => this.#fail(new DOMException(reason, "TimeoutError"));
      this.#end();
    });
  }

  #release(): void {
    this.#cancelIdle();
    this.#onTaken?.();
    this.#onTaken = undefined;
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#parts.signal?.removeEventListener("abort", this.#onAbort);
    this.#parts.onEnd();
    this.#close();
    this.#release();
    this.#onOffer?.();
  }
}
