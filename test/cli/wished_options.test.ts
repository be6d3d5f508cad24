import { describe, expect, test } from "vitest";
import { runOn, type Web } from "./run_on.ts";

const SITE: Web = {
  "https://a.test/": '<a href="/x/">X</a><a href="/y/">Y</a><a href="/news/1">N</a>',
  "https://a.test/x/": '<a href="/x/deep">D</a>',
  "https://a.test/y/": "leaf",
  "https://a.test/news/1": "leaf",
  "https://a.test/x/deep": "leaf",
};

/** The paths that were asked for, in order. */
async function askedFor(...args: string[]): Promise<string[]> {
  const { log } = await runOn(SITE, ["https://a.test/", "--concurrency", "1", "--no-robots", ...args]);
  return log.map(({ url }) => new URL(url).pathname);
}

describe("--priority", () => {
  test("is breadth by default: the fewest hops go first", async () => {
    const breadth = ["/", "/x/", "/y/", "/news/1", "/x/deep"];
    expect(await askedFor()).toEqual(breadth);
    expect(await askedFor("--priority", "breadth")).toEqual(breadth);
  });

  test("depth takes the most hops first", async () => {
    expect(await askedFor("--priority", "depth")).toEqual(["/", "/x/", "/x/deep", "/y/", "/news/1"]);
  });
});

describe("--first", () => {
  test("takes what matches before the others, in the order of their hops", async () => {
    expect(await askedFor("--first", "*/news/*", "--first", "/deep$/")).toEqual([
      "/",
      "/news/1",
      "/x/",
      "/x/deep",
      "/y/",
    ]);
  });
});

describe("--host-key", () => {
  const seeds = ["https://one.shop.co.uk/", "https://two.shop.co.uk/", "http://192.0.2.1:81/"];
  const web: Web = Object.fromEntries(seeds.map((seed) => [seed, "leaf"]));
  const startsOf = async (...args: string[]) => {
    const { log } = await runOn(web, [...seeds, "--no-robots", "--delay", "5s", ...args]);
    return log.map(({ atMs }) => atMs - log[0]!.atMs);
  };

  test("host paces each by itself", async () => {
    expect(await startsOf()).toEqual([0, 0, 0]);
  });

  test("domain paces all subdomains of one as one host, and an address by itself", async () => {
    expect((await startsOf("--host-key", "domain")).sort((a, b) => a - b)).toEqual([0, 0, 5000]);
  });
});
