import type { Dispatcher } from "undici";

// What an unread body may hold in memory before its connection is paused.
const MAX_AHEAD_BYTES = 131_072;

/** A body on its way, held back while nobody reads it. */
export class IncomingBody implements AsyncIterable<Uint8Array> {
  readonly #controller: Dispatcher.DispatchController;
  readonly #abort: (reason: unknown) => void;
  #chunks: Uint8Array[] = [];
  #aheadBytes = 0;
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(controller: Dispatcher.DispatchController, abort: (reason: unknown) => void) {
    this.#controller = controller;
    this.#abort = abort;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#aheadBytes += chunk.byteLength;
    if (this.#aheadBytes > MAX_AHEAD_BYTES) this.#controller.pause();
    this.#wake?.();
  }

  end(): void {
    this.#end ??= {};
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  /** Gives up what has not come yet. */
  cancel(reason: unknown): void {
    this.#chunks = [];
    if (this.#end === undefined) this.#abort(reason);
  }

  /** Whether it came to its end, and all of it was taken. */
  get isAtEnd(): boolean {
    return this.#chunks.length === 0 && this.#end !== undefined && !("error" in this.#end);
  }

  /** What is there, once there is something; nothing once there is nothing more. */
  async take(): Promise<readonly Uint8Array[]> {
    while (this.#chunks.length === 0) {
      const end = this.#end;
      if (end !== undefined && "error" in end) throw end.error;
      if (end !== undefined) return [];
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const taken = this.#chunks;
    this.#chunks = [];
    this.#aheadBytes = 0;
    if (this.#end === undefined) this.#controller.resume();
    return taken;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunks = await this.take();
        if (chunks.length === 0) return;
        yield* chunks;
      }
    } finally {
      this.cancel(new DOMException("The body was not wanted to its end", "AbortError"));
    }
  }
}
