import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { backoffMs, isRetryable, type RetryRules } from "../../src/politeness/retry.ts";

const RULES: RetryRules = { max: 2, baseMs: 500, maxMs: 30_000 };

describe("isRetryable()", () => {
  test.each([408, 429, 500, 502, 503, 504, 599])("says yes to %i", (status) => {
    expect(isRetryable({ status })).toBe(true);
  });
  test.each([200, 304, 400, 401, 403, 404, 410, 421, 451])("says no to %i", (status) => {
    expect(isRetryable({ status })).toBe(false);
  });
  test.each(["dns", "connect", "reset", "timeout", "network"])("says yes to %s, which passes", (reason) => {
    expect(isRetryable({ reason })).toBe(true);
  });
  test.each(["tls", "redirect", "too-large", "decode", "protocol"])(
    "says no to %s, which stays",
    (reason) => {
      expect(isRetryable({ reason })).toBe(false);
    },
  );
});

describe("backoffMs()", () => {
  test("doubles with each attempt, up to the cap, where jitter takes nothing", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => backoffMs(attempt, RULES, () => 0));
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });
  test("is shortened by jitter, by less than a half, and never lengthened", () => {
    const attempts = fc.integer({ min: 1, max: 2000 });
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(attempts, chance, (attempt, random) => {
        const fullMs = backoffMs(attempt, RULES, () => 0);
        const waitMs = backoffMs(attempt, RULES, () => random);
        expect(waitMs).toBeLessThanOrEqual(fullMs);
        expect(waitMs).toBeGreaterThanOrEqual(fullMs / 2);
      }),
    );
  });
});
