/**
 * What tells one request that it is given up. A signal is made only for those who ask for one: on Node 20 it costs as
 * much as the rest of a request by undici, most of it in the garbage collector.
 */
export class Cancellation {
  #isAborted = false;
  #reason: unknown;
  #controller: AbortController | undefined;
  #listener: ((reason: unknown) => void) | undefined;

  get isAborted(): boolean {
    return this.#isAborted;
  }

  /** Why; of no meaning before. */
  get reason(): unknown {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Tells this listener in place of the one before; at once where it is aborted already. */
  listen(listener: (reason: unknown) => void): void {
    if (this.#isAborted) listener(this.#reason);
    else this.#listener = listener;
  }

  /** Only the first time counts. */
  abort(reason: unknown): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason === undefined ? new DOMException("The request was given up", "AbortError") : reason;
    this.#controller?.abort(this.#reason);
    this.#listener?.(this.#reason);
  }
}
