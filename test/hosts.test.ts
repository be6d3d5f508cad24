import { describe, expect, test, vi } from "vitest";
import { MemoryFrontier } from "../src/frontier/memory.ts";
import { Hosts } from "../src/hosts.ts";
import { Journal } from "../src/journal.ts";
import { observe, start } from "../src/politeness/host.ts";
import type { CrawlRequest } from "../src/request.ts";
import type { SkipReason } from "../src/result.ts";
import { FakeClock } from "../src/testing/fake_clock.ts";
import { fakeCrawl, gather, HOME } from "./support/fake_crawl.ts";

let orders = 0;

function request(url: string, parts: Partial<CrawlRequest> = {}): CrawlRequest {
  return { url, key: url, host: new URL(url).host, depth: 0, priority: 0, order: ++orders, ...parts };
}

/** Hosts over a frontier in memory, on a clock that only moves when it is told to. */
function newHosts(
  requests: readonly CrawlRequest[],
  { concurrency = 8, maxHostFailures = 3, limit = 1 } = {},
) {
  const clock = new FakeClock();
  const frontier = new MemoryFrontier();
  const skipped: [string, SkipReason][] = [];
  const pace = { concurrency: limit, minGapMs: 100, maxGapMs: 60_000 };
  const journal = new Journal(clock, undefined, () => {});
  const hosts = new Hosts(
    frontier,
    { pace, clock, concurrency, maxHostFailures },
    journal,
    (state, request, { reason }) => {
      skipped.push([request.url, reason]);
      void hosts.complete(state, request, []);
    },
  );
  frontier.add(requests);
  hosts.noteQueued(requests);
  /** Takes hosts in hand, and what each of them may start. */
  const fill = async (): Promise<void> => {
    await hosts.fill(clock.now());
    for (const state of [...hosts.bench.values()]) {
      if (state.ready.length === 0) await hosts.feed(state, concurrency, clock.now());
    }
  };
  const urls = (host: string): string[] => hosts.bench.get(host)?.ready.map(({ url }) => url) ?? [];
  return { hosts, frontier, clock, skipped, fill, urls };
}

describe("Hosts", () => {
  test("looks a full hand through once a second, however often it is filled while something in it is due", async () => {
    const hostsWithWork = Array.from({ length: 2_500 }, (_, n) => request(`https://h${n}.test/`));
    const { hosts, clock } = newHosts(hostsWithWork);
    const walks = vi.spyOn(hosts.bench, "values");
    for (let turn = 0; turn < 100; turn++) await hosts.fill(clock.now());
    expect(hosts.bench.size).toBe(2_000);
    expect(walks).toHaveBeenCalledTimes(1);
    await clock.sleep(1_000);
    for (let turn = 0; turn < 100; turn++) await hosts.fill(clock.now());
    expect(walks).toHaveBeenCalledTimes(2);
  });

  test("gives all hosts back at once, and tells the first fault when all have come back", async () => {
    const requests = ["a", "b", "c"].map((name) => request(`https://${name}.test/`));
    const { hosts, frontier, clock } = newHosts(requests);
    await hosts.fill(clock.now());
    const answers: { resolve: () => void; reject: (error: Error) => void }[] = [];
    vi.spyOn(frontier, "release").mockImplementation(
      () => new Promise<void>((resolve, reject) => answers.push({ resolve, reject })) as never,
    );
    let isOver = false;
    const released = hosts.releaseAll().finally(() => {
      isOver = true;
    });
    expect(answers).toHaveLength(3);
    answers[0]!.reject(new Error("the store is gone"));
    answers[1]!.resolve();
    await clock.sleep(1);
    expect(isOver).toBe(false);
    answers[2]!.resolve();
    await expect(released).rejects.toThrow("the store is gone");
    expect(hosts.bench.size).toBe(0);
  });

  test("gives a host that its last holder could not give back the pace that was saved meanwhile", async () => {
    const { hosts, clock } = newHosts([request("https://a.test/1")]);
    const pausedUntilMs = clock.now() + 600_000;
    const pace = { limit: 1, gapMs: 100, pausedUntilMs, lastStartMs: clock.now() };
    // As JSON: the process that held the host was killed.
    hosts.restorePaces(JSON.parse(JSON.stringify([["a.test", pace, pausedUntilMs]])));
    await hosts.fill(clock.now());
    expect(hosts.bench.get("a.test")?.host.pausedUntilMs).toBe(pausedUntilMs);
    expect(hosts.bench.nextDueMs).toBe(pausedUntilMs);
  });

  test("takes hosts that are due into hand, with as many requests as their limit lets start", async () => {
    const requests = ["https://a.test/1", "https://a.test/2", "https://a.test/3", "https://b.test/1"];
    const { hosts, fill, urls, frontier, clock } = newHosts(
      requests.map((url) => request(url)),
      { limit: 2 },
    );
    await fill();
    expect(hosts.bench.size).toBe(2);
    expect(urls("a.test")).toEqual(["https://a.test/1", "https://a.test/2"]);
    expect(urls("b.test")).toEqual(["https://b.test/1"]);
    expect(frontier.counts()).toMatchObject({ queued: 1, inProgress: 3 });
    expect(hosts.nextDueMs).toBeLessThanOrEqual(clock.now());
  });

  test("gives a host back when nothing of it is left, with its pace", async () => {
    const { hosts, fill, frontier, clock } = newHosts([request("https://a.test/1")]);
    await fill();
    const state = hosts.bench.get("a.test")!;
    const ticket = start(state.host, clock.now());
    observe(state.host, ticket, { type: "throttled", retryAfterMs: 5_000 }, clock.now());
    await hosts.complete(state, state.ready.shift()!, []);
    await fill();
    expect(hosts.bench.size).toBe(0);
    frontier.add([request("https://a.test/2")]);
    expect(frontier.counts().nextDueMs).toBe(clock.now() + 5_000);
    const [lease] = frontier.lease(1, clock.now() + 5_000);
    expect(lease!.pace).toMatchObject({ pausedUntilMs: clock.now() + 5_000, failuresInRow: 1 });
  });

  test("keeps a host at the pace that it had when only an errand leads back to it", async () => {
    const { hosts, fill, clock } = newHosts([request("https://a.test/1")]);
    await fill();
    const state = hosts.bench.get("a.test")!;
    observe(
      state.host,
      start(state.host, clock.now()),
      { type: "throttled", retryAfterMs: 5_000 },
      clock.now(),
    );
    await hosts.complete(state, state.ready.shift()!, []);
    await fill();
    expect(hosts.bench.get("a.test")).toBeUndefined();
    const again = hosts.inHand("a.test");
    expect(again).not.toBe(state);
    expect(again.host).toMatchObject({ pausedUntilMs: clock.now() + 5_000, lastStartMs: clock.now() });
  });

  test("gives a host that an errand led to the frontier's pace when it is leased", async () => {
    const { hosts, fill, frontier, clock } = newHosts([]);
    frontier.add([request("https://a.test/1")]);
    const [lease] = frontier.lease(1, clock.now());
    frontier.release(lease!, { limit: 1, gapMs: 30_000, lastStartMs: clock.now() - 10_000 }, clock.now());
    const state = hosts.inHand("a.test");
    const ticket = start(state.host, clock.now());
    hosts.noteQueued([request("https://a.test/1")]);
    await fill();
    expect(hosts.bench.get("a.test")).toBe(state);
    expect(state.host).toMatchObject({ gapMs: 30_000, lastStartMs: clock.now(), inFlight: 1 });
    observe(state.host, ticket, { type: "other" }, clock.now());
    expect(state.host.inFlight).toBe(0);
  });

  test("skips what is queued of a host that was given up, now and later", async () => {
    const { hosts, fill, skipped, frontier, clock } = newHosts([
      request("https://a.test/1"),
      request("https://a.test/2"),
    ]);
    await fill();
    hosts.giveUp(hosts.bench.get("a.test")!, "host-unavailable", Number.POSITIVE_INFINITY, "down");
    await fill();
    expect(skipped).toEqual([
      ["https://a.test/1", "host-unavailable"],
      ["https://a.test/2", "host-unavailable"],
    ]);
    await fill();
    const later = [request("https://a.test/3")];
    frontier.add(later);
    hosts.noteQueued(later);
    await fill();
    expect(skipped.at(-1)).toEqual(["https://a.test/3", "host-unavailable"]);
    expect(hosts.whyGivenUp("a.test", clock.now())).toMatchObject({ detail: "down" });
    expect(hosts.whyGivenUp("b.test", clock.now())).toBeUndefined();
  });

  test("gives a host up for its time alone, and never for less than was said before", async () => {
    const { hosts, fill, clock } = newHosts([request("https://a.test/1")]);
    await fill();
    const state = hosts.bench.get("a.test")!;
    const untilMs = clock.now() + 86_400_000;
    hosts.giveUp(state, "retry-after", untilMs);
    hosts.giveUp(state, "budget", untilMs - 1);
    expect(hosts.whyGivenUp("a.test", untilMs - 1)).toMatchObject({ reason: "retry-after" });
    expect(hosts.whyGivenUp("a.test", untilMs)).toBeUndefined();
  });

  test("gives a host up when it has failed too often in a row", async () => {
    const { hosts, fill, clock, skipped } = newHosts([request("https://a.test/1")]);
    await fill();
    const state = hosts.bench.get("a.test")!;
    state.host.failuresInRow = 2;
    hosts.giveUpIfFailing(state);
    expect(hosts.whyGivenUp("a.test", clock.now())).toBeUndefined();
    state.host.failuresInRow = 3;
    hosts.giveUpIfFailing(state);
    expect(skipped).toEqual([["https://a.test/1", "host-unavailable"]]);
  });

  test("reads past what is held to what is not, however much is held, and keeps its order", async () => {
    const held = Array.from({ length: 1_000 }, (_, i) =>
      request(`https://a.test/held/${i}`, { tag: "held" }),
    );
    const { hosts, fill, urls, frontier, clock } = newHosts([
      ...held,
      request("https://a.test/free", { tag: "free" }),
    ]);
    const untilMs = clock.now() + 60_000;
    await hosts.hold({ tag: "held" }, untilMs);
    await fill();
    expect(urls("a.test")).toEqual(["https://a.test/free"]);
    await hosts.complete(hosts.bench.get("a.test")!, hosts.bench.get("a.test")!.ready.shift()!, []);
    // Given back for want of anything to start, it is due with its hold.
    await fill();
    await fill();
    expect(hosts.nextDueMs).toBe(untilMs);
    await clock.sleep(60_000);
    await fill();
    const [lease] = [hosts.bench.get("a.test")!.lease!];
    const rest = frontier.take(lease, 2_000, clock.now());
    expect([...urls("a.test"), ...rest.map(({ url }) => url)]).toEqual(held.map(({ url }) => url));
  });

  test("holds a tag whose requests are in hand already", async () => {
    const { hosts, fill, urls, clock } = newHosts([
      request("https://a.test/1", { tag: "t" }),
      request("https://a.test/2"),
    ]);
    await fill();
    expect(urls("a.test")).toEqual(["https://a.test/1"]);
    await hosts.hold({ tag: "t" }, clock.now() + 1_000);
    await fill();
    expect(urls("a.test")).toEqual(["https://a.test/2"]);
  });

  test("never has more hosts in hand than there is room for, and exchanges those that wait", async () => {
    const n = 3_000;
    const requests = Array.from({ length: n }, (_, i) => request(`https://h${i}.test/`));
    const { hosts, fill, clock } = newHosts(requests);
    await fill();
    expect(hosts.bench.size).toBe(2_000);
    const untilMs = clock.now() + 3_600_000;
    for (const state of [...hosts.bench.values()]) await hosts.hold({ host: state.host.name }, untilMs);
    await fill();
    expect(hosts.bench.size).toBe(2_000);
    expect(hosts.nextDueMs).toBeLessThanOrEqual(clock.now());
  });

  test("gives everything back at the end", async () => {
    const { hosts, fill, frontier } = newHosts([request("https://a.test/1"), request("https://b.test/1")]);
    await fill();
    await hosts.releaseAll();
    expect(hosts.bench.size).toBe(0);
    expect(frontier.counts()).toMatchObject({ queued: 2, inProgress: 0 });
  });
});

describe("a redirected robots.txt", () => {
  test("does not lead to a host before the end of the pause that it asked for", async () => {
    // b.test asks for an hour; a.test's robots.txt points there meanwhile.
    const fake = fakeCrawl(
      {
        "https://b.test/robots.txt": (n) => (n === 1 ? { status: 404 } : "User-agent: *\nDisallow: /no"),
        "https://b.test/": (n) => (n === 1 ? { status: 503, retryAfter: 3_600 } : ""),
        "https://c.test/": { body: `<a href="${HOME}no">`, afterMs: 5_000 },
        "https://a.test/robots.txt": { status: 302, location: "https://b.test/robots.txt" },
      },
      { seeds: ["https://b.test/", "https://c.test/"], scope: "any" },
    );
    await gather(fake.crawl);
    const toB = fake.web.log.filter(({ url }) => new URL(url).host === "b.test");
    const pausedAtMs = toB[1]!.endMs!;
    expect(toB).toHaveLength(4);
    expect(toB[2]!.atMs).toBe(pausedAtMs + 3_600_000);
    expect(toB[3]!.atMs).toBeGreaterThanOrEqual(toB[2]!.atMs + 250);
  });
});
