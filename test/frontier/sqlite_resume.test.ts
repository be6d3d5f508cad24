import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { type Host, html, openHost } from "../../examples/demo/serve.ts";
import { type CrawlOptions, crawl } from "../../mod.ts";
import { type SqliteOptions, sqlite } from "../../src/frontier/sqlite.ts";
import { FakeClock } from "../../src/testing/fake_clock.ts";
import { type FakePage, fakeWeb } from "../../src/testing/fake_web.ts";
import { startScript } from "../cli/run_script.ts";
import { freshFiles, hasSqlite } from "./sqlite_folder.ts";

const PAGES = 60;
const SEED = "https://h0.test/0";

function urlOf(n: number): string {
  return `https://h${n % 3}.test/${n}`;
}

/** A binary tree of pages on three hosts, of which some fail at first. */
function tree(): Record<string, FakePage> {
  const pages: Record<string, FakePage> = {};
  for (let n = 0; n < PAGES; n++) {
    const children = [2 * n + 1, 2 * n + 2].filter((child) => child < PAGES);
    const body = children.map((child) => `<a href="${urlOf(child)}">${child}</a>`).join("");
    pages[urlOf(n)] = n % 10 === 7 ? (attempt) => (attempt === 1 ? { status: 503 } : body) : body;
  }
  return pages;
}

const ALL = Array.from({ length: PAGES }, (_, n) => urlOf(n)).sort();

describe.skipIf(!hasSqlite)(
  `sqlite()${hasSqlite ? "" : " (left out: this runtime has no node:sqlite)"}`,
  () => {
    const freshFile = freshFiles();

    /** Goes on with the crawl in a file until `isEnough`; gives the pages that it delivered. */
    async function crawlOn(
      path: string,
      web: CrawlOptions,
      end: "stop" | "break" | "done",
      enough = Number.POSITIVE_INFINITY,
      options: SqliteOptions = {},
    ): Promise<string[]> {
      const pages = crawl(SEED, { ...web, frontier: sqlite(path, options), scope: "any" });
      const urls: string[] = [];
      for await (const page of pages) {
        urls.push(page.url);
        if (urls.length !== enough) continue;
        if (end === "break") break;
        // What was in flight still comes.
        if (end === "stop") pages.stop();
      }
      await pages.finished;
      return urls;
    }

    function newWeb(): CrawlOptions {
      const clock = new FakeClock();
      return { clock, fetch: fakeWeb(tree(), { clock }).fetch };
    }

    test("goes on after stop(), again and again, and delivers each page once", async () => {
      const path = freshFile();
      const web = newWeb();
      const urls: string[] = [];
      for (let slice = 0; slice < 5; slice++) urls.push(...(await crawlOn(path, web, "stop", 8)));
      expect(urls.length).toBeLessThan(PAGES);
      urls.push(...(await crawlOn(path, web, "done")));
      expect(urls.sort()).toEqual(ALL);
      expect(await crawlOn(path, web, "done")).toEqual([]);
    });

    test("goes on after break, and delivers none twice but what the reader had in hand", async () => {
      const path = freshFile();
      const web = newWeb();
      const slices: string[][] = [];
      for (let slice = 0; slice < 6; slice++) slices.push(await crawlOn(path, web, "break", 7));
      slices.push(await crawlOn(path, web, "done"));
      const urls = slices.flat();
      expect([...new Set(urls)].sort()).toEqual(ALL);
      const inHand = slices.slice(0, -1).map((slice) => slice.at(-1));
      const twice = urls.filter((url, i) => urls.indexOf(url) !== i);
      expect(twice.filter((url) => !inHand.includes(url))).toEqual([]);
    });

    test("keeps a host's pace: what asked to be left alone is left alone by the crawl that goes on", async () => {
      const path = freshFile();
      const clock = new FakeClock();
      const seed = "https://h0.test/0";
      const { fetch, log } = fakeWeb(
        {
          [seed]: `<a href="/busy">x</a><a href="/other">x</a>`,
          "https://h0.test/busy": (n) => (n === 1 ? { status: 429, retryAfter: 600 } : ""),
        },
        { clock },
      );
      const pages = crawl(seed, {
        clock,
        fetch,
        frontier: sqlite(path),
        hostConcurrency: 1,
        onEvent: ({ type }) => {
          if (type === "retrying") pages.stop();
        },
      });
      for await (const _ of pages);
      const refused = log.at(-1)!;
      expect(refused.url).toBe("https://h0.test/busy");
      for await (const _ of crawl(seed, { clock, fetch, frontier: sqlite(path), robots: false }));
      const other = log.find(({ url }) => url === "https://h0.test/other");
      expect(other!.atMs - refused.atMs).toBeGreaterThanOrEqual(600_000);
    });

    test("errors the crawl's stream where the file is full, and goes on where there is room", async () => {
      const path = freshFile();
      const clock = new FakeClock();
      const { fetch } = fakeWeb({}, { clock, otherwise: "" });
      const seeds = Array.from({ length: 300 }, (_, i) => ({ url: urlOf(i), data: "x".repeat(1_000) }));
      const deliver = async (options: SqliteOptions): Promise<string[]> => {
        const urls: string[] = [];
        for await (const { url } of crawl(seeds, {
          clock,
          fetch,
          delayMs: 0,
          frontier: sqlite(path, options),
        })) {
          urls.push(url);
        }
        return urls;
      };
      await expect(deliver({ maxBytes: 200_000 })).rejects.toMatchObject({
        name: "SqliteError",
        code: "full",
      });
      expect(new Set(await deliver({})).size).toBeGreaterThan(200);
      const left = sqlite(path);
      expect(left.counts()).toMatchObject({ queued: 0, inProgress: 0, seen: 300 });
      left.close();
    });

    describe("examples/resume.ts", () => {
      async function lines(site: Host, path: string, isInterrupted: boolean): Promise<string[]> {
        const script = startScript("examples/resume.ts", `${site.origin}/`, path);
        if (isInterrupted) {
          await once(script.stdout, "data");
          script.interrupt();
        }
        const { code, stdout } = await script.ended;
        expect(code).toBe(0);
        return stdout.trimEnd().split("\n");
      }

      test("stops at the first Ctrl-C, and goes on from there", async () => {
        const site = await openHost();
        site.show({
          "/": html("Home", `<a href="a">A</a><a href="b">B</a><a href="c">C</a>`),
          "/a": html("A", ""),
          "/b": html("B", ""),
          "/c": html("C", ""),
        });
        const path = freshFile();
        const first = await lines(site, path, true);
        expect(first.at(-1)).toMatch(/^stopped, [1-3] are still queued$/);
        const second = await lines(site, path, false);
        expect(second.at(-1)).toBe("done");
        const urls = [...first.slice(0, -1), ...second.slice(0, -1)];
        expect(urls.sort()).toEqual(["", "a", "b", "c"].map((name) => `200 ${site.origin}/${name}`));
        await site.close();
      });
    });
  },
);
