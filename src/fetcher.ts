import { discardBody, ignore, readBody, streamBody } from "./body.ts";
import { Cancellation } from "./cancellation.ts";
import type { Clock } from "./clock.ts";
import { Deadlines } from "./deadlines.ts";
import { failureReason, TransferError } from "./failure_reason.ts";
import type { FailureReason } from "./result.ts";
import { SentRequest } from "./sent_request.ts";
import { decodeLocation } from "./web/url.ts";

/** One request as it is sent. */
export interface TransportRequest {
  /** Absolute, of http or https, without credentials. */
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string;
  /** Aborted when the request is to be given up, at whatever stage of its answer. */
  readonly signal: AbortSignal;
  /**
   * The same for a transport that needs no signal, and so spares making one: tells its one listener, at once where the
   * request is given up already.
   */
  readonly onAbort?: (listener: (reason: unknown) => void) => void;
}

/** The part of a `Response` that the crawl reads. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: Headers;
  /** `null` where the answer has none. Decoded from `gzip` and `br`; other codings may be left as they came. */
  readonly body: ReadableStream<Uint8Array> | null;
  arrayBuffer(): Promise<ArrayBuffer>;
  /**
   * The whole body at once, decoded as {@link body} is, by a transport that has a cheaper way to it than a stream.
   * It rejects as the body would error, and with a {@link TransferError} `too-large` past `maxBytes` decoded bytes.
   */
  read?(maxBytes: number): Promise<Uint8Array>;
}

/**
 * What carries requests: the lower seam of the crawl, below the deadline, the size cap and the outcome's type.
 *
 * @example
 * ```ts
 * const counted: Transport = {
 *   send(request) {
 *     console.log(request.url);
 *     return fetch(request.url, { ...request, redirect: "manual" });
 *   },
 * };
 * ```
 */
export interface Transport {
  /** Sends one request and follows no redirect. Rejects where no answer's head came, with what the runtime threw. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /**
   * Lets go of idle connections. Each crawl that was given the transport calls it at its end, so others that share it
   * must be able to go on.
   */
  close?(): Promise<void>;
}

export interface FetcherSettings {
  readonly transport: Transport;
  /** Milliseconds for one request, from its start to the last byte of the body; `Infinity` for no limit. */
  readonly timeoutMs: number;
  /** Most bytes of a body, decoded; `Infinity` for no limit. */
  readonly maxBodyBytes: number;
  readonly clock: Clock;
}

export interface HopRequest {
  readonly url: string;
  /** `GET` unless it says otherwise. */
  readonly method?: string;
  /** Handed over to the hop, which adds `accept-encoding` where it is missing. */
  readonly headers: Headers;
  readonly body?: string;
  /** Whether the body is worth its transfer: `false` cancels it unread. Not asked for redirects. */
  readonly wants: (status: number, headers: Headers) => boolean;
  /** In place of the fetcher's own. */
  readonly maxBodyBytes?: number;
  /** Hands a wanted body over as a stream. Default: `false`, read to its end. */
  readonly stream?: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly startedAtMs: number;
  /** From the start to what the outcome has: the last byte of a read body, else the last of the head. */
  readonly responseMs: number;
}

/** A whole answer. */
export interface HopResponse extends Answer {
  readonly type: "response";
  readonly body: Uint8Array;
}

/**
 * An answer whose body is still on its way, under the same cap and deadline. The stream errors with a
 * {@link TransferError}; until it is closed, errored or cancelled, the hop counts as in flight.
 */
export interface HopStream extends Answer {
  readonly type: "stream";
  readonly body: ReadableStream<Uint8Array>;
  /** What of the body has been read: it grows meanwhile. */
  readonly transferred: { readonly bytes: number };
}

/** 301, 302, 303, 307 or 308. */
export interface HopRedirect extends Answer {
  readonly type: "redirect";
  /** What `Location` says, unresolved; `undefined` where it is missing. */
  readonly location: string | undefined;
}

/** An answer whose body the caller did not want. */
export interface HopUnwanted extends Answer {
  readonly type: "unwanted";
}

/** No answer, or not all of it. */
export interface HopFailure {
  readonly type: "failure";
  readonly reason: FailureReason;
  /** What the runtime threw, or what the fetcher found. */
  readonly cause: Error;
  /**
   * Of the answer that broke off. `undefined`: not even a head came. With `reset` that may be no more than a kept
   * connection that went stale, worth one more try at once.
   */
  readonly status?: number;
  readonly headers?: Headers;
  readonly startedAtMs: number;
  readonly responseMs: number;
}

/** Given up by {@link Fetcher.abortAll}. */
export interface HopAborted {
  readonly type: "aborted";
  readonly reason: unknown;
}

export type HopOutcome = HopResponse | HopStream | HopRedirect | HopUnwanted | HopFailure | HopAborted;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

// Every runtime decodes these two, and no third one.
const ACCEPT_ENCODING = "gzip, br";

/**
 * Makes one hop at a time over a {@link Transport}: deadline, size cap, decoding, typed outcome.
 *
 * Every body is read or cancelled, and neither a timer nor a listener outlives its hop. A body that is cut within
 * its coding fails as `decode`; only Node's `fetch` hides that from everyone, and gives what there was.
 */
export class Fetcher {
  readonly #settings: FetcherSettings;
  // A flight leaves when its outcome is there, or its stream's end.
  readonly #flights: Deadlines<Flight>;

  constructor(settings: FetcherSettings) {
    this.#settings = settings;
    this.#flights = new Deadlines(settings.clock, (flight) => flight.cutAtDeadline());
  }

  /** Hops whose last byte has not come yet. */
  get inFlight(): number {
    return this.#flights.size;
  }

  /** Sends one request, follows no redirect, and never rejects. */
  fetch(hop: HopRequest): Promise<HopOutcome> {
    const flight = new Flight(hop, this.#settings, this.#flights);
    this.#flights.add(flight);
    return flight.outcome();
  }

  /** Gives up every hop in flight; each ends as `aborted` with this reason, a stream by erroring with it. */
  abortAll(reason: unknown): void {
    for (const flight of this.#flights) flight.cut({ type: "aborted", reason });
  }

  /** Gives up what is in flight and closes the transport. */
  async close(): Promise<void> {
    this.abortAll(new DOMException("The fetcher was closed", "AbortError"));
    await this.#settings.transport.close?.();
  }
}

type Cut =
  | { readonly type: "timeout"; readonly cause: Error }
  | { readonly type: "aborted"; readonly reason: unknown };

/** One request on its way. */
class Flight {
  readonly #hop: HopRequest;
  readonly #settings: FetcherSettings;
  readonly #flights: Deadlines<Flight>;
  readonly #startedAtMs: number;
  readonly #cancellation: Cancellation = new Cancellation();
  #response: TransportResponse | undefined;
  /** An outcome that stands whatever becomes of the rest of the transfer. */
  #settled: HopRedirect | HopUnwanted | undefined;
  #cut: Cut | undefined;
  // What resolves the outcome, and no closure around it: V8 would keep the answer until the next full collection. See
  // docs/performance.md.
  #resolve: ((outcome: HopOutcome) => void) | undefined;

  constructor(hop: HopRequest, settings: FetcherSettings, flights: Deadlines<Flight>) {
    this.#hop = hop;
    this.#settings = settings;
    this.#flights = flights;
    this.#startedAtMs = settings.clock.now();
  }

  get deadlineMs(): number {
    return this.#startedAtMs + this.#settings.timeoutMs;
  }

  /** Settles as the exchange does, or at the cut: a `fetch` may be slow to heed its signal, or deaf to it. */
  outcome(): Promise<HopOutcome> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#exchange().then(
        (outcome) => this.#conclude(outcome),
        (error) => this.#fail(error),
      );
    });
  }

  cutAtDeadline(): void {
    const { timeoutMs } = this.#settings;
    const cause = new DOMException(`The answer was not complete after ${timeoutMs} ms`, "TimeoutError");
    this.cut({ type: "timeout", cause });
  }

  /** Ends it early, whatever it is waiting for. The first cut counts. */
  cut(cut: Cut): void {
    if (this.#cut) return;
    this.#cut = cut;
    this.#cancellation.abort(cut.type === "timeout" ? cut.cause : cut.reason);
    this.#fail(this.#cancellation.reason);
  }

  #fail(error: unknown): void {
    if (this.#resolve !== undefined) this.#conclude(this.#broken(error));
  }

  #land(): void {
    this.#flights.delete(this);
  }

  /** The first outcome counts. */
  #conclude(outcome: HopOutcome): void {
    const resolve = this.#resolve;
    if (resolve === undefined) return;
    this.#resolve = undefined;
    if (outcome.type !== "stream") this.#land();
    resolve(outcome);
  }

  async #exchange(): Promise<HopOutcome> {
    const response = await this.#send();
    if (this.#cut) {
      void response.body?.cancel().catch(ignore);
      throw this.#cancellation.reason;
    }
    this.#response = response;
    this.#settled = this.#withoutBody(response);
    if (this.#settled) {
      await discardBody(response);
      return this.#settled;
    }
    const { maxBodyBytes = this.#settings.maxBodyBytes, stream = false } = this.#hop;
    if (stream) {
      const transferred = { bytes: 0 };
      const body = await streamBody(response, maxBodyBytes, this.#cancellation.signal, {
        read: (bytes) => {
          transferred.bytes += bytes;
        },
        fault: (error) => this.#streamFault(error),
        end: () => this.#land(),
      });
      return { type: "stream", body, transferred, ...this.#answer(response) };
    }
    const body = await readBody(response, maxBodyBytes, this.#cancellation);
    return { type: "response", body, ...this.#answer(response) };
  }

  #send(): Promise<TransportResponse> {
    const { headers } = this.#hop;
    if (!headers.has("accept-encoding")) headers.set("accept-encoding", ACCEPT_ENCODING);
    return this.#settings.transport.send(new SentRequest(this.#hop, this.#cancellation));
  }

  #withoutBody(response: TransportResponse): HopRedirect | HopUnwanted | undefined {
    const { status, headers } = response;
    if (REDIRECTS.has(status)) {
      const location = headers.get("location") ?? undefined;
      const decoded = location === undefined ? undefined : decodeLocation(location);
      return { type: "redirect", location: decoded, ...this.#answer(response) };
    }
    return this.#hop.wants(status, headers) ? undefined : { type: "unwanted", ...this.#answer(response) };
  }

  #answer({ status, headers }: TransportResponse): Answer {
    return { status, headers, ...this.#times() };
  }

  #times(): { startedAtMs: number; responseMs: number } {
    const startedAtMs = this.#startedAtMs;
    return { startedAtMs, responseMs: this.#settings.clock.now() - startedAtMs };
  }

  /** What comes of it after all: the fault, unless it was cut or the head was enough. */
  #broken(error: unknown): HopAborted | HopFailure | HopRedirect | HopUnwanted {
    const cut = this.#cut;
    if (cut?.type === "aborted") return { type: "aborted", reason: cut.reason };
    if (this.#settled) return this.#settled;
    this.#cancellation.abort(error);
    const response = this.#response;
    // Where it is locked, its reader has been told by the signal.
    void response?.body?.cancel().catch(ignore);
    return {
      type: "failure",
      reason: cut ? "timeout" : failureReason(error),
      cause:
        cut?.cause ??
        (error instanceof Error ? error : new Error("What was thrown is no error", { cause: error })),
      ...(response && { status: response.status, headers: response.headers }),
      ...this.#times(),
    };
  }

  #streamFault(error: unknown): unknown {
    const broken = this.#broken(error);
    if (broken.type !== "failure") return this.#cancellation.reason;
    return new TransferError(broken.reason, broken.cause.message, { cause: broken.cause });
  }
}
