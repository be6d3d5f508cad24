import type { Page } from "./page.ts";
import type { PaceChange } from "./politeness/host.ts";
import type { CrawlRequest, HostOrTag } from "./request.ts";
import type { Failure, FailureReason, Skip } from "./result.ts";
import type { CrawlStats } from "./stats.ts";

/** What a request is sent for. */
export type RequestKind = "page" | "sitemap" | "robots";

/**
 * What happened, for observers. `atMs` is the crawl's clock, in milliseconds since the epoch. An event is told when
 * it happens, so a page's comes before the reader has the page.
 *
 * - `accepted`: a seed, link or sitemap entry was new and in scope, and is queued; or a page that was given to `retry()`
 * - `started`: a request went out; `attempt` counts from 1, and only those that are held against the request
 * - `ended`: its outcome is there: the `status` of an answer, the `reason` of a fault, both where an answer broke off,
 *   neither where the crawl cut it off; `responseMs` is the fetch alone
 * - `redirected`: it pointed on to `to`, which is queued in its place
 * - `retrying`: it will be tried again, not before `notBeforeMs`
 * - `page`, `failure`, `skip`: a result; the link of a skip may never have been accepted
 * - `paced`: a host's limit, gap or pause changed, and why
 * - `robots`: what an origin's robots.txt says now
 * - `sitemap`: one was read, or could not be: `problems` tell what was wrong
 * - `scope`: a seed was redirected to `host`, which counts as that of a seed from now on
 * - `held`, `dropped`: the caller steered
 * - `warning`: something will not be what was asked for, in words
 * - `finished`: the last event of every crawl
 */
export type CrawlEvent =
  | { readonly type: "accepted"; readonly atMs: number; readonly request: CrawlRequest }
  | {
      readonly type: "started";
      readonly atMs: number;
      readonly kind: RequestKind;
      readonly url: string;
      readonly host: string;
      readonly attempt: number;
    }
  | {
      readonly type: "ended";
      readonly atMs: number;
      readonly kind: RequestKind;
      readonly url: string;
      readonly host: string;
      readonly status?: number | undefined;
      readonly reason?: FailureReason | undefined;
      readonly responseMs: number;
      /** Decoded bytes of the body that were read. */
      readonly bytes: number;
    }
  | {
      readonly type: "redirected";
      readonly atMs: number;
      readonly request: CrawlRequest;
      readonly status: number;
      readonly to: string;
    }
  | {
      readonly type: "retrying";
      readonly atMs: number;
      readonly request: CrawlRequest;
      readonly notBeforeMs: number;
      readonly status?: number | undefined;
      readonly reason?: FailureReason | undefined;
    }
  | { readonly type: "page"; readonly atMs: number; readonly page: Page }
  | { readonly type: "failure"; readonly atMs: number; readonly failure: Failure }
  | { readonly type: "skip"; readonly atMs: number; readonly skip: Skip }
  | ({ readonly type: "paced"; readonly atMs: number; readonly host: string } & PaceChange)
  | {
      readonly type: "robots";
      readonly atMs: number;
      readonly origin: string;
      /** `rules`: obeyed as they stand; `allow-all`: there are none; `unreachable`: asked again at `retryAtMs`, or given up. */
      readonly policy: "rules" | "allow-all" | "unreachable";
      readonly status?: number | undefined;
      readonly reason?: FailureReason | undefined;
      readonly crawlDelayMs?: number | undefined;
      readonly retryAtMs?: number | undefined;
    }
  | {
      readonly type: "sitemap";
      readonly atMs: number;
      readonly url: string;
      readonly entries: number;
      readonly problems: readonly string[];
    }
  | { readonly type: "scope"; readonly atMs: number; readonly host: string; readonly from: string }
  | { readonly type: "held"; readonly atMs: number; readonly what: HostOrTag; readonly untilMs: number }
  | { readonly type: "dropped"; readonly atMs: number; readonly what: HostOrTag }
  | { readonly type: "warning"; readonly atMs: number; readonly message: string }
  | { readonly type: "finished"; readonly atMs: number; readonly stats: CrawlStats };

/** An event as the engine tells it, before anybody asks when. */
export type Happening = CrawlEvent extends infer Event
  ? Event extends CrawlEvent
    ? Omit<Event, "atMs">
    : never
  : never;
