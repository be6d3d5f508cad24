import fc from "fast-check";
import { expect } from "vitest";
import type { FakeAnswer, FakePage } from "../../src/testing/fake_web.ts";
import { type FakeCrawl, type FakeCrawlOptions, fakeCrawl, linksTo } from "./fake_crawl.ts";
import { seededRandom } from "./simulated_host.ts";

/** How a random site is made. */
export interface SitePlan {
  readonly seed: number;
  readonly hosts: number;
  readonly pagesPerHost: number;
  /** Of all URLs, the part that fails in some way at its first request or at all. */
  readonly faults: number;
  /** Whether each host has a robots.txt of its own kind. */
  readonly robots: boolean;
}

/** A finite web of several hosts, with what a crawl may expect of it. */
export interface RandomSite {
  readonly pages: Readonly<Record<string, FakePage>>;
  /** One page of each host. */
  readonly seeds: readonly string[];
  /** Milliseconds of crawl-delay by host, where its robots.txt says so. */
  readonly crawlDelaysMs: ReadonlyMap<string, number>;
}

/** Makes the same site of the same plan. */
function randomSite({ seed, hosts, pagesPerHost, faults, robots }: SitePlan): RandomSite {
  const random = seededRandom(seed);
  const pick = (n: number): number => Math.floor(random() * n);
  const urls: string[] = [];
  for (let host = 0; host < hosts; host++) {
    for (let page = 0; page < pagesPerHost; page++) urls.push(`https://h${host}.test/p${page}`);
  }
  const pages: Record<string, FakePage> = {};
  const crawlDelaysMs = new Map<string, number>();
  for (let host = 0; host < hosts; host++) {
    const kind = robots ? pick(6) : 0;
    pages[`https://h${host}.test/robots.txt`] = robotsOf(kind);
    if (kind === 1) crawlDelaysMs.set(`h${host}.test`, 1_500);
  }
  for (const url of urls) {
    const links = Array.from({ length: pick(6) }, () => urls[pick(urls.length)]!);
    if (random() < 0.1) links.push("https://outside.test/", "mailto:a@b.test", "http://", `${url}#part`);
    const page: FakeAnswer = { body: linksTo(...links), afterMs: 1 + pick(random() < 0.1 ? 3_000 : 60) };
    pages[url] = random() < faults ? faulty(pick(9), page, urls[pick(urls.length)]!) : page;
  }
  return {
    pages,
    seeds: Array.from({ length: hosts }, (_, host) => `https://h${host}.test/p0`),
    crawlDelaysMs,
  };
}

function robotsOf(kind: number): FakePage {
  switch (kind) {
    case 1:
      return "User-agent: *\nCrawl-delay: 1.5\n";
    case 2:
      return "User-agent: *\nDisallow: /p1\n";
    case 3:
      return { status: 503 };
    case 4:
      return (n) => (n === 1 ? { status: 500 } : "");
    case 5:
      return { status: 301, location: "https://robots.test/robots.txt" };
    default:
      return { status: 404 };
  }
}

/** A page that fails: for good, or the first time. */
function faulty(kind: number, page: FakeAnswer, elsewhere: string): FakePage {
  const once =
    (first: FakeAnswer): FakePage =>
    (n) =>
      n === 1 ? first : page;
  switch (kind) {
    case 0:
      return { status: 302, location: elsewhere };
    case 1:
      return { fault: "ENOTFOUND" };
    case 2:
      return once({ fault: "ECONNRESET" });
    case 3:
      return once({ status: 503 });
    case 4:
      return once({ status: 429, retryAfter: 7 });
    case 5:
      return { status: 404 };
    case 6:
      return { type: "application/pdf", body: "%PDF-" };
    case 7:
      return { fault: "never" };
    default:
      return { status: 500 };
  }
}

export const sitePlan: fc.Arbitrary<SitePlan> = fc.record({
  seed: fc.nat(1_000_000),
  hosts: fc.integer({ min: 1, max: 4 }),
  pagesPerHost: fc.integer({ min: 1, max: 12 }),
  faults: fc.constantFrom(0, 0.2, 0.6),
  robots: fc.boolean(),
});

/** How fast a random site is crawled. */
export interface PacePlan {
  readonly concurrency: number;
  readonly hostConcurrency: number | { adaptive: number };
  readonly delayMs: number | readonly [number, number];
}

export const pacePlan: fc.Arbitrary<PacePlan> = fc.record({
  concurrency: fc.integer({ min: 1, max: 8 }),
  hostConcurrency: fc.oneof(
    fc.integer({ min: 1, max: 4 }),
    fc.record({ adaptive: fc.integer({ min: 1, max: 4 }) }),
  ),
  delayMs: fc.constantFrom(0, 250, 1_000, [100, 400] as const),
});

export interface CrawlPlan {
  readonly site: SitePlan;
  readonly pace: PacePlan;
}

export const crawlPlan: fc.Arbitrary<CrawlPlan> = fc.record({ site: sitePlan, pace: pacePlan });

/** A crawl of a random site by a random pace: the same one of the same plan. */
export function randomCrawl(
  { site, pace }: CrawlPlan,
  options: FakeCrawlOptions = {},
): FakeCrawl & Pick<RandomSite, "crawlDelaysMs"> {
  const { pages, seeds, crawlDelaysMs } = randomSite(site);
  const random = seededRandom(site.seed);
  const web = { otherwise: "leaf" };
  const fake = fakeCrawl(pages, { ...pace, seeds, random, web, timeoutMs: 5_000, ...options });
  return { ...fake, crawlDelaysMs };
}

/** I4: no request in flight, and nobody who waits for a time. */
export function expectNothingLeft({ web, clock }: FakeCrawl): void {
  expect({ inFlight: web.inFlight, sleeping: clock.sleeping }).toEqual({ inFlight: 0, sleeping: 0 });
}
