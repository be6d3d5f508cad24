/**
 * What one request costs, without a crawl around it: the processor time of a page of 10 KB on loopback, 32 at once, by
 * the bare `fetch`, by `fetch` with all that the crawl hands it, by the fetcher over that, and on Node.js by the fetcher
 * over undici. All have their turns in one process. `npm run bench -- transport_cost`; the script runs on Deno and Bun
 * too.
 */
import process from "node:process";
import { systemClock } from "../src/clock.ts";
import { Fetcher, type Transport } from "../src/fetcher.ts";
import { fetchTransport } from "../src/transport/fetch.ts";
import { markdownTable } from "./support/markdown_table.ts";
import { inRounds } from "./support/rounds.ts";
import { syntheticSite } from "./support/site.ts";
import { startSite } from "./support/site_process.ts";
import { ratios, summary } from "./support/summary.ts";

const REQUESTS = 3_000;
const AT_ONCE = 32;
const ROUNDS = 9;
const HEADERS = {
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5",
  "user-agent": "dragline/0.1",
  "accept-encoding": "gzip, br",
};

type Way = readonly [name: string, get: (url: string) => Promise<unknown>];

async function asTheCrawlAsks(url: string): Promise<unknown> {
  const { signal } = new AbortController();
  const response = await fetch(url, { headers: new Headers(HEADERS), redirect: "manual", signal });
  return response.arrayBuffer();
}

function byFetcher(transport: Transport): Way[1] {
  const fetcher = new Fetcher({ transport, timeoutMs: 10_000, maxBodyBytes: 10_485_760, clock: systemClock });
  return async (url) => {
    const outcome = await fetcher.fetch({ url, headers: new Headers(HEADERS), wants: () => true });
    if (outcome.type !== "response") throw new Error(`Cannot measure as '${url}' gave ${outcome.type}`);
    return outcome.body;
  };
}

async function ways(): Promise<readonly Way[]> {
  const all: Way[] = [
    ["bare `fetch`, `text()`", async (url) => (await fetch(url)).text()],
    ['`fetch` with headers, signal and `redirect: "manual"`, `arrayBuffer()`', asTheCrawlAsks],
    ["the fetcher over `fetch`", byFetcher(fetchTransport())],
  ];
  if ("Deno" in globalThis || "Bun" in globalThis) return all;
  const { undiciTransport } = await import("../src/transport/undici.ts");
  return [...all, ["the fetcher over undici", byFetcher(undiciTransport())]];
}

/** Microseconds of processor time a request, all threads counted. */
async function costOf(get: Way[1], url: string): Promise<number> {
  const before = process.cpuUsage();
  let left = REQUESTS;
  const oneByOne = async (): Promise<void> => {
    while (left-- > 0) await get(url);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, oneByOne));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REQUESTS;
}

const { startUrl, close } = await startSite(syntheticSite(100, 10));
const measured = await ways();
for (const [, get] of measured) await costOf(get, startUrl); // warms up
const costs = await inRounds(measured, ROUNDS, ([, get]) => costOf(get, startUrl));
const rows = measured.map(([name], at) => [
  name,
  summary(costs[at]!),
  at === 0 ? "1" : summary(ratios(costs[at]!, costs[0]!)),
]);
console.log(markdownTable(["a page of 10 KB", "µs a request", "of the bare `fetch`"], rows));
await close();
process.exit(0);
