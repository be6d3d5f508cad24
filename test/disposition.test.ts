import { describe, expect, test } from "vitest";
import { dispose, endOf, hostOutcome, isInChain, longRest, wantsBody } from "../src/disposition.ts";
import type { HopOutcome, HopResponse } from "../src/fetcher.ts";
import type { CrawlRequest } from "../src/request.ts";
import type { FailureReason } from "../src/result.ts";
import { settle } from "../src/settings.ts";

const NOW_MS = Date.UTC(2026, 10, 30);
const RULES = settle({ retries: { max: 2, baseMs: 100 }, maxRedirects: 2, random: () => 0 });
const URL_ = "https://a.test/";

function request(parts: Partial<CrawlRequest> = {}): CrawlRequest {
  return { url: URL_, key: URL_, host: "a.test", depth: 0, priority: 0, order: 1, ...parts };
}

const TIMES = { startedAtMs: NOW_MS - 40, responseMs: 40 };

function unwanted(status: number, retryAfter?: string): HopOutcome {
  const headers = new Headers(retryAfter === undefined ? {} : { "retry-after": retryAfter });
  return { type: "unwanted", status, headers, ...TIMES };
}

function response(status: number): HopOutcome {
  return { type: "response", status, headers: new Headers(), body: new Uint8Array(), ...TIMES };
}

function redirect(location: string | undefined, retryAfter?: string): HopOutcome {
  const headers = new Headers(retryAfter === undefined ? {} : { "retry-after": retryAfter });
  return { type: "redirect", status: 302, location, headers, ...TIMES };
}

function failure(reason: FailureReason): HopOutcome {
  return { type: "failure", reason, cause: new Error(reason), ...TIMES };
}

describe("dispose()", () => {
  test("tries again what passes, until its attempts are used up", () => {
    for (const outcome of [unwanted(500), unwanted(429), unwanted(408), failure("reset"), failure("dns")]) {
      expect(dispose(request(), outcome, RULES, NOW_MS)).toEqual({
        type: "retry",
        notBeforeMs: NOW_MS + 100,
        attempts: 1,
      });
      expect(dispose(request({ attempts: 1 }), outcome, RULES, NOW_MS)).toEqual({
        type: "retry",
        notBeforeMs: NOW_MS + 200,
        attempts: 2,
      });
      expect(dispose(request({ attempts: 2 }), outcome, RULES, NOW_MS).type).not.toBe("retry");
    }
  });

  test("takes what came then for the answer, and a fault for a failure", () => {
    expect(dispose(request({ attempts: 2 }), response(500), RULES, NOW_MS)).toMatchObject({ type: "answer" });
    expect(dispose(request({ attempts: 2 }), unwanted(500), RULES, NOW_MS)).toMatchObject({
      type: "unread",
      status: 500,
    });
    expect(dispose(request({ attempts: 2 }), failure("reset"), RULES, NOW_MS)).toMatchObject({
      type: "failure",
      reason: "reset",
    });
  });

  test.each(["tls", "redirect", "too-large", "decode", "protocol"] as const)(
    "never tries %s again",
    (reason) => {
      expect(dispose(request(), failure(reason), RULES, NOW_MS)).toMatchObject({ type: "failure", reason });
    },
  );

  test("waits as long as a 429 or 503 asks, and uses up no attempt for it", () => {
    for (const status of [429, 503]) {
      expect(dispose(request({ attempts: 2 }), unwanted(status, "60"), RULES, NOW_MS)).toEqual({
        type: "retry",
        notBeforeMs: NOW_MS + 60_000,
        attempts: 2,
      });
    }
    expect(dispose(request(), unwanted(429, "0"), RULES, NOW_MS)).toMatchObject({ attempts: 1 });
    expect(dispose(request(), unwanted(500, "60"), RULES, NOW_MS)).toMatchObject({
      notBeforeMs: NOW_MS + 100,
    });
  });

  test("does not wait longer than maxRetryAfterMs", () => {
    expect(dispose(request(), unwanted(429, "3600"), RULES, NOW_MS)).toMatchObject({ type: "retry" });
    expect(dispose(request(), unwanted(429, "3601"), RULES, NOW_MS)).toEqual({
      type: "retry-after",
      status: 429,
      detail: "a.test asked for 3601 s of rest",
    });
  });

  test("resolves a redirect, and fails one that leads nowhere, in a circle or too far", () => {
    expect(dispose(request(), redirect("b?c#d"), RULES, NOW_MS)).toEqual({
      type: "redirect",
      status: 302,
      target: "https://a.test/b?c#d",
    });
    const fails = (location: string | undefined, parts: Partial<CrawlRequest> = {}): string => {
      const disposition = dispose(request(parts), redirect(location), RULES, NOW_MS);
      return disposition.type === "failure" ? disposition.cause.message : disposition.type;
    };
    expect(fails(undefined)).toMatch(/it has no Location$/);
    expect(fails("http://")).toMatch(/'http:\/\/' is no http or https URL$/);
    expect(fails("mailto:x@a.test")).toMatch(/is no http or https URL$/);
    expect(fails("#top")).toMatch(/it leads back to/);
    const chain = [{ url: `${URL_}0`, status: 301 }];
    expect(fails("/0", { redirects: chain })).toMatch(/it leads back to/);
    expect(fails("/2", { redirects: chain })).toBe("redirect");
    expect(fails("/2", { redirects: [...chain, ...chain] })).toMatch(
      /it is hop 3 and at most 2 are followed$/,
    );
  });

  test("lets a redirect come back where a jar may have changed what it finds", () => {
    expect(dispose(request(), redirect("/"), { ...RULES, cookies: true }, NOW_MS)).toMatchObject({
      type: "redirect",
    });
  });

  test("decides nothing of what was aborted", () => {
    expect(dispose(request(), { type: "aborted", reason: 1 }, RULES, NOW_MS)).toEqual({ type: "aborted" });
  });
});

describe("hostOutcome()", () => {
  test.each<[string, HopOutcome, object]>([
    ["200", response(200), { type: "success", responseMs: 40 }],
    ["302", redirect("/"), { type: "success", responseMs: 40 }],
    ["302 with a pause", redirect("/", "5"), { type: "success", retryAfterMs: 5_000 }],
    ["404", response(404), { type: "other" }],
    ["408", unwanted(408), { type: "other" }],
    ["429", unwanted(429), { type: "throttled", retryAfterMs: undefined }],
    ["429 with a pause", unwanted(429, "7"), { type: "throttled", retryAfterMs: 7_000 }],
    ["503 with rubbish", unwanted(503, "soon"), { type: "throttled", retryAfterMs: undefined }],
    ["500", unwanted(500), { type: "fault" }],
    ["a timeout", failure("timeout"), { type: "timeout" }],
    ["a reset", failure("reset"), { type: "fault" }],
    ["an unknown name", failure("dns"), { type: "fault" }],
    ["a body too large", failure("too-large"), { type: "other" }],
    ["a broken coding", failure("decode"), { type: "other" }],
    ["the end of the crawl", { type: "aborted", reason: 1 }, { type: "other" }],
  ])("takes %s for what it is", (_, outcome, expected) => {
    expect(hostOutcome(outcome, NOW_MS)).toMatchObject(expected);
  });
});

describe("longRest()", () => {
  test("is one that 429, 503 or a redirect asks for, beyond the most", () => {
    const most = { maxRetryAfterMs: 5_000 };
    for (const outcome of [unwanted(429, "6"), unwanted(503, "6"), redirect("/", "6")]) {
      expect(longRest("a.test", outcome, most, NOW_MS)).toEqual({
        untilMs: NOW_MS + 6_000,
        detail: "a.test asked for 6 s of rest",
      });
    }
    for (const outcome of [
      unwanted(429, "5"),
      unwanted(500, "6"),
      response(200),
      failure("timeout"),
      unwanted(429),
    ]) {
      expect(longRest("a.test", outcome, most, NOW_MS)).toBeUndefined();
    }
  });
});

describe("wantsBody()", () => {
  const HTML = new Headers({ "content-type": "text/html" });
  const IMAGE = new Headers({ "content-type": "image/png" });

  test("leaves alone what is asked for once more", () => {
    expect(wantsBody(request(), 503, HTML, RULES)).toBe(false);
    expect(wantsBody(request({ attempts: 2 }), 503, HTML, RULES)).toBe(true);
    expect(wantsBody(request(), 404, HTML, RULES)).toBe(true);
  });

  test("takes the types that the crawl asks for, and what has none", () => {
    expect(wantsBody(request(), 200, IMAGE, RULES)).toBe(false);
    expect(wantsBody(request(), 200, IMAGE, { ...RULES, contentTypes: "any" })).toBe(true);
    expect(wantsBody(request(), 200, new Headers(), RULES)).toBe(true);
  });

  test("takes a sitemap of any type, where it is there", () => {
    expect(wantsBody(request({ kind: "sitemap" }), 200, IMAGE, RULES)).toBe(true);
    expect(wantsBody(request({ kind: "sitemap" }), 404, HTML, RULES)).toBe(false);
  });
});

describe("endOf()", () => {
  test("has an answer's status and the bytes of its body, of a stream those that were read", () => {
    expect(endOf({ ...(response(200) as HopResponse), body: new Uint8Array(5) })).toEqual({
      status: 200,
      reason: undefined,
      responseMs: 40,
      bytes: 5,
    });
    expect(endOf(unwanted(404))).toMatchObject({ status: 404, bytes: 0 });
    const { headers, ...answer } = response(200) as HopResponse;
    const stream = { ...answer, headers, type: "stream", body: new ReadableStream() } as const;
    expect(endOf({ ...stream, transferred: { bytes: 7 } })).toMatchObject({ status: 200, bytes: 7 });
  });

  test("has the reason of a fault, and nothing of what the crawl cut off", () => {
    const cause = new Error("it broke");
    expect(endOf({ type: "failure", reason: "reset", cause, ...TIMES })).toMatchObject({
      status: undefined,
      reason: "reset",
      responseMs: 40,
      bytes: 0,
    });
    expect(endOf({ type: "aborted", reason: cause })).toEqual({ responseMs: 0, bytes: 0 });
  });
});

describe("isInChain()", () => {
  test("compares by the key under which a URL counts as seen", () => {
    const chained = request({ redirects: [{ url: "https://a.test/%7Ex", status: 301 }] });
    expect(isInChain(chained, "https://A.test:443/~x#y", {})).toBe(true);
    expect(isInChain(chained, "https://a.test/?a", {})).toBe(false);
    expect(isInChain(chained, "https://a.test/?utm_source=1", { stripTrackingParams: true })).toBe(true);
  });
});
