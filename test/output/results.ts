import { Page } from "../../src/page.ts";
import * as readers from "../../src/page_readers.ts";
import type { CrawlRequest } from "../../src/request.ts";
import type { CrawlResult, Failure, Skip } from "../../src/result.ts";

/** What a page of a test may say of itself. */
export interface PageDetails extends Partial<CrawlRequest> {
  readonly status?: number;
  /** Default: `text/html`; `null` for none. */
  readonly contentType?: string | null;
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

/** 2026-03-04T05:06:07.089Z */
const STARTED_AT_MS = Date.UTC(2026, 2, 4, 5, 6, 7, 89);

export function pageOf(url: string, content: string | Uint8Array = "", details: PageDetails = {}): Page {
  const { status = 200, contentType = "text/html", responseHeaders, ...request } = details;
  const headers = new Headers({ ...responseHeaders });
  if (contentType !== null) headers.set("content-type", contentType);
  return new Page({
    request: requestOf(url, request),
    status,
    headers,
    body: typeof content === "string" ? new TextEncoder().encode(content) : content,
    timings: { startedAtMs: STARTED_AT_MS, responseMs: 12.5 },
    userAgent: "dragline",
    readers,
  });
}

export function failureOf(url: string, cause: Error, request: Partial<CrawlRequest> = {}): Failure {
  return { type: "failure", url, request: requestOf(url, request), reason: "connect", attempts: 3, cause };
}

export function skipOf(url: string, detail?: string): Skip {
  return { type: "skip", url, reason: "robots", referrer: "https://a.test/", detail };
}

function requestOf(url: string, request: Partial<CrawlRequest> = {}): CrawlRequest {
  const host = URL.canParse(url) ? new URL(url).host : "";
  return { url, key: url, host, depth: 0, priority: 0, order: 0, ...request };
}

/** These results as a stream, as a crawl would be. */
export function streamOf(...results: CrawlResult[]): ReadableStream<CrawlResult> {
  const left = [...results];
  return new ReadableStream(
    {
      pull(controller) {
        const next = left.shift();
        if (next === undefined) controller.close();
        else controller.enqueue(next);
      },
    },
    { highWaterMark: 0 },
  );
}

/** All that a stream of text gives, joined. */
export async function textOf(stream: ReadableStream<string>): Promise<string> {
  let text = "";
  for await (const piece of stream) text += piece;
  return text;
}

/**
 * Whether a TransformStream holds its source back. In workerd it does from the compatibility date 2024-12-16 on
 * (`fixup-transform-stream-backpressure`), and the worker of the tests is of an earlier one.
 */
export const holdsBack: boolean = globalThis.navigator?.userAgent !== "Cloudflare-Workers";

// More than any reader here wants. Without an end, a reader that nothing holds back would never stop.
const MANY = 1_000;

/** Results for longer than anybody reads, and how many of them were asked for. */
export function endless(result: (n: number) => CrawlResult): {
  readonly stream: ReadableStream<CrawlResult>;
  readonly asked: number;
  readonly cancelled: unknown;
} {
  let asked = 0;
  let cancelled: unknown;
  const stream = new ReadableStream<CrawlResult>(
    {
      pull(controller) {
        if (asked === MANY) controller.close();
        else controller.enqueue(result(++asked));
      },
      cancel(reason) {
        cancelled = reason;
      },
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    get asked() {
      return asked;
    },
    get cancelled() {
      return cancelled;
    },
  };
}
