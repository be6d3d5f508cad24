/**
 * A crawl of a site of a million pages of 1 KB to its end: pages a second and processor time a page for each tenth of
 * it, peak memory, the longest time for which the event loop stood still, and whether every page came exactly once.
 * `npm run bench -- million`, or `... million -- PAGES memory|sqlite`; the file needs Node.js 22.13, Deno or Bun.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type CrawlOptions, crawl, type Frontier, memory } from "../mod.ts";
import { sqlite } from "../src/frontier/sqlite.ts";

const AT_ONCE = 32;
const TENTHS = 10;
const TICK_MS = 5;

/** What happened while a tenth of the pages was crawled. */
interface Tenth {
  readonly pagesPerSecond: number;
  /** Microseconds of this process's processor time a page. */
  readonly cpuMicros: number;
  readonly queued: number;
  readonly rssMb: number;
  readonly longestStallMs: number;
}

const [pagesGiven = "1000000", store = "memory"] = process.argv.slice(2);
const pages = Number(pagesGiven);
const folder = mkdtempSync(join(tmpdir(), "dragline-bench-"));

function frontierOf(name: string): Frontier {
  if (name === "memory") return memory();
  if (name === "sqlite") return sqlite(join(folder, "state.db"));
  throw new Error(`Cannot crawl with the store '${name}': there are memory and sqlite`);
}

/** Watches the event loop: how much too late a timer came. */
class Stalls {
  #longestMs = 0;
  #lastMs = performance.now();
  readonly #timer = setInterval(() => this.#tick(), TICK_MS);

  /** The longest since the last call. */
  take(): number {
    const longestMs = this.#longestMs;
    this.#longestMs = 0;
    return longestMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const nowMs = performance.now();
    this.#longestMs = Math.max(this.#longestMs, nowMs - this.#lastMs - TICK_MS);
    this.#lastMs = nowMs;
  }
}

/** The fastest there is: the runtime's own `fetch`, but on Node.js. */
async function fastestTransport(): Promise<Pick<CrawlOptions, "transport">> {
  if ("Bun" in globalThis || "Deno" in globalThis) return {};
  const { undiciTransport } = await import("../src/transport/undici.ts");
  return { transport: undiciTransport() };
}

async function measuredCrawl(origin: string): Promise<{ tenths: Tenth[]; peakRssMb: number }> {
  const seen = new Uint8Array(pages);
  const tenths: Tenth[] = [];
  const stalls = new Stalls();
  let count = 0;
  let atMs = performance.now();
  let cpu = process.cpuUsage();
  let peakRssMb = 0;
  const sampler = setInterval(() => {
    peakRssMb = Math.max(peakRssMb, process.memoryUsage().rss / 1e6);
  }, 200);
  const running = crawl(`${origin}/page/0`, {
    delayMs: 0,
    concurrency: AT_ONCE,
    hostConcurrency: AT_ONCE,
    // Of URLs that differ in numbers alone, as this site's do, they would take 20,000.
    traps: false,
    ...(await fastestTransport()),
    frontier: frontierOf(store),
  });
  for await (const page of running) {
    const n = Number(page.url.slice(origin.length + "/page/".length));
    if (!page.ok || !(n < pages)) throw new Error(`Expected a page of the site: received ${page.url}`);
    if (seen[n] === 1) throw new Error(`Expected each page once: received ${page.url} twice`);
    seen[n] = 1;
    count++;
    if (count % (pages / TENTHS) !== 0) continue;
    const nowMs = performance.now();
    const { user, system } = process.cpuUsage(cpu);
    tenths.push({
      pagesPerSecond: (pages / TENTHS / (nowMs - atMs)) * 1_000,
      cpuMicros: (user + system) / (pages / TENTHS),
      queued: running.stats.queued,
      rssMb: process.memoryUsage().rss / 1e6,
      longestStallMs: stalls.take(),
    });
    atMs = nowMs;
    cpu = process.cpuUsage();
  }
  clearInterval(sampler);
  stalls.stop();
  if (count !== pages) throw new Error(`Expected ${pages} pages: received ${count}`);
  return { tenths, peakRssMb };
}

function report({ tenths, peakRssMb }: Awaited<ReturnType<typeof measuredCrawl>>): void {
  console.log(
    `${pages} pages of 1 KB, each once, ${AT_ONCE} at once, ${store}, peak memory ${peakRssMb.toFixed(0)} MB\n`,
  );
  console.log(
    "| pages so far | pages a second | µs of the processor a page | queued | MB | longest stall, ms |",
  );
  console.log("|---|---|---|---|---|---|");
  for (const [i, { pagesPerSecond, cpuMicros, queued, rssMb, longestStallMs }] of tenths.entries()) {
    const cells = [((i + 1) * pages) / TENTHS, pagesPerSecond, cpuMicros, queued, rssMb, longestStallMs];
    console.log(`| ${cells.map((cell) => cell.toFixed(0)).join(" | ")} |`);
  }
  const first = tenths[0]!;
  const last = tenths.at(-1)!;
  const rates = (last.pagesPerSecond / first.pagesPerSecond).toFixed(2);
  console.log(
    `\nLast tenth against the first: rate ${rates}, processor time ${(last.cpuMicros / first.cpuMicros).toFixed(2)}`,
  );
}

const server = spawn("node", ["--import", "tsx", "bench/graph_site.ts", `${pages}`], {
  stdio: ["pipe", "pipe", "inherit"],
});
try {
  const [port] = (await once(server.stdout, "data")) as [Buffer];
  report(await measuredCrawl(`http://127.0.0.1:${String(port).trim()}`));
} finally {
  server.stdin.end();
  rmSync(folder, { recursive: true });
}
await once(server, "exit");
process.exit(0);
