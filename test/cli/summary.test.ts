import { describe, expect, test } from "vitest";
import { summaryJson, summaryText } from "../../src/cli/summary.ts";
import { statsWith } from "./stats.ts";

describe("summaryText()", () => {
  test("tells the end, the figures, and each reason with its count, the most frequent first", () => {
    const stats = statsWith({
      finishReason: "done",
      elapsedMs: 12_345,
      pages: 1169,
      bytes: 14_210_000,
      failures: 3,
      failuresByReason: { timeout: 1, reset: 2 },
      skips: 31,
      skipsByReason: { robots: 5, scope: 26 },
      statuses: { 200: 1160, 404: 9 },
    });
    expect(summaryText(stats).split("\n")).toEqual([
      "done: 1,169 pages in 12.3 s, 95 a second, 14.2 MB, 3 failures, 31 skips",
      "statuses: 200 1,160, 404 9",
      "failures: reset 2, timeout 1",
      "skips: scope 26, robots 5",
      "",
    ]);
  });

  test("has no line for what there was none of", () => {
    expect(summaryText(statsWith({ finishReason: "done" }))).toBe(
      "done: 0 pages in 0.0 s, 0 a second, 0 B, 0 failures, 0 skips\n",
    );
  });

  test("tells what a crawl that ended early left in its queue", () => {
    const text = summaryText(statsWith({ finishReason: "max-pages", pages: 1, queued: 1000 }));
    expect(text).toMatch(/^ended at --max-pages: 1 page .*, 1,000 left in the queue\n$/);
  });
});

describe("summaryJson()", () => {
  test("is one line with the figures, the end and the outputs", () => {
    const stats = statsWith({
      finishReason: "done",
      pages: 3,
      statuses: { 200: 3 },
      startedAtMs: 86_400_000,
    });
    const text = summaryJson(stats, { csv: "a.csv" }, undefined);
    expect(text.indexOf("\n")).toBe(text.length - 1);
    const summary = JSON.parse(text) as Record<string, unknown>;
    expect(summary).toMatchObject({
      finishReason: "done",
      startedAt: "1970-01-02T00:00:00.000Z",
      pages: 3,
      statuses: { 200: 3 },
      outputs: { csv: "a.csv" },
    });
    expect(summary).not.toHaveProperty("error");
    expect(JSON.parse(summaryJson(stats, {}, "the disk is full"))).toMatchObject({
      error: "the disk is full",
    });
  });
});
