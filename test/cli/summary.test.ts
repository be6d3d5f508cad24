import { describe, expect, test } from "vitest";
import { summaryText } from "../../src/cli/summary.ts";
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
