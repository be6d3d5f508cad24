import type { FakeClock } from "./fake_clock.ts";

/** How a URL of a fake web answers. */
export interface FakeAnswer {
  /** Default: 200. */
  status?: number;
  /** Default: empty. */
  body?: string | Uint8Array;
  /** Default: `text/html; charset=utf-8`; `null` sends none. */
  type?: string | null;
  headers?: Record<string, string>;
  location?: string;
  /** Seconds, or a header's value. */
  retryAfter?: number | string;
  /** Milliseconds on the clock until the answer is there. Default: what the web has. */
  afterMs?: number;
  /** In place of an answer: what the runtime throws. `never` waits for ever. */
  fault?: "ENOTFOUND" | "ECONNREFUSED" | "ECONNRESET" | "never";
}

/** A page's HTML, an answer, or a function that gives one for the n-th request (from 1) of its URL. */
export type FakePage = string | FakeAnswer | ((n: number, request: FakeRequest) => string | FakeAnswer);

/** One request as the fake web saw it. */
export interface FakeRequest {
  readonly atMs: number;
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  /** When its answer was there, or it was given up. */
  endMs: number | undefined;
  aborted: boolean;
}

/** What a fake web is asked by, and what it was asked. */
export interface FakeWeb {
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Every request in order of its start. */
  readonly log: readonly FakeRequest[];
  /** The URLs of the log but those of robots.txt. */
  urls(): string[];
  /** Requests that have neither ended nor been given up. */
  readonly inFlight: number;
}

/** What a fake web does where a page does not say. */
export interface FakeWebOptions {
  readonly clock: FakeClock;
  /** Milliseconds until an answer is there. Default: 10. */
  readonly afterMs?: number;
  /** What URLs that are not listed answer. Default: 404. */
  readonly otherwise?: FakePage;
}

/** A web in memory, on a fake clock: what is listed answers, all else is 404. */
export function fakeWeb(pages: Readonly<Record<string, FakePage>>, options: FakeWebOptions): FakeWeb {
  const { clock, afterMs = 10, otherwise = { status: 404 } } = options;
  const log: FakeRequest[] = [];
  const hits = new Map<string, number>();
  let inFlight = 0;
  return {
    log,
    urls: () => log.map(({ url }) => url).filter((url) => !url.endsWith("/robots.txt")),
    get inFlight() {
      return inFlight;
    },
    async fetch(input, init = {}) {
      const url = String(input instanceof Request ? input.url : input);
      const request: FakeRequest = {
        atMs: clock.now(),
        url,
        method: init.method ?? "GET",
        headers: new Headers(init.headers),
        body: typeof init.body === "string" ? init.body : undefined,
        endMs: undefined,
        aborted: false,
      };
      log.push(request);
      const n = (hits.get(url) ?? 0) + 1;
      hits.set(url, n);
      const page = Object.hasOwn(pages, url) ? pages[url]! : otherwise;
      const said = typeof page === "function" ? page(n, request) : page;
      const answer: FakeAnswer = typeof said === "string" ? { body: said } : said;
      inFlight++;
      try {
        await arrival(
          clock,
          answer.fault === "never" ? Number.POSITIVE_INFINITY : (answer.afterMs ?? afterMs),
          init.signal,
        );
      } catch (error) {
        request.aborted = true;
        throw error;
      } finally {
        inFlight--;
        request.endMs = clock.now();
      }
      if (answer.fault !== undefined) throw fault(answer.fault);
      return response(answer);
    },
  };
}

function arrival(clock: FakeClock, ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.at(clock.now() + ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

function fault(code: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
}

function response({
  status = 200,
  body = "",
  type = "text/html; charset=utf-8",
  headers,
  location,
  retryAfter,
}: FakeAnswer): Response {
  const all = new Headers(headers);
  if (type !== null) all.set("content-type", type);
  if (location !== undefined) all.set("location", location);
  if (retryAfter !== undefined) all.set("retry-after", String(retryAfter));
  const isNull = status === 204 || status === 304;
  const octets = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return new Response(isNull ? null : (octets as Uint8Array<ArrayBuffer>), { status, headers: all });
}
