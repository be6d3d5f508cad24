import { describe, expect, test } from "vitest";
import type { CrawlEvent } from "../src/event.ts";
import type { Page } from "../src/page.ts";
import type { CrawlRequest } from "../src/request.ts";
import { count, noCounts } from "../src/stats.ts";

const request: CrawlRequest = {
  url: "https://a.test/",
  key: "https://a.test/",
  host: "a.test",
  depth: 0,
  priority: 0,
  order: 1,
};
const at = { atMs: 5, url: request.url, host: request.host };

function counted(...events: CrawlEvent[]): ReturnType<typeof noCounts> {
  const counts = noCounts();
  for (const event of events) count(counts, event);
  return counts;
}

describe("count()", () => {
  test("starts from nothing, each time anew", () => {
    count(noCounts(), { type: "accepted", atMs: 0, request });
    expect(Object.values(noCounts()).every((value) => value === 0 || Object.keys(value).length === 0)).toBe(
      true,
    );
  });

  test("counts requests for pages and sitemaps apart from those for robots.txt", () => {
    const counts = counted(
      { type: "started", kind: "robots", attempt: 1, ...at },
      { type: "started", kind: "sitemap", attempt: 1, ...at },
      { type: "started", kind: "page", attempt: 1, ...at },
      { type: "ended", kind: "robots", status: 404, responseMs: 1, bytes: 7, ...at },
      { type: "ended", kind: "page", status: 200, responseMs: 1, bytes: 10, ...at },
    );
    expect(counts).toMatchObject({
      requests: 2,
      robotsRequests: 1,
      inFlight: 1,
      bytes: 17,
      statuses: { 200: 1 },
    });
  });

  test("counts a fault's end without a status", () => {
    const counts = counted(
      { type: "started", kind: "page", attempt: 1, ...at },
      { type: "ended", kind: "page", reason: "reset", responseMs: 1, bytes: 0, ...at },
    );
    expect(counts).toMatchObject({ inFlight: 0, statuses: {} });
  });

  test("counts results, and failures and skips by reason", () => {
    const failure = {
      type: "failure",
      url: at.url,
      request,
      reason: "dns",
      attempts: 3,
      cause: new Error("x"),
    } as const;
    const skip = { type: "skip", url: at.url, reason: "scope" } as const;
    const counts = counted(
      { type: "page", atMs: 0, page: {} as Page },
      { type: "failure", atMs: 0, failure },
      { type: "failure", atMs: 0, failure: { ...failure, reason: "tls" } },
      { type: "failure", atMs: 0, failure },
      { type: "skip", atMs: 0, skip },
      { type: "skip", atMs: 0, skip },
    );
    expect(counts).toMatchObject({
      pages: 1,
      failures: 3,
      skips: 2,
      failuresByReason: { dns: 2, tls: 1 },
      skipsByReason: { scope: 2 },
    });
  });

  test("counts what was accepted, retried, redirected, and listed in sitemaps", () => {
    const counts = counted(
      { type: "accepted", atMs: 0, request },
      { type: "retrying", atMs: 0, request, notBeforeMs: 0 },
      { type: "redirected", atMs: 0, request, status: 301, to: "https://a.test/b" },
      { type: "sitemap", atMs: 0, url: at.url, entries: 3, problems: [] },
    );
    expect(counts).toMatchObject({ accepted: 1, retries: 1, redirects: 1, sitemapEntries: 3 });
  });

  test("is not moved by events that tell of the pace or of steering", () => {
    const limit = { from: 1, to: 2 };
    const gapMs = { from: 0, to: 0 };
    expect(
      counted(
        { type: "paced", atMs: 0, host: "a.test", why: "fast", limit, gapMs },
        { type: "robots", atMs: 0, origin: "https://a.test", policy: "rules" },
        { type: "scope", atMs: 0, host: "b.test", from: at.url },
        { type: "held", atMs: 0, what: { tag: "t" }, untilMs: 1 },
        { type: "dropped", atMs: 0, what: { tag: "t" } },
      ),
    ).toEqual(noCounts());
  });
});
