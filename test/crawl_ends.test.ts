import { describe, expect, test, vi } from "vitest";
import type { CrawlEvent } from "../src/event.ts";
import type { FakePage } from "../src/testing/fake_web.ts";
import { type FakeCrawl, fakeCrawl, gather, HOME, linksTo, paths, told } from "./support/fake_crawl.ts";

const WIDE = { [HOME]: linksTo(...paths(40)) };
const OTHERS: FakePage = { body: linksTo("/more"), afterMs: 100 };
const FAST = { delayMs: 0, hostConcurrency: 4, robots: false } as const;

/** A crawl of which the home page was read and the next requests are on their way. */
async function underWay(options: Parameters<typeof fakeCrawl>[1] = {}) {
  const fake = fakeCrawl(WIDE, { ...FAST, web: { otherwise: OTHERS }, ...options });
  const reader = fake.crawl.getReader();
  await reader.read();
  const pending = reader.read();
  await fake.clock.sleep(50);
  expect(fake.web.inFlight).toBe(4);
  return { ...fake, reader, pending };
}

async function expectNothingLeft({ web, clock, events, crawl }: FakeCrawl): Promise<void> {
  const stats = await crawl.finished;
  // At once: a timer that was left would soon run out on this clock.
  expect({ inFlight: web.inFlight, sleeping: clock.sleeping }).toEqual({ inFlight: 0, sleeping: 0 });
  const starts = web.log.length;
  await clock.sleep(3_600_000);
  expect(web.log.length).toBe(starts);
  expect(events.filter(({ type }) => type === "finished")).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: "finished", stats });
  // A pause of a host may run out after the crawl.
  expect({ ...crawl.stats, pausedHosts: [] }).toEqual({ ...stats, pausedHosts: [] });
  expect(Object.isFrozen(stats)).toBe(true);
}

describe("crawl() at its end", () => {
  test("is done when each accepted URL has its result, and tells so last and once", async () => {
    const fake = fakeCrawl(WIDE, { ...FAST, web: { otherwise: OTHERS } });
    expect(await gather(fake.crawl)).toHaveLength(42);
    expect(await fake.crawl.finished).toMatchObject({
      finishReason: "done",
      accepted: 42,
      pages: 42,
      queued: 0,
      inProgress: 0,
      inFlight: 0,
    });
    await expectNothingLeft(fake);
  });

  test("is done at once without seeds", async () => {
    const fake = fakeCrawl({}, { seeds: [] });
    expect(await gather(fake.crawl)).toEqual([]);
    expect(await fake.crawl.finished).toMatchObject({ finishReason: "done", accepted: 0, requests: 0 });
    await expectNothingLeft(fake);
  });

  test("is not over while the reader has the last page and has not asked for more", async () => {
    const fake = fakeCrawl({ [HOME]: "alone" });
    const reader = fake.crawl.getReader();
    await reader.read();
    await fake.clock.sleep(600_000);
    expect(fake.crawl.stats.finishReason).toBeUndefined();
    expect(fake.crawl.stats.inProgress).toBe(1);
    expect(await reader.read()).toEqual({ done: true, value: undefined });
    expect((await fake.crawl.finished).finishReason).toBe("done");
  });
});

describe("break", () => {
  test("I4: aborts what is in flight and leaves neither timer nor request", async () => {
    const fake = fakeCrawl(WIDE, { ...FAST, web: { otherwise: OTHERS } });
    let read = 0;
    for await (const _ of fake.crawl) if (++read === 3) break;
    expect((await fake.crawl.finished).finishReason).toBe("cancelled");
    expect(fake.web.log.filter(({ aborted }) => aborted).length).toBeGreaterThan(0);
    await expectNothingLeft(fake);
  });

  test("I4: holds after any number of results", async () => {
    for (let n = 1; n <= 41; n += 4) {
      const fake = fakeCrawl(WIDE, { ...FAST, web: { otherwise: OTHERS } });
      let read = 0;
      for await (const _ of fake.crawl) if (++read === n) break;
      await expectNothingLeft(fake);
    }
  });

  test("an error thrown in the loop's body ends the crawl as break does, and reaches the caller", async () => {
    const fake = fakeCrawl(WIDE, { ...FAST, web: { otherwise: OTHERS } });
    const loop = async (): Promise<void> => {
      for await (const _ of fake.crawl) throw new Error("mine");
    };
    await expect(loop()).rejects.toThrow("mine");
    expect((await fake.crawl.finished).finishReason).toBe("cancelled");
    await expectNothingLeft(fake);
  });
});

describe("cancel()", () => {
  test("I4: ends a read under way, and aborts each request in flight", async () => {
    const fake = await underWay();
    await fake.reader.cancel("enough");
    expect(await fake.pending).toEqual({ done: true, value: undefined });
    expect(fake.web.log.filter(({ aborted }) => aborted)).toHaveLength(4);
    expect((await fake.crawl.finished).finishReason).toBe("cancelled");
    await expectNothingLeft(fake);
  });

  test("before the first read fetches nothing", async () => {
    const fake = fakeCrawl(WIDE);
    await fake.crawl.cancel();
    expect(await fake.crawl.finished).toMatchObject({ finishReason: "cancelled", accepted: 0 });
    expect(fake.web.log).toHaveLength(0);
    await expectNothingLeft(fake);
  });

  test("while robots.txt is on its way ends the crawl", async () => {
    const fake = fakeCrawl({ [`${HOME}robots.txt`]: { afterMs: 5_000 }, ...WIDE });
    const reader = fake.crawl.getReader();
    const pending = reader.read();
    await fake.clock.sleep(1_000);
    await reader.cancel();
    await pending;
    expect(fake.web.log.map(({ url, aborted }) => [url, aborted])).toEqual([[`${HOME}robots.txt`, true]]);
    await expectNothingLeft(fake);
  });

  test("while all wait for a delay, a retry or a pause ends the crawl", async () => {
    for (const answer of [
      { status: 503 },
      { status: 429, retryAfter: 600 },
      { fault: "ECONNRESET" },
    ] as const) {
      const fake = fakeCrawl({ [HOME]: answer });
      const reader = fake.crawl.getReader();
      const pending = reader.read();
      await fake.clock.sleep(300);
      await reader.cancel();
      await pending;
      await expectNothingLeft(fake);
    }
  });

  test("nothing is in flight in the stats of a crawl that was cancelled", async () => {
    const fake = await underWay();
    await fake.reader.cancel();
    expect(await fake.crawl.finished).toMatchObject({ inFlight: 0, inProgress: 0 });
  });

  test("what was in flight counts as queued: it came to no result", async () => {
    const fake = await underWay();
    await fake.reader.cancel();
    expect(await fake.crawl.finished).toMatchObject({ accepted: 41, pages: 1, queued: 40 });
  });

  test("calls the seeds' return(), also where their next() never comes", async () => {
    const returned = vi.fn(async () => ({ done: true as const, value: undefined }));
    let calls = 0;
    const seeds: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => (++calls === 1 ? Promise.resolve({ done: false, value: HOME }) : new Promise(() => {})),
        return: returned,
      }),
    };
    const fake = fakeCrawl({ [HOME]: "alone" }, { seeds });
    const reader = fake.crawl.getReader();
    await reader.read();
    await reader.cancel();
    expect(returned).toHaveBeenCalledTimes(1);
    await expectNothingLeft(fake);
  });
});

describe("signal", () => {
  test("aborted before the crawl errors the first read with its reason", async () => {
    const reason = new Error("too late");
    const fake = fakeCrawl(WIDE, { signal: AbortSignal.abort(reason) });
    await expect(gather(fake.crawl)).rejects.toBe(reason);
    expect(await fake.crawl.finished).toMatchObject({ finishReason: "aborted", requests: 0 });
    expect(fake.web.log).toHaveLength(0);
    await expectNothingLeft(fake);
  });

  test("aborted during the crawl errors the stream with its reason, unread results and all", async () => {
    const controller = new AbortController();
    const fake = await underWay({ signal: controller.signal });
    const reason = { my: "reason" };
    controller.abort(reason);
    await expect(fake.pending).rejects.toBe(reason);
    await expect(fake.reader.read()).rejects.toBe(reason);
    expect((await fake.crawl.finished).finishReason).toBe("aborted");
    await expectNothingLeft(fake);
  });

  test("aborted without a reason gives what the runtime gives", async () => {
    const controller = new AbortController();
    const { pending } = await underWay({ signal: controller.signal });
    controller.abort();
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
  });

  test("aborted in the loop's body ends the loop with its reason", async () => {
    const controller = new AbortController();
    const fake = fakeCrawl(WIDE, { ...FAST, signal: controller.signal });
    const loop = async (): Promise<void> => {
      for await (const _ of fake.crawl) controller.abort(new Error("mine"));
    };
    await expect(loop()).rejects.toThrow("mine");
    await expectNothingLeft(fake);
  });

  test("aborted after the end changes nothing", async () => {
    const controller = new AbortController();
    const fake = fakeCrawl({ [HOME]: "alone" }, { signal: controller.signal });
    await gather(fake.crawl);
    controller.abort();
    expect((await fake.crawl.finished).finishReason).toBe("done");
    await expectNothingLeft(fake);
  });

  test("carries one listener through the crawl and none after it, whatever the end", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const add = vi.spyOn(signal, "addEventListener");
    const remove = vi.spyOn(signal, "removeEventListener");
    for (const end of ["read", "break"]) {
      const fake = fakeCrawl(WIDE, { ...FAST, signal });
      if (end === "read") await gather(fake.crawl);
      else for await (const _ of fake.crawl) break;
      await fake.crawl.finished;
    }
    expect(add).toHaveBeenCalledTimes(2);
    expect(remove.mock.calls.map(([type, listener]) => [type, listener])).toEqual(
      add.mock.calls.map(([type, listener]) => [type, listener]),
    );
  });
});

describe("stop()", () => {
  test("from outside lets what is in flight finish, and gives its results", async () => {
    const fake = await underWay();
    const stopped = fake.crawl.stop("lunch");
    const first = await fake.pending;
    const stats = await stopped;
    expect(stats.inFlight).toBe(0);
    const rest = [first.value!];
    for (;;) {
      const { done, value } = await fake.reader.read();
      if (done) break;
      rest.push(value);
    }
    expect(told(rest)).toEqual(["page /1 200", "page /2 200", "page /3 200", "page /4 200"]);
    expect(await fake.crawl.finished).toMatchObject({
      finishReason: "stopped",
      finishDetail: "lunch",
      pages: 5,
      queued: 37,
    });
    expect(fake.web.log.some(({ aborted }) => aborted)).toBe(false);
    await expectNothingLeft(fake);
  });

  test("may be awaited in the loop's body, with results unread", async () => {
    const fake = fakeCrawl(WIDE, { ...FAST, web: { otherwise: OTHERS } });
    const seen: number[] = [];
    for await (const _ of fake.crawl) {
      seen.push(fake.web.log.length);
      if (seen.length === 2) expect((await fake.crawl.stop()).inFlight).toBe(0);
    }
    expect(fake.web.log.length).toBe(seen[1]);
    expect(seen.length).toBe(fake.web.log.length);
    expect((await fake.crawl.finished).finishReason).toBe("stopped");
    await expectNothingLeft(fake);
  });

  test("twice is once, with the first reason", async () => {
    const fake = await underWay();
    await Promise.all([fake.crawl.stop("first"), fake.crawl.stop("second"), fake.pending]);
    while (!(await fake.reader.read()).done);
    expect((await fake.crawl.finished).finishDetail).toBe("first");
  });

  test("after the end gives the last stats", async () => {
    const fake = fakeCrawl({ [HOME]: "alone" });
    await gather(fake.crawl);
    expect(await fake.crawl.stop()).toBe(await fake.crawl.finished);
    expect((await fake.crawl.finished).finishReason).toBe("done");
  });

  test("while a host waits for its delay ends at once", async () => {
    const fake = fakeCrawl(WIDE, { delayMs: 60_000, robots: false });
    const reader = fake.crawl.getReader();
    await reader.read();
    const pending = reader.read();
    await fake.clock.sleep(10);
    const atMs = fake.clock.now();
    await fake.crawl.stop();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(fake.clock.now()).toBe(atMs);
    await expectNothingLeft(fake);
  });

  test("asks for no other attempt of what fails after it", async () => {
    const fake = await underWay({ web: { otherwise: { status: 503, afterMs: 100 } } });
    void fake.crawl.stop();
    expect(await fake.pending).toEqual({ done: true, value: undefined });
    expect(fake.web.log).toHaveLength(5);
    expect(await fake.crawl.finished).toMatchObject({ finishReason: "stopped", queued: 40, pages: 1 });
    await expectNothingLeft(fake);
  });

  test("cuts what is still in flight after graceMs, which stays queued and counts", async () => {
    const slow = (_: number, { url }: { url: string }) => ({
      body: "leaf",
      afterMs: url.endsWith("2") ? 100 : 9_000,
    });
    const fake = await underWay({ graceMs: 1_000, web: { otherwise: slow } });
    const atMs = fake.clock.now();
    const stopped = fake.crawl.stop();
    const results = [(await fake.pending).value!];
    await stopped;
    expect(fake.clock.now() - atMs).toBe(1_000);
    expect(await fake.reader.read()).toEqual({ done: true, value: undefined });
    expect(told(results)).toEqual(["page /2 200"]);
    expect(fake.web.log.filter(({ aborted }) => aborted)).toHaveLength(3);
    expect(await fake.crawl.finished).toMatchObject({
      finishReason: "stopped",
      accepted: 41,
      pages: 2,
      failures: 0,
      queued: 39,
      inFlight: 0,
    });
    await expectNothingLeft(fake);
  });

  test("cuts at once with graceMs 0", async () => {
    const fake = await underWay({ graceMs: 0 });
    const atMs = fake.clock.now();
    await fake.crawl.stop();
    expect(fake.clock.now()).toBe(atMs);
    expect(await fake.pending).toEqual({ done: true, value: undefined });
    await expectNothingLeft(fake);
  });

  test("leaves no timer of its grace when all ends earlier", async () => {
    const fake = await underWay({ graceMs: 3_600_000 });
    void fake.crawl.stop();
    await fake.pending;
    while (!(await fake.reader.read()).done);
    await expectNothingLeft(fake);
  });

  test("before the first read lets nothing start", async () => {
    const fake = fakeCrawl(WIDE);
    await fake.crawl.stop("never mind");
    expect(await gather(fake.crawl)).toEqual([]);
    expect(await fake.crawl.finished).toMatchObject({ finishReason: "stopped", finishDetail: "never mind" });
    expect(fake.web.log).toHaveLength(0);
    await expectNothingLeft(fake);
  });
});

describe("the finished event", () => {
  test("is the last, and counts what the events before it say", async () => {
    const kinds: CrawlEvent["type"][] = [];
    const fake = fakeCrawl(WIDE, { onEvent: ({ type }) => kinds.push(type), web: { otherwise: OTHERS } });
    await gather(fake.crawl);
    expect(kinds.indexOf("finished")).toBe(kinds.length - 1);
    const stats = await fake.crawl.finished;
    expect(kinds.filter((kind) => kind === "page")).toHaveLength(stats.pages);
    expect(kinds.filter((kind) => kind === "accepted")).toHaveLength(stats.accepted);
  });
});
