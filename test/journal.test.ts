import { describe, expect, test } from "vitest";
import type { CrawlEvent } from "../src/event.ts";
import { Journal } from "../src/journal.ts";
import type { CrawlRequest } from "../src/request.ts";
import { FakeClock } from "../src/testing/fake_clock.ts";

const request: CrawlRequest = {
  url: "https://a.test/",
  key: "https://a.test/",
  host: "a.test",
  depth: 0,
  priority: 0,
  order: 1,
};
const NONE = { queued: 0, inProgress: 0 };
const limit = { from: 1, to: 1 };
const gapMs = { from: 0, to: 0 };

function journalOf(observer?: (event: CrawlEvent) => void) {
  const clock = new FakeClock();
  const errors: unknown[] = [];
  return { clock, errors, journal: new Journal(clock, observer, (error) => errors.push(error)) };
}

describe("Journal", () => {
  test("tell() adds the time, counts, and passes the event on", async () => {
    const events: CrawlEvent[] = [];
    const { journal, clock } = journalOf((event) => events.push(event));
    await clock.sleep(30);
    journal.tell({ type: "accepted", request });
    expect(events).toEqual([{ type: "accepted", request, atMs: clock.now() }]);
    expect(journal.stats(NONE).accepted).toBe(1);
  });

  test("observe() tells each observer what happens from then on, until that one ends it", () => {
    const told: string[] = [];
    const { journal } = journalOf(() => told.push("first"));
    const observer = (): void => {
      told.push("later");
    };
    journal.tell({ type: "accepted", request });
    const leave = journal.observe(observer);
    const leaveToo = journal.observe(observer);
    journal.tell({ type: "accepted", request });
    leave();
    leave();
    journal.tell({ type: "accepted", request });
    leaveToo();
    journal.tell({ type: "accepted", request });
    expect(told).toEqual(["first", "first", "later", "later", "first", "later", "first"]);
  });

  test("tell() asks for no time and makes no event where nobody observes", () => {
    let readings = 0;
    const clock = { now: () => ++readings, at: () => () => {} };
    const journal = new Journal(clock, undefined, () => {});
    readings = 0;
    // An event is a copy of what is told: a getter would show it.
    const told = {
      type: "accepted",
      get request() {
        readings++;
        return request;
      },
    } as const;
    journal.tell(told);
    expect(readings).toBe(0);
    expect(journal.stats(NONE).accepted).toBe(1);
  });

  test("tell() has counted before the observer hears of it", () => {
    let accepted = 0;
    const { journal } = journalOf(() => {
      accepted = journal.stats(NONE).accepted;
    });
    journal.tell({ type: "accepted", request });
    expect(accepted).toBe(1);
  });

  test("tell() hands on what the observer throws, and throws nothing itself", () => {
    const fault = new Error("the observer's");
    const { journal, errors } = journalOf(() => {
      throw fault;
    });
    journal.tell({ type: "accepted", request });
    expect(errors).toEqual([fault]);
    expect(journal.stats(NONE).accepted).toBe(1);
  });

  test("stats() is a snapshot that nothing changes", () => {
    const { journal } = journalOf();
    const before = journal.stats({ queued: 3, inProgress: 2 });
    journal.tell({ type: "skip", skip: { type: "skip", url: request.url, reason: "scope" } });
    expect(before).toMatchObject({
      skips: 0,
      skipsByReason: {},
      queued: 3,
      inProgress: 2,
      finishReason: undefined,
    });
    for (const part of [
      before,
      before.skipsByReason,
      before.failuresByReason,
      before.statuses,
      before.pausedHosts,
    ]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  test("stats() counts time from begin() to finish()", async () => {
    const { journal, clock } = journalOf();
    await clock.sleep(1_000);
    journal.begin();
    await clock.sleep(200);
    expect(journal.stats(NONE)).toMatchObject({ startedAtMs: clock.now() - 200, elapsedMs: 200 });
    journal.finish("stopped", "lunch");
    await clock.sleep(5_000);
    expect(journal.stats(NONE)).toMatchObject({
      elapsedMs: 200,
      finishReason: "stopped",
      finishDetail: "lunch",
    });
  });

  test("stats() names hosts as paused until their pause ends", async () => {
    const { journal, clock } = journalOf();
    const untilMs = clock.now() + 500;
    journal.tell({ type: "paced", host: "a.test", why: "retry-after", limit, gapMs, pausedUntilMs: untilMs });
    journal.tell({ type: "paced", host: "b.test", why: "fast", limit, gapMs });
    expect(journal.stats(NONE).pausedHosts).toEqual([{ host: "a.test", untilMs, why: "retry-after" }]);
    await clock.sleep(500);
    expect(journal.stats(NONE).pausedHosts).toEqual([]);
  });

  test("requests counts all that was sent, pages what came, skipsBy() one reason", () => {
    const { journal } = journalOf();
    for (const kind of ["page", "sitemap", "robots"] as const) {
      journal.tell({ type: "started", kind, url: request.url, host: request.host, attempt: 1 });
    }
    journal.tell({ type: "skip", skip: { type: "skip", url: request.url, reason: "depth" } });
    journal.meetHost();
    expect([journal.requests, journal.pages, journal.skipsBy("depth"), journal.skipsBy("budget")]).toEqual([
      3, 0, 1, 0,
    ]);
    expect(journal.stats(NONE).hosts).toBe(1);
  });
});
