import { describe, expect, it } from "vitest";
import { crawl } from "../src/crawl.ts";
import type { Page } from "../src/page.ts";
import { FakeClock } from "../src/testing/fake_clock.ts";
import { type FakePage, fakeWeb } from "../src/testing/fake_web.ts";
import type { Validators } from "../src/validators.ts";

const HOME = "https://a.test/";
const TAG = '"v1"';
const DATE = "Mon, 30 Nov 2026 10:00:00 GMT";

/** A site that answers 304 to whoever has its pages. */
const SITE: Record<string, FakePage> = {
  [HOME]: (_, { headers }) =>
    headers.get("if-none-match") === TAG
      ? { status: 304, headers: { etag: TAG } }
      : { body: '<a href="/b">b</a> <a href="/c" rel="nofollow">c</a>', headers: { etag: TAG } },
  [`${HOME}b`]: (_, { headers }) =>
    headers.get("if-modified-since") === DATE
      ? { status: 304 }
      : { body: '<a href="/d">d</a>', headers: { "last-modified": DATE } },
  [`${HOME}d`]: "no validators here",
};

async function pagesOf(running: ReadableStream<Page>): Promise<Page[]> {
  const pages: Page[] = [];
  for await (const page of running) pages.push(page);
  return pages;
}

async function visit(revalidate?: Map<string, Validators>) {
  const clock = new FakeClock();
  const web = fakeWeb(SITE, { clock });
  const running = crawl(HOME, { fetch: web.fetch, clock, ...(revalidate && { revalidate }) });
  const pages = await pagesOf(running);
  return { web, pages, stats: await running.finished };
}

describe("crawl() with revalidate", () => {
  it("asks whether what it knows has changed, and follows the links of what has not", async () => {
    const store = new Map<string, Validators>();
    const first = await visit(store);
    expect(first.pages.map(({ unchanged }) => unchanged)).toEqual([false, false, false]);
    const kept = new Map<string, Validators>(JSON.parse(JSON.stringify([...store])));
    const second = await visit(kept);
    expect(second.pages.map(({ url, status, unchanged }) => [url, status, unchanged])).toEqual([
      [HOME, 304, true],
      [`${HOME}b`, 304, true],
      [`${HOME}d`, 200, false],
    ]);
    expect(second.stats.statuses).toEqual({ 200: 1, 304: 2 });
    // What was not to be followed then is not now.
    expect(second.pages[0]!.links.map(({ url }) => url)).toEqual([`${HOME}b`]);
  });

  it("asks nothing of the kind by default", async () => {
    const { web, pages } = await visit();
    expect(web.log.some(({ headers }) => headers.has("if-none-match"))).toBe(false);
    expect(pages.every(({ unchanged }) => !unchanged)).toBe(true);
  });

  it("keeps nothing of an answer that has no validators", async () => {
    const store = new Map<string, Validators>();
    await visit(store);
    expect([...store.keys()]).toEqual([HOME, `${HOME}b`]);
  });

  it("takes a 304 that was not asked for as what it is", async () => {
    const clock = new FakeClock();
    const web = fakeWeb({ [HOME]: { status: 304 } }, { clock });
    const [page] = await pagesOf(crawl(HOME, { fetch: web.fetch, clock, revalidate: new Map() }));
    expect(page).toMatchObject({ status: 304, ok: false, unchanged: false });
  });

  it("refuses what is no store", () => {
    expect(() => crawl(HOME, { revalidate: {} as Map<string, Validators> })).toThrow(
      "'revalidate' must be a Map",
    );
  });
});
