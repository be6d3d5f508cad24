import { describe, expect, test } from "vitest";
import { Fetcher, type HopOutcome, type HopStream } from "../src/fetcher.ts";
import { loadRobots, receiveRobots } from "../src/robots_loader.ts";
import { FakeClock } from "../src/testing/fake_clock.ts";
import { type FakePage, fakeWeb } from "../src/testing/fake_web.ts";
import { fetchTransport } from "../src/transport/fetch.ts";

const TIMES = { startedAtMs: 0, responseMs: 1 };
const headers = new Headers();

/** What comes of it where each URL answers so, and which were asked. */
async function load(
  outcomes: Record<string, Exclude<HopOutcome, HopStream>>,
  mayContact: (url: string) => boolean = () => true,
) {
  const sent: string[] = [];
  const send = async (url: string): Promise<Exclude<HopOutcome, HopStream>> => {
    sent.push(url);
    return outcomes[url] ?? { type: "unwanted", status: 404, headers, ...TIMES };
  };
  return { answer: await loadRobots("https://a.test", send, mayContact), sent };
}

function redirect(location: string | undefined): Exclude<HopOutcome, HopStream> {
  return { type: "redirect", status: 302, location, headers, ...TIMES };
}

describe("loadRobots()", () => {
  test("gives the rules of the file, whatever type it claims", async () => {
    const body = new TextEncoder().encode("User-agent: *\nDisallow: /no");
    const { answer, sent } = await load({
      "https://a.test/robots.txt": { type: "response", status: 200, headers, body, ...TIMES },
    });
    expect(sent).toEqual(["https://a.test/robots.txt"]);
    expect(answer).toMatchObject({ type: "rules", status: 200 });
    expect(answer.type === "rules" && answer.rules.isAllowed("https://a.test/no", "x")).toBe(false);
  });

  test.each([
    [404, "allow-all"],
    [401, "allow-all"],
    [410, "allow-all"],
    [429, "unreachable"],
    [500, "unreachable"],
    [304, "unreachable"],
  ] as const)("takes a status of %i for %s", async (status, type) => {
    const { answer } = await load({
      "https://a.test/robots.txt": { type: "unwanted", status, headers, ...TIMES },
    });
    expect(answer).toMatchObject({ type, status });
  });

  test("resolves redirects one after another, and holds the rules for the origin that was asked", async () => {
    const body = new TextEncoder().encode("User-agent: *\nDisallow: /no\nSitemap: /map.xml");
    const { answer, sent } = await load({
      "https://a.test/robots.txt": redirect("//b.test/x/"),
      "https://b.test/x/": redirect("../robots.txt"),
      "https://b.test/robots.txt": { type: "response", status: 200, headers, body, ...TIMES },
    });
    expect(sent).toEqual(["https://a.test/robots.txt", "https://b.test/x/", "https://b.test/robots.txt"]);
    expect(answer.type === "rules" && answer.rules.isAllowed("https://a.test/no", "x")).toBe(false);
    expect(answer.type === "rules" && answer.rules.sitemaps).toEqual(["https://a.test/map.xml"]);
  });

  test.each([
    ["no Location", undefined],
    ["no URL", "http://"],
    ["another scheme", "file:///etc/robots.txt"],
  ])("is unreachable by a redirect with %s", async (_, location) => {
    const { answer, sent } = await load({ "https://a.test/robots.txt": redirect(location) });
    expect(answer).toEqual({ type: "unreachable", status: 302 });
    expect(sent).toHaveLength(1);
  });

  test("does not follow a redirect to where it must not go", async () => {
    const { answer, sent } = await load(
      { "https://a.test/robots.txt": redirect("http://10.0.0.1/") },
      (url) => !url.includes("10.0"),
    );
    expect(answer).toEqual({ type: "unreachable", status: 302 });
    expect(sent).toHaveLength(1);
  });

  test("gives up with the crawl", async () => {
    const { answer } = await load({ "https://a.test/robots.txt": { type: "aborted", reason: "over" } });
    expect(answer).toEqual({ type: "aborted" });
  });
});

describe("receiveRobots()", () => {
  const url = "https://a.test/robots.txt";
  function receive(page: FakePage): Promise<Exclude<HopOutcome, HopStream>> {
    const clock = new FakeClock();
    const web = fakeWeb({ [url]: page }, { clock });
    const transport = fetchTransport(web.fetch as typeof fetch);
    return receiveRobots(
      new Fetcher({ transport, clock, timeoutMs: 1_000, maxBodyBytes: 10 }),
      url,
      new Headers(),
    );
  }

  test("reads the file whole where it is short, maxBodyBytes notwithstanding", async () => {
    const outcome = await receive("User-agent: *");
    expect(outcome.type === "response" && new TextDecoder().decode(outcome.body)).toBe("User-agent: *");
  });

  test("cuts a long one just over 500 KiB, and is well with it", async () => {
    const outcome = await receive("#".repeat(3_000_000));
    expect(outcome).toMatchObject({ type: "response", status: 200 });
    const length = outcome.type === "response" ? outcome.body.length : 0;
    expect(length).toBeGreaterThan(500 * 1024);
    expect(length).toBeLessThanOrEqual(3_000_000);
  });

  test("reads no body but that of a 2xx, and gives one without a body as empty", async () => {
    expect(await receive({ status: 404, body: "User-agent: *" })).toMatchObject({
      type: "unwanted",
      status: 404,
    });
    expect(await receive({ status: 503, body: "User-agent: *" })).toMatchObject({
      type: "unwanted",
      status: 503,
    });
    const empty = await receive({ status: 204 });
    expect(empty.type === "response" && empty.body.length).toBe(0);
  });

  test("is a failure where nothing comes in time", async () => {
    expect(await receive({ fault: "never" })).toMatchObject({ type: "failure", reason: "timeout" });
  });
});
