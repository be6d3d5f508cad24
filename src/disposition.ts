import type { HopFailure, HopOutcome, HopResponse, HopStream, HopUnwanted } from "./fetcher.ts";
import type { Settings } from "./options.ts";
import type { HostOutcome } from "./politeness/host.ts";
import { backoffMs, isRetryable } from "./politeness/retry.ts";
import type { CrawlRequest } from "./request.ts";
import type { FailureReason } from "./result.ts";
import { isOneOf, mediaType } from "./web/content_type.ts";
import { parseRetryAfter } from "./web/retry_after.ts";
import { canonicalKey, isCrawlable, resolveUrl } from "./web/url.ts";

/** What is to be done with a request, now that its outcome is there. */
export type Disposition =
  | { readonly type: "answer"; readonly outcome: HopResponse | HopStream }
  /** An answer whose body was left unread: a page all the same unless it is `ok`. */
  | (Omit<HopUnwanted, "type"> & { readonly type: "unread" })
  | { readonly type: "redirect"; readonly status: number; readonly target: string }
  | { readonly type: "retry"; readonly notBeforeMs: number; readonly attempts: number }
  | {
      readonly type: "failure";
      readonly reason: FailureReason;
      readonly cause: Error;
      readonly status: number | undefined;
    }
  /** The host asked to be left alone for longer than the crawl waits. */
  | { readonly type: "retry-after"; readonly status: number; readonly detail: string }
  | { readonly type: "aborted" };

type DispositionRules = Pick<
  Settings,
  "retries" | "maxRedirects" | "maxRetryAfterMs" | "cookies" | "keys" | "random"
>;

/** Decides what becomes of a request. Nothing is done here. */
export function dispose(
  request: CrawlRequest,
  outcome: HopOutcome,
  rules: DispositionRules,
  nowMs: number,
): Disposition {
  switch (outcome.type) {
    case "aborted":
      return { type: "aborted" };
    case "failure":
      return disposeFailure(request, outcome, rules, nowMs);
    case "redirect":
      return disposeRedirect(request, outcome, rules);
    case "response":
    case "stream":
    case "unwanted": {
      const retry = disposeStatus(request, outcome, rules, nowMs);
      if (retry !== undefined) return retry;
      return outcome.type === "unwanted" ? { ...outcome, type: "unread" } : { type: "answer", outcome };
    }
    default:
      return outcome satisfies never;
  }
}

/** How a request ended, as its event tells it. Of one that the crawl itself cut off, there is nothing to tell. */
export function endOf(outcome: HopOutcome): {
  readonly status?: number | undefined;
  readonly reason?: FailureReason | undefined;
  readonly responseMs: number;
  /** Decoded, of the body. */
  readonly bytes: number;
} {
  if (outcome.type === "aborted") return { responseMs: 0, bytes: 0 };
  return {
    status: outcome.status,
    reason: outcome.type === "failure" ? outcome.reason : undefined,
    responseMs: outcome.responseMs,
    bytes: bytesOf(outcome),
  };
}

/** What an outcome tells of its host: design section 5, rule 2. */
export function hostOutcome(outcome: HopOutcome, nowMs: number): HostOutcome {
  switch (outcome.type) {
    case "aborted":
      return { type: "other" };
    case "failure":
      return outcome.reason === "timeout" ? { type: "timeout" } : failureOutcome(outcome.reason);
    case "redirect":
      return { type: "success", responseMs: outcome.responseMs, retryAfterMs: retryAfterMs(outcome, nowMs) };
    default: {
      const { status, responseMs } = outcome;
      if (status === 429 || status === 503) {
        return { type: "throttled", retryAfterMs: retryAfterMs(outcome, nowMs) };
      }
      if (status >= 500) return { type: "fault" };
      return status >= 200 && status < 400 ? { type: "success", responseMs } : { type: "other" };
    }
  }
}

/** A rest that a host asks for and that is longer than the crawl waits: nothing more is asked of it till its end. */
export interface LongRest {
  readonly untilMs: number;
  /** In words. */
  readonly detail: string;
}

/** Design section 5, rule 3: a Retry-After counts for the whole host, on whatever request it comes. */
export function longRest(
  host: string,
  outcome: HopOutcome,
  { maxRetryAfterMs }: Pick<Settings, "maxRetryAfterMs">,
  nowMs: number,
): LongRest | undefined {
  if (outcome.type === "failure" || outcome.type === "aborted") return undefined;
  if (outcome.type !== "redirect" && outcome.status !== 429 && outcome.status !== 503) return undefined;
  const waitMs = retryAfterMs(outcome, nowMs);
  if (waitMs === undefined || waitMs <= maxRetryAfterMs) return undefined;
  return { untilMs: nowMs + waitMs, detail: `${host} asked for ${Math.round(waitMs / 1_000)} s of rest` };
}

/** Whether the body of an answer is worth reading: not where another attempt follows, or what it holds is not asked for. */
export function wantsBody(
  request: CrawlRequest,
  status: number,
  headers: Headers,
  { retries, contentTypes }: Pick<Settings, "retries" | "contentTypes">,
): boolean {
  if (isRetryable({ status }) && (request.attempts ?? 0) < retries.max) return false;
  if (request.kind === "sitemap") return status >= 200 && status <= 299;
  const type = mediaType(headers.get("content-type"));
  return contentTypes === "any" || type === undefined || isOneOf(type, contentTypes);
}

function bytesOf(outcome: HopOutcome): number {
  if (outcome.type === "response") return outcome.body.byteLength;
  return outcome.type === "stream" ? outcome.transferred.bytes : 0;
}

function failureOutcome(reason: FailureReason): HostOutcome {
  // These tell of one answer, not of a host that is down.
  return reason === "too-large" || reason === "decode" ? { type: "other" } : { type: "fault" };
}

function disposeFailure(
  request: CrawlRequest,
  { reason, cause, status }: HopFailure,
  rules: DispositionRules,
  nowMs: number,
): Disposition {
  const attempts = (request.attempts ?? 0) + 1;
  if (!isRetryable({ reason }) || attempts > rules.retries.max)
    return { type: "failure", reason, cause, status };
  return { type: "retry", notBeforeMs: nowMs + backoffMs(attempts, rules.retries, rules.random), attempts };
}

function disposeStatus(
  request: CrawlRequest,
  answer: HopResponse | HopStream | HopUnwanted,
  rules: DispositionRules,
  nowMs: number,
): Disposition | undefined {
  const { status } = answer;
  if (!isRetryable({ status })) return undefined;
  const attempts = request.attempts ?? 0;
  const rest = longRest(request.host, answer, rules, nowMs);
  if (rest !== undefined) return { type: "retry-after", status, detail: rest.detail };
  const waitMs = status === 429 || status === 503 ? retryAfterMs(answer, nowMs) : undefined;
  if (waitMs !== undefined && waitMs > 0 && rules.retries.max > 0) {
    // The host has said when: its pause is not held against the request. None at all is no pause.
    return { type: "retry", notBeforeMs: nowMs + waitMs, attempts };
  }
  if (attempts >= rules.retries.max) return undefined;
  return {
    type: "retry",
    notBeforeMs: nowMs + backoffMs(attempts + 1, rules.retries, rules.random),
    attempts: attempts + 1,
  };
}

function disposeRedirect(
  request: CrawlRequest,
  { status, location }: { readonly status: number; readonly location: string | undefined },
  { maxRedirects, cookies, keys }: DispositionRules,
): Disposition {
  const hops = (request.redirects?.length ?? 0) + 1;
  const fail = (message: string): Disposition => ({
    type: "failure",
    reason: "redirect",
    cause: new Error(`Cannot follow the redirect of '${request.url}' as ${message}`),
    status,
  });
  if (location === undefined) return fail("it has no Location");
  if (hops > maxRedirects) return fail(`it is hop ${hops} and at most ${maxRedirects} are followed`);
  const target = resolveUrl(location, request.url);
  if (target === undefined || !isCrawlable(target)) return fail(`'${location}' is no http or https URL`);
  // With a jar, the same URL may well answer otherwise the next time.
  if (!cookies && isInChain(request, target, keys)) return fail(`it leads back to '${target}'`);
  return { type: "redirect", status, target };
}

/** Whether a redirect leads to where its own chain has been. */
export function isInChain(request: CrawlRequest, target: string, keys: Settings["keys"]): boolean {
  const key = canonicalKey(target, keys);
  if (canonicalKey(request.url, keys) === key) return true;
  return request.redirects?.some(({ url }) => canonicalKey(url, keys) === key) ?? false;
}

function retryAfterMs(answer: { readonly headers: Headers }, nowMs: number): number | undefined {
  const value = answer.headers.get("retry-after");
  return value === null ? undefined : parseRetryAfter(value, nowMs);
}
