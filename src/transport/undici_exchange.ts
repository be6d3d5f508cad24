import type { Dispatcher } from "undici";
import type { TransportRequest, TransportResponse } from "../fetcher.ts";
import { IncomingBody } from "./undici_body.ts";
import { UndiciResponse } from "./undici_response.ts";

type Headers = globalThis.Headers;
type Handler = Dispatcher.DispatchHandler;
type Controller = Dispatcher.DispatchController;

/** Called when nothing more comes of an exchange. */
export type OnEnd = () => void;

/** One request and its answer: what undici tells, as a promise of a head and a body that is pulled. */
export class Exchange implements Handler {
  /** Settles with the answer's head. */
  readonly head: Promise<TransportResponse>;
  readonly #request: TransportRequest;
  readonly #onEnd: OnEnd;
  readonly #cutConnecting: () => void;
  readonly #onAbort = (): void => this.abort(this.#request.signal.reason);
  #resolveHead!: (response: TransportResponse) => void;
  #rejectHead!: (reason: unknown) => void;
  #controller: Controller | undefined;
  #body: IncomingBody | undefined;
  #fault: { readonly error: unknown } | undefined;

  /** @param cutConnecting gives up on a connection that is not there yet */
  constructor(request: TransportRequest, cutConnecting: () => void, onEnd: OnEnd) {
    this.#request = request;
    this.#cutConnecting = cutConnecting;
    this.#onEnd = onEnd;
    this.head = new Promise((resolve, reject) => {
      this.#resolveHead = resolve;
      this.#rejectHead = reject;
    });
    if (request.onAbort !== undefined) request.onAbort((reason) => this.abort(reason));
    else request.signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#fault !== undefined) controller.abort(asError(this.#fault.error));
  }

  onResponseStart(controller: Controller, status: number, fields: Fields): void {
    // RFC 9110 §15.2: an interim answer, which may be ignored.
    if (status < 200) return;
    const headers = headersOf(fields);
    this.#body = new IncomingBody(controller, (reason) => this.abort(reason));
    this.#resolveHead(new UndiciResponse(this.#request.method, status, headers, this.#body));
  }

  onResponseData(_: Controller, chunk: Uint8Array): void {
    this.#body?.push(chunk);
  }

  onResponseEnd(): void {
    this.#body?.end();
    this.#over();
  }

  onResponseError(_: Controller | undefined, error: Error): void {
    this.#fail(error);
    this.#over();
  }

  /** Ends it early, whatever it is waiting for. */
  abort(reason: unknown): void {
    this.#fail(reason);
    if (this.#controller === undefined) this.#cutConnecting();
    else this.#controller.abort(asError(reason));
  }

  #fail(error: unknown): void {
    this.#fault ??= { error };
    this.#rejectHead(error);
    this.#body?.fail(error);
  }

  #over(): void {
    if (this.#request.onAbort === undefined) this.#request.signal.removeEventListener("abort", this.#onAbort);
    this.#onEnd();
  }
}

type Fields = Readonly<Record<string, string | string[] | undefined>>;

function headersOf(fields: Fields): Headers {
  const headers = new Headers();
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === "string") headers.append(name, value);
    else if (value !== undefined) for (const each of value) headers.append(name, each);
  }
  return headers;
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The request was aborted", { cause: reason });
}
