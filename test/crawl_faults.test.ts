import { describe, expect, test } from "vitest";
import type { CrawlEvent } from "../src/event.ts";
import {
  type FakeCrawlOptions,
  fakeCrawl,
  gather,
  HOME,
  linksTo,
  paths,
  settled,
} from "./support/fake_crawl.ts";

const FAULT = new Error("the caller's own");
const fail = (): never => {
  throw FAULT;
};
const SITE = { [HOME]: linksTo(...paths(10), "/old"), [`${HOME}old`]: { status: 301, location: "/1" } };

describe("a function of the caller's that throws errors the stream and ends all:", () => {
  const functions: Record<string, FakeCrawlOptions> = {
    follow: { follow: fail },
    "follow, in its iterator": {
      follow: function* () {
        yield "/1";
        fail();
      },
    },
    "follow, by what is no sequence": { follow: (() => 5) as never },
    scope: { scope: fail },
    "priority, of a seed": { priority: fail },
    "priority, of a link": { priority: ({ depth }) => (depth > 0 ? fail() : 0) },
    headers: { headers: fail },
    "headers, by what is none": { headers: () => ({ "no header": "x" }) },
    "headers, later": { headers: ({ url }) => (url === HOME ? {} : fail()) },
    hostKey: { hostKey: fail },
    "hostKey, later": { hostKey: ({ pathname }) => (pathname === "/7" ? fail() : "a") },
    random: { random: fail, web: { otherwise: { status: 503 } } },
  };
  for (const [name, options] of Object.entries(functions)) {
    if (name === "random") continue;
    test(name, async () => {
      const { crawl, web, clock, events } = fakeCrawl(SITE, { web: { otherwise: "leaf" }, ...options });
      await expect(gather(crawl)).rejects.toThrow();
      const stats = await crawl.finished;
      expect(stats.finishReason).toBe("failed");
      await settled();
      expect([web.inFlight, clock.sleeping]).toEqual([0, 0]);
      expect(events.at(-1)).toMatchObject({ type: "finished", stats });
      const starts = web.log.length;
      await clock.sleep(600_000);
      expect(web.log.length).toBe(starts);
    });
  }

  test("the very error, as it was thrown", async () => {
    const { crawl } = fakeCrawl(SITE, { follow: fail });
    await expect(gather(crawl)).rejects.toBe(FAULT);
  });

  test("priority that gives no number is named", async () => {
    for (const priority of [() => Number.NaN, () => "high" as never, () => undefined as never]) {
      const { crawl } = fakeCrawl(SITE, { priority });
      await expect(gather(crawl)).rejects.toThrow(/'priority' must give a number: received/);
    }
  });

  test("hostKey that gives no name is named", async () => {
    for (const hostKey of [() => "", () => undefined as never]) {
      const { crawl } = fakeCrawl(SITE, { hostKey });
      await expect(gather(crawl)).rejects.toThrow(/'hostKey' must give a name/);
    }
  });
});

describe("onEvent", () => {
  const kinds: CrawlEvent["type"][] = [
    "accepted",
    "started",
    "ended",
    "redirected",
    "retrying",
    "page",
    "failure",
    "skip",
    "paced",
    "robots",
    "sitemap",
    "scope",
    "finished",
  ];
  const site = {
    "https://a.test/robots.txt":
      "User-agent: *\nDisallow: /private\nCrawl-delay: 1\nSitemap: https://a.test/map.xml",
    "https://a.test/map.xml": {
      type: "application/xml",
      body: "<urlset><url><loc>https://a.test/3</loc></url></urlset>",
    },
    [HOME]: linksTo("/old", "/private", "https://elsewhere.test/", "/broken", "/busy"),
    [`${HOME}old`]: { status: 302, location: "/new" },
    [`${HOME}broken`]: { fault: "ENOTFOUND" as const },
    [`${HOME}busy`]: (n: number) => (n === 1 ? { status: 503 } : "leaf"),
    "https://b.test/": { status: 301, location: "https://c.test/" },
    "https://c.test/": "leaf",
  };
  const options = { seeds: [HOME, "https://b.test/"], sitemaps: true, web: { otherwise: "leaf" } };

  test.each(kinds)("that throws at %s errors the stream and ends all", async (kind) => {
    let isTold = false;
    const { crawl, web, clock, events } = fakeCrawl(site, {
      ...options,
      onEvent({ type }) {
        if (type !== kind) return;
        isTold = true;
        fail();
      },
    });
    await expect(gather(crawl)).rejects.toBe(FAULT);
    expect(isTold).toBe(true);
    const stats = await crawl.finished;
    expect(stats.finishReason).toBe(kind === "finished" ? "done" : "failed");
    await settled();
    expect([web.inFlight, clock.sleeping]).toEqual([0, 0]);
    expect(events.at(-1)!.type).toBe("finished");
  });

  test("is told each kind of event in a crawl that has them all", async () => {
    const { crawl, events } = fakeCrawl(site, options);
    for await (const result of crawl) {
      if (result.url !== HOME) continue;
      crawl.hold({ tag: "none" }, 1);
      crawl.drop({ tag: "none" });
    }
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set([...kinds, "held", "dropped"]));
  });

  test("is told the time of the crawl's clock, which never goes back", async () => {
    const { crawl, events, clock } = fakeCrawl(site, options);
    await gather(crawl);
    const times = events.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.at(-1)).toBe(clock.now());
  });

  const steering: Record<string, (crawl: ReturnType<typeof fakeCrawl>["crawl"]) => unknown> = {
    held: (crawl) => crawl.hold({ host: "b.test" }, 1),
    dropped: (crawl) => crawl.drop({ host: "b.test" }),
    accepted: (crawl) => crawl.add(`${HOME}more`),
  };
  test.each(Object.entries(steering))(
    "that throws at %s, by the caller's hand, errors the stream too",
    async (kind, steer) => {
      let isSteering = false;
      const { crawl } = fakeCrawl(
        { [HOME]: "alone" },
        {
          onEvent: ({ type }) => {
            if (isSteering && type === kind) fail();
          },
        },
      );
      const loop = async (): Promise<void> => {
        for await (const _ of crawl) {
          isSteering = true;
          try {
            await steer(crawl);
          } catch {
            // Whether the caller gets it too does not matter here.
          }
        }
      };
      await expect(loop()).rejects.toBe(FAULT);
    },
  );
});
