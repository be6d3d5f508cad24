import { describe, expect, it } from "vitest";
import { measureRun } from "../../bench/support/run.ts";

describe("measureRun()", () => {
  it("crawls once where that is long enough", async () => {
    let crawls = 0;
    const run = await measureRun(async () => {
      crawls++;
      return 12;
    }, 0);
    expect(crawls).toBe(1);
    expect(run.pages).toBe(12);
    expect(run.pagesPerSecond).toBeGreaterThan(0);
    expect(run.peakBytes).toBeGreaterThan(1e6);
  });

  it("refuses a crawl that finds another number of pages than the one before", async () => {
    let pages = 10;
    await expect(measureRun(async () => pages++, Number.POSITIVE_INFINITY)).rejects.toThrow(
      "Expected 10 pages again: received 11",
    );
  });
});
