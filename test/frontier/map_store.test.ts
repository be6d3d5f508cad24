import { expect, test } from "vitest";
import { MapStore } from "../../examples/frontier/map_store.ts";
import { crawl } from "../../mod.ts";
import { FakeClock } from "../../src/testing/fake_clock.ts";
import { fakeWeb } from "../../src/testing/fake_web.ts";
import { describeFrontier } from "../../src/testing/frontier_contract.ts";

describeFrontier("MapStore of examples/frontier/map_store.ts", () => new MapStore());

test("crawl() crawls with the MapStore of the examples as with its own", async () => {
  const site = {
    "https://a.test/": "<a href=b>b</a><a href=c>c</a>",
    "https://a.test/b": "<a href=c>c</a>",
    "https://a.test/c": (n: number) => (n === 1 ? { status: 503 } : "<a href=/>home</a>"),
  };
  const crawled = async (frontier: { frontier?: MapStore }): Promise<unknown[]> => {
    const clock = new FakeClock();
    const { fetch, log } = fakeWeb(site, { clock });
    const pages = crawl("https://a.test/", { clock, fetch, random: () => 0.5, ...frontier });
    for await (const _ of pages);
    return log.map(({ url, atMs }) => [url, atMs]);
  };
  const own = await crawled({});
  expect(own).toHaveLength(5);
  expect(await crawled({ frontier: new MapStore() })).toEqual(own);
});
