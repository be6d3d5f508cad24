import { describe, expect, test } from "vitest";
import { fakeCrawl, gather, HOME, told } from "./support/fake_crawl.ts";

const QUICK = { robots: false, delayMs: 0, hostConcurrency: 1 } as const;

/** So many seeds of one tag. */
function tagged(tag: string, n: number, host = "a.test"): { url: string; tag: string }[] {
  return Array.from({ length: n }, (_, i) => ({ url: `https://${host}/${tag}/${i}`, tag }));
}

/** The paths of a log, as far as they bear a tag. */
function order(log: readonly { url: string }[], tag: string): number[] {
  return log.filter(({ url }) => url.includes(`/${tag}/`)).map(({ url }) => Number(url.split("/").at(-1)));
}

describe("hold() of a tag", () => {
  test("with a thousand of it in front delays nothing behind them, and keeps their order", async () => {
    const held = tagged("held", 1_000);
    const free = tagged("free", 20);
    const fake = fakeCrawl({}, { ...QUICK, seeds: [HOME, ...held, ...free], web: { afterMs: 10 } });
    fake.crawl.hold({ tag: "held" }, 3_600_000);
    await gather(fake.crawl);
    const [first] = fake.web.log;
    const times = (tag: string): number[] =>
      fake.web.log.filter(({ url }) => url.includes(`/${tag}/`)).map(({ atMs }) => atMs - first!.atMs);
    expect(times("free")).toEqual(free.map((_, i) => 10 * (i + 1)));
    expect(times("held")[0]).toBe(3_600_000);
    expect(order(fake.web.log, "held")).toEqual(held.map((_, i) => i));
  });

  test("on several hosts holds it on each, and their other requests on none", async () => {
    const seeds = ["a.test", "b.test"].flatMap((host) => [
      ...tagged("held", 2, host),
      ...tagged("free", 2, host),
    ]);
    const fake = fakeCrawl({}, { ...QUICK, seeds });
    fake.crawl.hold({ tag: "held" }, 60_000);
    await gather(fake.crawl);
    for (const { url, atMs } of fake.web.log) {
      const waitedMs = atMs - fake.web.log[0]!.atMs;
      if (url.includes("/held/")) expect(waitedMs).toBeGreaterThanOrEqual(60_000);
      else expect(waitedMs).toBeLessThan(100);
    }
  });
});

describe("drop()", () => {
  test("of a tag that is held, of one that waits for its attempt and of a host at rest ends them at once", async () => {
    const fake = fakeCrawl(
      { "https://b.test/1": { status: 429, retryAfter: 3_600 }, "https://c.test/1": { status: 500 } },
      {
        ...QUICK,
        retries: { baseMs: 3_600_000, maxMs: 3_600_000 },
        seeds: [
          { url: `${HOME}1`, tag: "held" },
          "https://b.test/1",
          "https://b.test/2",
          { url: "https://c.test/1", tag: "late" },
        ],
      },
    );
    fake.crawl.hold({ tag: "held" }, 3_600_000);
    const gathered = gather(fake.crawl);
    await fake.clock.sleep(60_000);
    fake.crawl.drop({ tag: "held" });
    fake.crawl.drop({ tag: "late" });
    fake.crawl.drop({ host: "b.test" });
    expect(told(await gathered).sort()).toEqual([
      "skip /1 dropped",
      "skip https://b.test/1 dropped",
      "skip https://b.test/2 dropped",
      "skip https://c.test/1 dropped",
    ]);
    expect((await fake.crawl.finished).elapsedMs).toBe(60_000);
  });
});
