import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crawl } from "../src/crawl.ts";
import type { CrawlOptions } from "../src/options.ts";
import type { CrawlSnapshot, SavedCrawl } from "../src/snapshot.ts";
import { FakeClock } from "../src/testing/fake_clock.ts";
import { type FakePage, type FakeWeb, fakeWeb } from "../src/testing/fake_web.ts";

const HOME = "https://a.test/";

/** Pages in a ring, each with a link further on and one across. */
function ring(size: number): Record<string, FakePage> {
  const pages: Record<string, FakePage> = {};
  for (let n = 0; n < size; n++) {
    const next = (n + 1) % size;
    const across = (n * 7 + 3) % size;
    pages[n === 0 ? HOME : `${HOME}p${n}`] =
      `<a href="/p${next || ""}">on</a><a href="/p${across || ""}">over</a>`;
  }
  // `/p` is where a link to the first page leads.
  pages[`${HOME}p`] = { status: 301, location: "/" };
  return pages;
}

/** Crawls until so many pages were read, stops there, and goes on from the snapshot: again and again. */
async function inSlices(
  web: FakeWeb,
  clock: FakeClock,
  slices: readonly number[],
  options: CrawlOptions = {},
): Promise<{ urls: string[]; snapshots: CrawlSnapshot[] }> {
  const urls: string[] = [];
  const snapshots: CrawlSnapshot[] = [];
  for (const slice of [...slices, Number.POSITIVE_INFINITY]) {
    const resume = snapshots.at(-1);
    const running = crawl(HOME, {
      fetch: web.fetch,
      clock,
      random: () => 0.5,
      ...options,
      ...(resume !== undefined && { resume }),
    });
    let read = 0;
    for await (const page of running) {
      urls.push(page.url);
      if (++read >= slice) await running.stop();
    }
    snapshots.push(JSON.parse(JSON.stringify(await running.snapshot())) as CrawlSnapshot);
  }
  return { urls, snapshots };
}

describe("snapshot() and resume", () => {
  it("go on where a crawl was stopped: what is done stays done (case s-35)", async () => {
    const clock = new FakeClock();
    const web = fakeWeb(ring(12), { clock });
    const { urls } = await inSlices(web, clock, [5], { concurrency: 1 });
    expect(new Set(urls).size).toBe(12);
    expect(urls).toHaveLength(12);
    expect(new Set(web.urls()).size).toBe(web.urls().length);
  });

  it("hold I6: stopped anywhere, the union of pages is that of an unbroken crawl, none twice but what was unread", async () => {
    const slices = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(slices, fc.integer({ min: 1, max: 6 }), async (stops, concurrency) => {
        const clock = new FakeClock();
        const web = fakeWeb(ring(25), { clock });
        const options = { concurrency, hostConcurrency: concurrency, delayMs: 0 };
        const { urls } = await inSlices(web, clock, stops, options);
        expect(new Set(urls).size).toBe(25);
        // After stop() all that was in flight is read, so that nothing comes twice.
        expect(urls).toHaveLength(25);
      }),
      { numRuns: 40 },
    );
  });

  it("fetch again what the reader had not asked past when it broke off", async () => {
    const clock = new FakeClock();
    const web = fakeWeb(ring(12), { clock });
    const options = {
      fetch: web.fetch,
      clock,
      random: () => 0.5,
      concurrency: 3,
      hostConcurrency: 3,
      delayMs: 0,
    };
    const first = crawl(HOME, options);
    const urls: string[] = [];
    for await (const page of first) if (urls.push(page.url) === 4) break;
    await first.finished;
    const resume = await first.snapshot();
    for await (const page of crawl(HOME, { ...options, resume })) urls.push(page.url);
    expect(new Set(urls).size).toBe(12);
    expect(urls.length - 12).toBeGreaterThanOrEqual(1);
    expect(urls.length - 12).toBeLessThanOrEqual(3);
  });

  it("keep a host's pace and its pause", async () => {
    const clock = new FakeClock();
    const pages = {
      ...ring(4),
      [`${HOME}p1`]: (n: number) => (n === 1 ? { status: 429, retryAfter: 600 } : "late"),
    };
    const web = fakeWeb(pages, { clock });
    const first = crawl(HOME, {
      fetch: web.fetch,
      clock,
      onEvent: (event) => event.type === "retrying" && first.stop(),
    });
    for await (const _ of first);
    const snapshot = await first.snapshot();
    const askedMs = web.log.at(-1)!.atMs;
    for await (const _ of crawl([], { fetch: web.fetch, clock, resume: snapshot }));
    expect(web.log.filter(({ atMs }) => atMs > askedMs && atMs < askedMs + 600_000)).toEqual([]);
    expect(web.log.filter(({ url }) => url === `${HOME}p1`)).toHaveLength(2);
  });

  it("keep what was used of the budgets, and the counts", async () => {
    const clock = new FakeClock();
    const web = fakeWeb(ring(12), { clock });
    const { snapshots } = await inSlices(web, clock, [3], { maxPages: 7 });
    expect((snapshots.at(-1) as SavedCrawl).counts).toMatchObject({ pages: 7, inFlight: 0 });
    expect(web.urls().filter((url) => url !== `${HOME}p`).length).toBeLessThanOrEqual(8);
  });

  it("keep the scope that seeds have opened, without the seeds", async () => {
    const clock = new FakeClock();
    const web = fakeWeb({ ...ring(6), "https://b.test/": `<a href="${HOME}p2">a</a>` }, { clock });
    const first = crawl([HOME, "https://b.test/"], { fetch: web.fetch, clock, maxPages: 1 });
    for await (const _ of first);
    const resume = await first.snapshot();
    const second = crawl([], { fetch: web.fetch, clock, resume });
    for await (const _ of second);
    expect(second.stats.pages + (await first.finished).pages).toBeGreaterThanOrEqual(7);
    expect(second.stats.skipsByReason.scope).toBeUndefined();
  });

  it("carry cookies over", async () => {
    const clock = new FakeClock();
    const web = fakeWeb(
      { [HOME]: { body: `<a href="/in">in</a>`, headers: { "set-cookie": "line=7" } }, [`${HOME}in`]: "in" },
      { clock },
    );
    const first = crawl(HOME, { fetch: web.fetch, clock, cookies: true, maxPages: 1 });
    for await (const _ of first);
    const resume = JSON.parse(JSON.stringify(await first.snapshot())) as CrawlSnapshot;
    for await (const _ of crawl([], { fetch: web.fetch, clock, cookies: true, resume }));
    expect(web.log.find(({ url }) => url === `${HOME}in`)!.headers.get("cookie")).toBe("line=7");
  });

  it("work with a Bloom filter", async () => {
    const clock = new FakeClock();
    const web = fakeWeb(ring(12), { clock });
    const seen = { bloom: { capacity: 1_000, falsePositives: 0.001 } };
    const first = crawl(HOME, { fetch: web.fetch, clock, seen, maxPages: 5 });
    const urls: string[] = [];
    for await (const { url } of first) urls.push(url);
    for await (const { url } of crawl([], { fetch: web.fetch, clock, resume: await first.snapshot() }))
      urls.push(url);
    expect(urls).toHaveLength(12);
  });

  it("carry a crawl through slices of 40 requests, as a worker with a budget of subrequests needs", async () => {
    const clock = new FakeClock();
    const web = fakeWeb(ring(150), { clock });
    const urls: string[] = [];
    let kept: string | undefined;
    let slices = 0;
    let isDone = false;
    while (!isDone && slices < 20) {
      slices++;
      const before = web.log.length;
      const resume = kept === undefined ? undefined : (JSON.parse(kept) as SavedCrawl);
      const used = resume === undefined ? 0 : resume.counts.requests + resume.counts.robotsRequests;
      const slice = crawl(resume === undefined ? HOME : [], {
        fetch: web.fetch,
        clock,
        maxRequests: used + 40,
        ...(resume !== undefined && { resume }),
      });
      for await (const { url } of slice) urls.push(url);
      expect(web.log.length - before).toBeLessThanOrEqual(40);
      isDone = (await slice.finished).finishReason === "done";
      kept = JSON.stringify(await slice.snapshot());
    }
    expect(isDone).toBe(true);
    expect(new Set(urls).size).toBe(150);
    expect(urls).toHaveLength(150);
    // One more for what each slice asks anew: its host's robots.txt.
    expect(slices).toBeLessThanOrEqual(5);
  });

  it("refuse a crawl that runs", async () => {
    const clock = new FakeClock();
    const running = crawl(HOME, { fetch: fakeWeb(ring(4), { clock }).fetch, clock });
    const reader = running.getReader();
    await reader.read();
    await expect(running.snapshot()).rejects.toThrow("Cannot take a snapshot as the crawl runs");
    await reader.cancel();
  });

  it.each([
    [{}, "must be what snapshot() gave"],
    [{ version: 2 }, "must be a snapshot of version 1: received version 2"],
    [{ version: 1, frontier: {} }, "must be a whole snapshot"],
  ])("refuse %o", (resume, message) => {
    expect(() => crawl(HOME, { resume: resume as SavedCrawl })).toThrow(message);
  });
});
