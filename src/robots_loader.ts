import { TransferError } from "./failure_reason.ts";
import type { Fetcher, HopOutcome, HopStream } from "./fetcher.ts";
import type { FailureReason } from "./result.ts";
import { allowAllRobots, parseRobots, type Robots, robotsPolicy } from "./web/robots.ts";
import { isCrawlable, resolveUrl } from "./web/url.ts";

/** What asking for a robots.txt came to. */
export type RobotsAnswer =
  | { readonly type: "rules"; readonly rules: Robots; readonly status: number }
  | { readonly type: "allow-all"; readonly rules: Robots; readonly status: number }
  | {
      readonly type: "unreachable";
      readonly status?: number | undefined;
      readonly reason?: FailureReason | undefined;
    }
  /** The crawl ended meanwhile. */
  | { readonly type: "aborted" };

// RFC 9309 §2.3.1.2: at least five, across authorities too.
const MAX_REDIRECTS = 5;

// RFC 9309 §2.5: at least 500 KiB are parsed. One octet more shows that there is more.
const MAX_BYTES = 500 * 1024 + 1;

/**
 * Asks for an origin's robots.txt. Its redirects are followed, and the rules hold for the origin that was asked.
 *
 * @param send sends one request through its host's gate and follows no redirect
 * @param mayContact whether a redirect's target may be asked at all
 */
export async function loadRobots(
  origin: string,
  send: (url: string) => Promise<RobotsOutcome>,
  mayContact: (url: string) => boolean,
): Promise<RobotsAnswer> {
  const robotsUrl = `${origin}/robots.txt`;
  let url = robotsUrl;
  for (let hops = 0; ; hops++) {
    const outcome = await send(url);
    switch (outcome.type) {
      case "aborted":
        return { type: "aborted" };
      case "failure":
        return { type: "unreachable", reason: outcome.reason, status: outcome.status };
      case "redirect": {
        const target = outcome.location === undefined ? undefined : resolveUrl(outcome.location, url);
        const isUsable = target !== undefined && isCrawlable(target) && mayContact(target);
        if (!isUsable || hops === MAX_REDIRECTS) return { type: "unreachable", status: outcome.status };
        url = target;
        break;
      }
      case "unwanted":
        return withoutFile(outcome.status);
      case "response":
        return { type: "rules", rules: parseRobots(outcome.body, robotsUrl), status: outcome.status };
      default:
        outcome satisfies never;
    }
  }
}

/** What one hop on the way to a robots.txt came to. */
export type RobotsOutcome = Exclude<HopOutcome, HopStream>;

/** Makes one hop, and receives as much of the file as counts. Never rejects. */
export async function receiveRobots(fetcher: Fetcher, url: string, headers: Headers): Promise<RobotsOutcome> {
  const wants = (status: number): boolean => robotsPolicy(status) === "parse";
  // As a stream, since a file over the cap is cut there and not refused.
  const outcome = await fetcher.fetch({
    url,
    headers,
    wants,
    stream: true,
    maxBodyBytes: Number.POSITIVE_INFINITY,
  });
  if (outcome.type !== "stream") return outcome;
  try {
    return { ...outcome, type: "response", body: await readHead(outcome.body) };
  } catch (error) {
    const { status, headers, startedAtMs, responseMs } = outcome;
    return error instanceof TransferError
      ? { type: "failure", reason: error.reason, cause: error, status, headers, startedAtMs, responseMs }
      : { type: "aborted", reason: error };
  }
}

function withoutFile(status: number): RobotsAnswer {
  return robotsPolicy(status) === "allow-all"
    ? { type: "allow-all", rules: allowAllRobots, status }
    : { type: "unreachable", status };
}

/** The first {@link MAX_BYTES} of a body; the rest is not transferred. */
async function readHead(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_BYTES) break;
  }
  const head = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    head.set(chunk, at);
    at += chunk.length;
  }
  return head;
}
