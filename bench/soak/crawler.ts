// Crawls hosts that misbehave, one crawl after the other, on the runtime that runs this: `crawler.ts ORDERS`, which are
// JSON. Prints what it found as JSON, and must then end by itself.
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import type { Transport } from "../../src/fetcher.ts";
import { Lateness } from "./lateness.ts";
import { growth, type MemorySample, type MemoryTrend, sampleMemory, trendOf } from "./memory.ts";
import { type CrawlPlan, drawPlan } from "./plan.ts";
import { chanceOf } from "./scene.ts";
import { soakedCrawl } from "./soaked_crawl.ts";

/** What a crawler is to do. */
export interface SoakOrders {
  readonly origins: readonly string[];
  /** Where the hosts take orders. */
  readonly control: string;
  readonly seed: number;
  readonly seconds: number;
  readonly transport: "fetch" | "undici";
}

/** What a crawler found. */
export interface SoakReport {
  readonly crawls: number;
  readonly requests: number;
  readonly pages: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly skips: Readonly<Record<string, number>>;
  readonly memory: MemoryTrend;
  /** What still holds the process, where the runtime can tell. */
  readonly resources: readonly string[];
  readonly connections: { readonly open: number; readonly busy: number };
  readonly tally: Readonly<Record<string, number>>;
  readonly complaints: readonly string[];
}

const CRAWL_LIMIT_MS = 60_000;
/** For how long connections may be kept for a next request. */
const IDLE_LIMIT_MS = 20_000;
const MOST_COMPLAINTS = 20;

const { origins, control, seed, seconds, transport: kind } = JSON.parse(process.argv[2] ?? "") as SoakOrders;
const complaints: string[] = [];
const lateness = new Lateness();
let current = "before the first crawl";

function complain(what: string): void {
  complaints.push(`${current}: ${what}`);
  console.error(`${current}: ${what}`);
}

process.on("unhandledRejection", (reason) => complain(`unhandled rejection: ${stackOf(reason)}`));
process.on("uncaughtException", (error) => complain(`uncaught error: ${stackOf(error)}`));
process.on("warning", ({ name, message }) => {
  if (name !== "ExperimentalWarning") complain(`warning: ${name} ${message}`);
});

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function order<T>(path: string, body?: unknown): Promise<T> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  return (await (await fetch(`${control}${path}`, init)).json()) as T;
}

async function transportOf(): Promise<{ transport?: Transport }> {
  if (kind === "fetch") return {};
  // The package undici is for Node alone.
  const { undiciTransport } = await import("../../src/transport/undici.ts");
  return { transport: undiciTransport() };
}

/** Fails where a crawl does not end: the one thing that can be said of every web is that its crawl ends. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const controller = new AbortController();
  const limit = wait(ms, undefined, { signal: controller.signal }).then(() => {
    throw new Error(`did not end within ${ms} ms`);
  });
  limit.catch(() => {});
  return Promise.race([work, limit]).finally(() => controller.abort());
}

const totals = { crawls: 0, requests: 0, pages: 0 };
const failures: Record<string, number> = {};
const skips: Record<string, number> = {};

function addTo(sums: Record<string, number>, counts: Readonly<Partial<Record<string, number>>>): void {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + (count ?? 0);
}

async function runCrawl(plan: CrawlPlan): Promise<void> {
  current = `crawl ${plan.crawl} (${plan.ending})`;
  const { crawl, gapMs, limit, obeysRobots } = plan;
  lateness.take();
  await order("/begin", { crawl, gapMs, limit, obeysRobots });
  const seeds = origins.flatMap((origin) => [`${origin}/c${crawl}/p0`, `${origin}/c${crawl}/p1`]);
  try {
    const { stats, complaints: broken } = await within(CRAWL_LIMIT_MS, soakedCrawl(plan, seeds, transport));
    totals.crawls++;
    totals.requests += stats.requests + stats.robotsRequests;
    totals.pages += stats.pages;
    addTo(failures, stats.failuresByReason);
    addTo(skips, stats.skipsByReason);
    for (const what of broken.slice(0, 3)) complain(what);
  } catch (error) {
    complain(stackOf(error));
  }
  for (const what of (await order<string[]>("/end", lateness.take())).slice(0, 3)) complain(what);
}

async function connectionsAtRest(): Promise<SoakReport["connections"]> {
  const endMs = performance.now() + IDLE_LIMIT_MS;
  while (true) {
    const connections = await order<SoakReport["connections"]>("/connections");
    if (connections.open === 0 || performance.now() > endMs) return connections;
    await wait(250);
  }
}

/** What holds the process on Node, but for the streams and the pause of the moment. */
function resourcesAtRest(): string[] {
  const { getActiveResourcesInfo } = process as { getActiveResourcesInfo?: () => string[] };
  const known = /^(TTYWrap|PipeWrap|FSReqCallback|CloseReq)$/;
  return getActiveResourcesInfo?.call(process).filter((name) => !known.test(name)) ?? [];
}

const transport = await transportOf();
const random = chanceOf(seed, "plans");
const samples: MemorySample[] = [];
const endMs = performance.now() + seconds * 1000;
for (let crawl = 1; performance.now() < endMs && complaints.length < MOST_COMPLAINTS; crawl++) {
  await runCrawl(drawPlan(random, crawl));
  samples.push(sampleMemory());
}
current = "after the last crawl";
lateness.stop();
const connections = await connectionsAtRest();
if (connections.open > 0) complain(`${connections.open} connections open, ${connections.busy} of them busy`);
const memory = trendOf(samples);
for (const what of growth(memory)) complain(what);
const tally = await order<Record<string, number>>("/tally");
// The connections of these orders themselves.
await wait(500);
const resources = resourcesAtRest();
if (resources.length > 0) complain(`left behind: ${resources.join(", ")}`);
const report: SoakReport = { ...totals, failures, skips, memory, resources, connections, tally, complaints };
console.log(JSON.stringify(report));
