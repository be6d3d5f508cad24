import type { Cancellation } from "./cancellation.ts";

interface Sent {
  readonly url: string;
  /** `GET` unless it says otherwise. */
  readonly method?: string;
  readonly headers: Headers;
  readonly body?: string;
}

/** What a transport is handed. Its signal is made where it is read. */
export class SentRequest {
  // One for all: a getter in a literal makes each object a dictionary, and on V8 it made answers outlive the collections
  // of what is young.
  static readonly #SIGNAL: PropertyDescriptor & ThisType<SentRequest> = {
    enumerable: true,
    get() {
      return this.#cancellation.signal;
    },
  };
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  declare readonly body?: string;
  declare readonly signal: AbortSignal;
  /** Tells this listener in place of the one before; at once where the request is given up already. */
  readonly onAbort = (listener: (reason: unknown) => void): void => this.#cancellation.listen(listener);
  readonly #cancellation: Cancellation;

  constructor({ url, method = "GET", headers, body }: Sent, cancellation: Cancellation) {
    this.url = url;
    this.method = method;
    this.headers = headers;
    if (body !== undefined) this.body = body;
    this.#cancellation = cancellation;
    // An own property, which a spread into the options of `fetch` takes along.
    Object.defineProperty(this, "signal", SentRequest.#SIGNAL);
  }
}
