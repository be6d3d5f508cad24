/**
 * How soon the first page is out after its last byte, cold and warm, and how soon a crawl of a thousand hosts is over
 * once it is cancelled, by its stream's `cancel()`, by `break` and by its signal. `npm run bench -- latency`, or
 * `node --import tsx bench/latency.ts`, `deno run -A bench/latency.ts`, `bun bench/latency.ts`.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type CrawlOptions, crawl } from "../mod.ts";
import { summary } from "./support/summary.ts";

const COLD_STARTS = 10;
const WARM_STARTS = 200;
const CANCELS = 20;
const HOSTS = 1_000;
const AT_ONCE = 100;
const THINKING_MS = 15;

// What runs TypeScript on Node.js 20 has the stack of each error mapped to its source: a third of the time that it takes
// to abort a hundred requests, each by an error of undici's. A program in JavaScript has none of it.
process.setSourceMapsEnabled?.(false);

/** Milliseconds since the epoch with fractions: one clock for all processes of a machine. */
const nowMs = (): number => performance.timeOrigin + performance.now();

/** `/page` tells in its last line when that was written; `/open` what hangs still, and since when nothing does. */
function serve(): void {
  const hanging = new Set<ServerResponse>();
  let lastClosedMs = 0;
  const server = createServer(async (request, response) => {
    const { url = "" } = request;
    if (url === "/open") {
      response.end(JSON.stringify({ open: hanging.size, lastClosedMs }));
    } else if (url === "/robots.txt") {
      response.writeHead(404).end();
    } else if (url === "/page" || url === `/${encodeURIComponent("http://h0.test/")}`) {
      response.writeHead(200, { "content-type": "text/html" }).write("<title>Page</title>\n");
      await sleep(THINKING_MS);
      response.end(`<p>${nowMs()}`);
    } else {
      hanging.add(response);
      response.on("close", () => {
        hanging.delete(response);
        lastClosedMs = nowMs();
      });
    }
  });
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
  process.stdin.on("end", () => {
    server.close();
    server.closeAllConnections();
  });
  process.stdin.resume();
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

function start(command: string, ...args: readonly string[]): Child {
  return spawn(command, [...args], { stdio: ["pipe", "pipe", "inherit"] });
}

/** This file once more, in a process of its own, on the same runtime. */
function startAgain(...args: readonly string[]): Child {
  const flags = "Deno" in globalThis ? ["run", "-A", "--quiet"] : process.execArgv;
  return start(process.execPath, ...flags, "bench/latency.ts", ...args);
}

/** Milliseconds from the last byte of the first page until the reader has it. */
async function firstPageMs(origin: string): Promise<number> {
  for await (const page of crawl(`${origin}/page`)) return nowMs() - Number(page.text.split("<p>")[1]);
  throw new Error("Expected a page");
}

async function openAt(origin: string): Promise<{ open: number; lastClosedMs: number }> {
  const response = await fetch(`${origin}/open`);
  return (await response.json()) as { open: number; lastClosedMs: number };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadlineMs = nowMs() + 10_000;
  while (!(await isSo())) {
    if (nowMs() > deadlineMs) throw new Error("Expected it within ten seconds");
    await sleep(5);
  }
}

type Way = "cancel()" | "break" | "abort";

interface Ending {
  /** Until `finished` was settled. */
  readonly finishedMs: number;
  /** Until the server saw the last connection closed. */
  readonly closedMs: number;
}

/** Ends a crawl with a thousand hosts in hand and a hundred requests that hang. */
async function endBy(way: Way, origin: string): Promise<Ending> {
  const transport: NonNullable<CrawlOptions["transport"]> = {
    send: ({ url, headers, signal }) =>
      fetch(`${origin}/${encodeURIComponent(url)}`, { headers, signal, redirect: "manual" }),
  };
  const aborter = new AbortController();
  const seeds = Array.from({ length: HOSTS }, (_, n) => `http://h${n}.test/`);
  const options = { transport, robots: false, concurrency: AT_ONCE, signal: aborter.signal };
  const running = crawl(seeds, options);
  const reader = way === "break" ? undefined : running.getReader();
  const { promise: ended, at } = timed(running.finished);
  const isHanging = async (): Promise<boolean> => (await openAt(origin)).open >= AT_ONCE - 1;
  let endedMs = 0;
  if (reader === undefined) {
    for await (const _ of running) {
      await until(isHanging);
      endedMs = nowMs();
      break;
    }
  } else {
    await reader.read();
    await until(isHanging);
    const next = reader.read().catch(() => {});
    endedMs = nowMs();
    if (way === "abort") aborter.abort();
    else await reader.cancel();
    await next;
  }
  await ended;
  await until(async () => (await openAt(origin)).open === 0);
  const { lastClosedMs } = await openAt(origin);
  return { finishedMs: at() - endedMs, closedMs: lastClosedMs - endedMs };
}

/** A promise, and when it was fulfilled. */
function timed(promise: Promise<unknown>): { promise: Promise<void>; at: () => number } {
  let atMs = Number.NaN;
  const fulfilled = promise.then(() => {
    atMs = nowMs();
  });
  return { promise: fulfilled, at: () => atMs };
}

function percentile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(2);
}

async function coldStarts(origin: string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < COLD_STARTS; n++) {
    const child = startAgain("first", origin);
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    times.push(Number(line));
    child.stdin.end();
    await once(child, "exit");
  }
  return times;
}

async function measure(origin: string): Promise<void> {
  console.log("| ms | median | 99 of 100 |\n|---|---|---|");
  const cold = await coldStarts(origin);
  console.log(
    `| first page of a process, after its last byte | ${percentile(cold, 0.5)} | ${percentile(cold, 0.99)} |`,
  );
  const warm: number[] = [];
  for (let n = 0; n < WARM_STARTS; n++) warm.push(await firstPageMs(origin));
  console.log(`| first page of a later crawl | ${percentile(warm, 0.5)} | ${percentile(warm, 0.99)} |`);
  console.log(
    `\n| ${HOSTS} hosts, ${AT_ONCE} in flight: ms, median (least to most) | over | connections closed |`,
  );
  console.log("|---|---|---|");
  for (const way of ["cancel()", "break", "abort"] as const) {
    const endings: Ending[] = [];
    for (let n = 0; n < CANCELS; n++) endings.push(await endBy(way, origin));
    const columns = [endings.map(({ finishedMs }) => finishedMs), endings.map(({ closedMs }) => closedMs)];
    console.log(`| ${way} | ${columns.map(summary).join(" | ")} |`);
  }
}

const [role, given = ""] = process.argv.slice(2);
if (role === "serve") serve();
else if (role === "first") {
  process.stdout.write(`${await firstPageMs(given)}\n`);
  process.exit(0);
} else {
  const server = start("node", "--import", "tsx", "bench/latency.ts", "serve");
  const [port] = (await once(server.stdout, "data")) as [Buffer];
  await measure(`http://127.0.0.1:${String(port).trim()}`);
  server.stdin.end();
  await once(server, "exit");
  process.exit(0);
}
