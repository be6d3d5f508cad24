import { describe, expect, it } from "vitest";
import { crawl } from "../../src/crawl.ts";
import { feedOf, sse, watch } from "../../src/server/sse.ts";
import type { CrawlStats } from "../../src/stats.ts";
import { FakeClock } from "../../src/testing/fake_clock.ts";
import { type FakePage, fakeWeb } from "../../src/testing/fake_web.ts";
import { gather, linksTo, paths, settled } from "../support/fake_crawl.ts";
import { dataOf, EventStreamReader } from "./event_stream.ts";

const HOME = "https://a.test/";

interface Host {
  readonly host: string;
  readonly limit: number;
  readonly gapMs: number;
  readonly pausedUntilMs?: number;
  readonly why?: string;
  readonly inFlight: number;
  readonly pages: number;
}

function siteOf(count: number, page: FakePage = "<title>A</title>"): Record<string, FakePage> {
  const pages = Object.fromEntries(paths(count).map((path) => [`https://a.test${path}`, page]));
  return { [HOME]: linksTo(...paths(count)), ...pages };
}

function watchable(pages: Readonly<Record<string, FakePage>>) {
  const clock = new FakeClock();
  const options = {
    clock,
    random: () => 0.5,
    fetch: fakeWeb(pages, { clock }).fetch,
    results: "all" as const,
  };
  const watched = crawl(HOME, options);
  watch(watched, { clock });
  return { clock, options, watched };
}

function lastEventId(id: string | number): Request {
  return new Request("http://localhost/events", { headers: { "last-event-id": String(id) } });
}

describe("sse()", () => {
  it("sends the headers with which no proxy holds events back", () => {
    const { watched, clock } = watchable({});
    const { headers, status } = sse(watched, undefined, { clock });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(headers.get("x-accel-buffering")).toBe("no");
    expect(headers.has("content-encoding")).toBe(false);
  });

  it("tells all that becomes of a crawl, each event with an id, and ends with it", async () => {
    const { watched, clock } = watchable({
      [HOME]: `<title>Home</title>${linksTo("/1", "/2", "https://b.test/")}`,
      "https://a.test/1": (n) => (n === 1 ? { status: 429, retryAfter: 60 } : "<p>"),
      "https://a.test/2": { fault: "ECONNREFUSED" },
    });
    const reader = new EventStreamReader(sse(watched, undefined, { clock }));
    const [events] = await Promise.all([reader.toEnd(), gather(watched)]);

    expect(reader.retry).toBe(2000);
    expect(events.every(({ id }) => /^\d+$/.test(id))).toBe(true);
    expect(dataOf(events, "page")[0]).toMatchObject({ url: HOME, status: 200, title: "Home" });
    expect(dataOf(events, "failure")[0]).toMatchObject({
      url: "https://a.test/2",
      reason: "connect",
      attempts: 3,
    });
    expect(dataOf(events, "skip")).toMatchObject([
      { url: "https://b.test/", reason: "scope", referrer: HOME },
    ]);
    expect(dataOf<Host>(events, "host").find(({ why }) => why === "retry-after")).toMatchObject({
      host: "a.test",
    });
    expect(events.at(-1)?.event).toBe("finished");
    expect(dataOf<CrawlStats>(events, "finished")).toEqual([JSON.parse(JSON.stringify(watched.stats))]);
    expect(feedOf(watched).watchers).toBe(0);
    expect(clock.sleeping).toBe(0);
  });

  it("tells the stats at most four times a second", async () => {
    const { watched, clock, options } = watchable(siteOf(60));
    const times: number[] = [];
    const reader = new EventStreamReader(sse(watched, undefined, { clock }));
    const reading = (async () => {
      let seen = 0;
      while (await reader.pull()) {
        for (const { event } of reader.events.slice(seen))
          if (event === "stats") times.push(options.clock.now());
        seen = reader.events.length;
      }
    })();
    await Promise.all([reading, gather(watched)]);
    expect(times.length).toBeGreaterThan(10);
    const gaps = times.slice(1).map((time, index) => time - times[index]!);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(250);
  });

  it("tells a page within 200 ms of when it was there", async () => {
    const clock = new FakeClock();
    const atMs: number[] = [];
    const watched = crawl(HOME, {
      clock,
      fetch: fakeWeb(siteOf(20), { clock }).fetch,
      onEvent: (event) => {
        if (event.type === "page") atMs.push(event.atMs);
      },
    });
    const reader = new EventStreamReader(sse(watched, undefined, { clock }));
    const delays: number[] = [];
    const reading = (async () => {
      while (await reader.pull()) {
        while (delays.length < dataOf(reader.events, "page").length)
          delays.push(clock.now() - atMs[delays.length]!);
      }
    })();
    await Promise.all([reading, gather(watched)]);
    expect(delays).toHaveLength(21);
    expect(Math.max(...delays)).toBeLessThanOrEqual(200);
  });

  it("goes on after Last-Event-ID, with neither a gap nor a repetition", async () => {
    const { watched, clock } = watchable(siteOf(20));
    const reader = new EventStreamReader(sse(watched, undefined, { clock }));
    const crawling = gather(watched);
    const { id } = await reader.until(({ data }) => data.includes("https://a.test/7"));
    await reader.cancel();
    const before = dataOf<{ url: string }>(
      reader.events.filter((event) => Number(event.id) <= Number(id)),
      "page",
    );
    const next = new EventStreamReader(sse(watched, lastEventId(id), { clock }));
    const after = dataOf<{ url: string }>(await next.toEnd(), "page");
    await crawling;
    expect([...before, ...after].map(({ url }) => url)).toEqual([
      HOME,
      ...paths(20).map((path) => `https://a.test${path}`),
    ]);
  });

  it("tells the present state after a reset to a client that is too far behind", async () => {
    const count = 300;
    const { watched, clock } = watchable(
      siteOf(count, { status: 200, body: `<title>${"x".repeat(9000)}</title>` }),
    );
    await gather(watched);
    const feed = feedOf(watched);
    // The ring keeps 10,000 entries; push it over with what no crawl of a test could.
    for (let i = 0; i < 11_000; i++) feed.ring.push((id) => `id: ${id}\nevent: skip\ndata: {}\n\n`);
    const events = await new EventStreamReader(sse(watched, lastEventId(5), { clock })).toEnd();
    expect(events[0]).toMatchObject({ event: "reset" });
    expect(JSON.parse(events[0]!.data)).toEqual({ missed: feed.ring.firstId - 1 - 5 });
    expect(dataOf<CrawlStats>(events, "stats")[0]?.pages).toBe(count + 1);
    expect(dataOf<Host>(events, "host")).toMatchObject([{ host: "a.test", pages: count + 1 }]);
    expect(dataOf(events, "skip")).toHaveLength(200);
  });

  it("resets a client that comes with the number of another server", async () => {
    const { watched, clock } = watchable(siteOf(2));
    await gather(watched);
    for (const id of ["999", "abc", "-1", "1.5", "1e3", "9".repeat(40)]) {
      const events = await new EventStreamReader(sse(watched, lastEventId(id), { clock })).toEnd();
      expect(events[0]?.event, id).toBe("reset");
      expect(dataOf(events, "page"), id).toHaveLength(3);
      expect(events.at(-1)?.event, id).toBe("finished");
    }
  });

  it("answers 204 to who was told the end", async () => {
    const { watched, clock } = watchable(siteOf(1));
    await gather(watched);
    const events = await new EventStreamReader(sse(watched, undefined, { clock })).toEnd();
    expect(sse(watched, lastEventId(events.at(-1)!.id), { clock }).status).toBe(204);
  });

  it("merges the stats for a slow client and makes nothing before it is taken", async () => {
    const { watched, clock } = watchable(siteOf(60));
    const slow = sse(watched, undefined, {
      clock,
      idleMs: Number.POSITIVE_INFINITY,
      maxAgeMs: Number.POSITIVE_INFINITY,
    });
    const fast = new EventStreamReader(sse(watched, undefined, { clock }));
    await Promise.all([fast.toEnd(), gather(watched)]);
    expect(dataOf(fast.events, "stats").length).toBeGreaterThan(10);
    const events = await new EventStreamReader(slow).toEnd();
    expect(dataOf(events, "stats").length).toBeLessThanOrEqual(1);
    expect(dataOf(events, "page")).toHaveLength(61);
  });

  it("sends a comment after 15 s of silence", async () => {
    const { watched, clock } = watchable({});
    const reader = new EventStreamReader(sse(watched, undefined, { clock }));
    const startedMs = clock.now();
    while (reader.comments.length < 3) await reader.pull();
    expect(clock.now() - startedMs).toBe(45_000);
    await reader.cancel();
    expect(clock.sleeping).toBe(0);
  });

  it("lets a client go when it aborts, cancels, takes nothing or is old", async () => {
    const { watched, clock } = watchable({});
    const feed = feedOf(watched);
    const controller = new AbortController();
    const request = new Request("http://localhost/events", { signal: controller.signal });
    const aborted = new EventStreamReader(sse(watched, request, { clock }));
    await aborted.pull();
    expect(feed.watchers).toBe(1);
    controller.abort();
    expect(feed.watchers).toBe(0);

    const cancelled = new EventStreamReader(sse(watched, undefined, { clock }));
    await cancelled.pull();
    await cancelled.cancel();
    expect(feed.watchers).toBe(0);

    const idle = sse(watched, undefined, { clock, idleMs: 60_000 });
    expect(feed.watchers).toBe(1);
    await clock.sleep(60_001);
    expect(feed.watchers).toBe(0);
    expect(await idle.text()).toBe("");

    const old = new EventStreamReader(sse(watched, undefined, { clock, maxAgeMs: 100_000 }));
    await old.toEnd();
    expect(old.comments).toHaveLength(6);
    expect(feed.watchers).toBe(0);
    expect(clock.sleeping).toBe(0);
  });

  it("lets a client go whose request was aborted before", async () => {
    const { watched, clock } = watchable({});
    const request = new Request("http://localhost/events", { signal: AbortSignal.abort() });
    expect(await sse(watched, request, { clock }).text()).toBe("");
    expect(feedOf(watched).watchers).toBe(0);
  });

  it("tells of a crawl that began before, with the pace that its options give", async () => {
    const { options, clock } = watchable(siteOf(3));
    const pages = crawl(HOME, { ...options, delayMs: [500, 500], hostConcurrency: 2 });
    const reading = pages.getReader();
    expect((await reading.read()).value).toMatchObject({ url: HOME });
    const reader = new EventStreamReader(sse(pages, undefined, { clock }));
    const toEnd = async (): Promise<void> => {
      while (!(await reading.read()).done);
    };
    const [events] = await Promise.all([reader.toEnd(), toEnd()]);
    const urls = dataOf<{ url: string }>(events, "page").map(({ url }) => url);
    expect(urls).toEqual(paths(3).map((path) => `https://a.test${path}`));
    expect(dataOf<Host>(events, "host")[0]).toMatchObject({ host: "a.test", limit: 2, gapMs: 500 });
    expect(dataOf<CrawlStats>(events, "finished")).toMatchObject([{ pages: 4, finishReason: "done" }]);
  });

  it("tells the end of a crawl that was over before", async () => {
    const { options, clock } = watchable(siteOf(3));
    const pages = crawl(HOME, options);
    await gather(pages);
    const events = await new EventStreamReader(sse(pages, undefined, { clock })).toEnd();
    expect(dataOf<CrawlStats>(events, "finished")).toMatchObject([{ pages: 4, finishReason: "done" }]);
    expect(clock.sleeping).toBe(0);
  });

  it("neither starts a crawl nor needs its reader", async () => {
    const { watched, clock } = watchable(siteOf(3));
    const reader = new EventStreamReader(sse(watched, undefined, { clock }));
    await reader.pull();
    await settled();
    expect(watched.stats.requests).toBe(0);
    await reader.cancel();
  });
});

describe("watch()", () => {
  it("keeps what happens for those who come later, whatever the reader wants of it", async () => {
    const { clock, options } = watchable({
      [HOME]: linksTo("/1", "https://b.test/"),
      "https://a.test/1": "<p>",
    });
    const told: string[] = [];
    const pages = crawl(HOME, {
      ...options,
      results: "pages" as "all",
      onEvent: ({ type }) => told.push(type),
    });
    watch(pages, { clock });
    expect((await gather(pages)).map(({ type }) => type)).toEqual(["page", "page"]);
    expect(told).toContain("skip");
    const events = await new EventStreamReader(sse(pages, undefined, { clock })).toEnd();
    expect(dataOf(events, "page")).toMatchObject([{ url: HOME }, { url: "https://a.test/1" }]);
    expect(dataOf(events, "skip")).toMatchObject([{ url: "https://b.test/", reason: "scope" }]);
  });
});
