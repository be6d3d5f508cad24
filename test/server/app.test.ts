import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createApp } from "../../src/server/app.ts";
import type { CrawlStats } from "../../src/stats.ts";
import { linksTo, paths, settled } from "../support/fake_crawl.ts";
import { dataOf, EventStreamReader } from "./event_stream.ts";
import { type FakeServer, fakeServer, submitted } from "./fake_server.ts";

const SITE = {
  "https://a.test/": `<title>Home</title>${linksTo("/1", "/2", "https://b.test/")}`,
  "https://a.test/1": "<title>One</title>",
  "https://a.test/2": { fault: "ENOTFOUND" as const },
};

interface Shown {
  readonly id: string;
  readonly seeds: readonly string[];
  readonly stats: CrawlStats;
  readonly watchers: number;
  readonly readers: number;
}

interface ProblemBody {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { pointer: string; detail: string }[];
}

async function problemOf(response: Response): Promise<ProblemBody> {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const problem = (await response.json()) as ProblemBody;
  expect(problem.status).toBe(response.status);
  return problem;
}

/** Waits until a crawl is over. */
async function ended(server: FakeServer, id: string): Promise<Shown> {
  await new EventStreamReader(await server.ask(`/crawls/${id}/events`)).toEnd();
  await settled();
  return server.read<Shown>(`/crawls/${id}`);
}

async function linesOf(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text();
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("createApp()", () => {
  it("starts a crawl, says where it is, and shows it to its end", async () => {
    const server = fakeServer(SITE);
    const response = await server.ask("/crawls", submitted({ seeds: ["https://a.test/"] }));
    expect(response.status).toBe(201);
    const { id, seeds } = (await response.json()) as Shown;
    expect(response.headers.get("location")).toBe(`/crawls/${id}`);
    expect(seeds).toEqual(["https://a.test/"]);

    const { stats } = await ended(server, id);
    expect(stats).toMatchObject({ pages: 2, failures: 1, finishReason: "done" });
    expect((await server.read<Shown[]>("/crawls")).map((each) => each.id)).toEqual([id]);
  });

  it("gives the results as JSON Lines: pages and failures, or what is asked for", async () => {
    const server = fakeServer(SITE);
    const id = await server.start({ seeds: "https://a.test/" });
    await ended(server, id);
    const response = await server.ask(`/crawls/${id}/pages`);
    expect(response.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(response.headers.get("dragline-dropped")).toBe("0");
    const lines = await linesOf(response);
    expect(lines.map(({ type, url, title, reason }) => [type, url, title ?? reason])).toEqual([
      ["page", "https://a.test/", "Home"],
      ["page", "https://a.test/1", "One"],
      ["failure", "https://a.test/2", "dns"],
    ]);
    const failures = await linesOf(await server.ask(`/crawls/${id}/pages?type=failure&follow=false`));
    expect(failures.map(({ url }) => url)).toEqual(["https://a.test/2"]);
  });

  it("begins a crawl that waits for its reader when one comes, who gets skips too", async () => {
    const server = fakeServer(SITE);
    const id = await server.start({ seeds: "https://a.test/", start: "read" });
    await settled();
    expect(server.web.log).toEqual([]);
    const lines = await linesOf(await server.ask(`/crawls/${id}/pages?type=page,failure,skip`));
    expect(lines.map(({ type, url }) => `${type} ${url}`).sort()).toEqual([
      "failure https://a.test/2",
      "page https://a.test/",
      "page https://a.test/1",
      "skip https://b.test/",
    ]);
  });

  it("lets a slow reader slow its crawl", async () => {
    const pages = Object.fromEntries(paths(30).map((path) => [`https://a.test${path}`, "<p>"]));
    const server = fakeServer(
      { "https://a.test/": linksTo(...paths(30)), ...pages },
      { idleMs: Number.POSITIVE_INFINITY, limits: { maxDurationMs: Number.POSITIVE_INFINITY } },
    );
    const id = await server.start({ seeds: "https://a.test/", start: "read" });
    const reader = (await server.ask(`/crawls/${id}/pages`)).body!.getReader();
    await reader.read();
    await settled(100);
    const { stats, readers } = await server.read<Shown>(`/crawls/${id}`);
    // The second waits to be taken; what is in flight and unread is at most the concurrency.
    expect(stats.pages).toBeLessThanOrEqual(1 + 1 + 8);
    expect(readers).toBe(1);
    await reader.cancel();
    expect((await ended(server, id)).stats.pages).toBe(31);
  });

  it("goes on without a reader that takes nothing for idleMs, who is told", async () => {
    const server = fakeServer(SITE, { idleMs: 1000 });
    const id = await server.start({ seeds: "https://a.test/", start: "read" });
    const body = (await server.ask(`/crawls/${id}/pages`)).body!;
    expect((await ended(server, id)).stats).toMatchObject({ pages: 2, finishReason: "done" });
    await expect(body.getReader().read()).rejects.toThrow("Nothing was taken for 1000 ms");
  });

  it("stops a crawl gently", async () => {
    const server = fakeServer({ "https://a.test/": { fault: "never" } }, { crawl: { timeoutMs: 50_000 } });
    const waiting = await server.start({ seeds: "https://a.test/", start: "read" });
    const response = await server.ask(`/crawls/${waiting}`, { method: "DELETE" });
    expect(response.status).toBe(202);
    const { stats } = await ended(server, waiting);
    expect(stats).toMatchObject({ finishReason: "stopped", finishDetail: "stopped by a client" });
    const again = await problemOf(await server.ask(`/crawls/${waiting}`, { method: "DELETE" }));
    expect(again).toMatchObject({ status: 409, detail: `The crawl '${waiting}' is over already` });
  });

  it("stops all when its signal is aborted", async () => {
    const controller = new AbortController();
    const server = fakeServer(SITE, { signal: controller.signal });
    const id = await server.start({ seeds: "https://a.test/", start: "read" });
    controller.abort();
    expect((await ended(server, id)).stats.finishReason).toBe("stopped");
  });

  it("runs at most maxCrawls at once", async () => {
    const server = fakeServer(SITE, { maxCrawls: 1 });
    const id = await server.start({ seeds: "https://a.test/", start: "read" });
    const refused = await server.ask("/crawls", submitted({ seeds: "https://a.test/" }));
    expect(await problemOf(refused)).toMatchObject({ status: 429, title: "Too Many Requests" });
    await server.ask(`/crawls/${id}`, { method: "DELETE" });
    await settled();
    await server.start({ seeds: "https://a.test/" });
  });

  it("forgets crawls that are over after keepMs, and the oldest of too many", async () => {
    const server = fakeServer(SITE, { keepMs: 60_000, maxFinished: 2 });
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.push(await server.start({ seeds: "https://a.test/" }));
      await ended(server, ids[i]!);
    }
    expect((await server.read<Shown[]>("/crawls")).map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    await server.clock.sleep(60_000);
    expect(await server.read("/crawls")).toEqual([]);
    expect(await problemOf(await server.ask(`/crawls/${ids[2]}`))).toMatchObject({ status: 404 });
  });

  it("forgets a crawl that nobody came to read, and gives its place away", async () => {
    const server = fakeServer(SITE, { keepMs: 60_000, maxCrawls: 1 });
    await server.start({ seeds: "https://a.test/", start: "read" });
    await server.clock.sleep(60_000);
    await server.start({ seeds: "https://a.test/" });
    expect(server.clock.sleeping).toBeLessThan(5);
  });

  it("answers every error as a problem", async () => {
    const server = fakeServer(SITE);
    const { ask } = server;
    expect(await problemOf(await ask("/nowhere"))).toMatchObject({ status: 404, title: "Not Found" });
    expect(await problemOf(await ask("/crawls/none"))).toMatchObject({ status: 404 });
    expect(await problemOf(await ask("/crawls/none/events"))).toMatchObject({ status: 404 });
    expect(await problemOf(await ask("/crawls/none/pages"))).toMatchObject({ status: 404 });
    const put = await ask("/crawls", { method: "PUT" });
    expect(put.headers.get("allow")).toContain("POST");
    expect(await problemOf(put)).toMatchObject({ status: 405 });
    const plain = await ask("/crawls", { method: "POST", body: '{"seeds":"https://a.test/"}' });
    expect(await problemOf(plain)).toMatchObject({ status: 415 });
    const large = await ask(
      "/crawls",
      submitted({ seeds: "https://a.test/", options: { userAgent: "x".repeat(70_000) } }),
    );
    expect(await problemOf(large)).toMatchObject({ status: 413 });
    const id = await server.start({ seeds: "https://a.test/" });
    expect(await problemOf(await ask(`/crawls/${id}/pages?type=pages`))).toMatchObject({
      status: 400,
      detail: "'type' must be a list of page, failure and skip: received 'pages'",
    });
    expect(await problemOf(await ask(`/crawls/${id}/pages?follow=no`))).toMatchObject({ status: 400 });
  });

  it("names every field that is wrong", async () => {
    const { ask } = fakeServer(SITE);
    const response = await ask(
      "/crawls",
      submitted({
        seeds: ["https://a.test/", "ftp://b.test/"],
        options: { maxPages: 1e9, concurency: 1 },
        starts: "now",
      }),
    );
    const { status, errors } = await problemOf(response);
    expect(status).toBe(400);
    expect(errors?.map(({ pointer }) => pointer)).toEqual([
      "#/starts",
      "#/seeds/1",
      "#/options/maxPages",
      "#/options/concurency",
    ]);
  });

  it("is mounted in another app, and says where its crawls are", async () => {
    const server = fakeServer(SITE);
    const own = new Hono().route("/crawler", server.app);
    const response = await own.request(
      "http://localhost/crawler/crawls",
      submitted({ seeds: "https://a.test/" }),
    );
    const location = response.headers.get("location") ?? "";
    expect(location).toMatch(/^\/crawler\/crawls\/1-/);
    const events = await new EventStreamReader(
      await own.request(`http://localhost${location}/events`),
    ).toEnd();
    expect(dataOf<CrawlStats>(events, "finished")[0]?.pages).toBe(2);
    expect((await own.request("http://localhost/crawler/crawls/none")).status).toBe(404);
  });

  it("throws at once where an option is wrong", () => {
    expect(() => createApp({ maxCrawls: 0 })).toThrow(RangeError);
    expect(() => createApp({ maxCrawl: 1 } as object)).toThrow("did you mean 'maxCrawls'?");
    expect(() => createApp({ token: "two words" })).toThrow(TypeError);
    expect(() => createApp({ limits: { maxPages: -1 } })).toThrow("'limits.maxPages'");
    expect(() => createApp({ limits: { pages: 1 } as object })).toThrow("limits.pages");
    expect(() => createApp({ crawl: { concurrency: 0 } })).toThrow("'concurrency'");
    expect(() => createApp({ trustedHosts: "a.test" as unknown as string[] })).toThrow(TypeError);
    expect(() => createApp({ privateAddresses: "seeds" as "deny" })).toThrow(TypeError);
  });
});
