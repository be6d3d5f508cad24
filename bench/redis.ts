/**
 * The store in Redis: two workers against one, where work waits on the network; what Redis has to do for a page; its
 * memory by kind of key. `npx tsx bench/redis.ts`, with redis-server on the path or named as REDIS_SERVER.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { Redis } from "ioredis";
import { redis } from "../src/frontier/redis.ts";
import type { CrawlRequest } from "../src/request.ts";
import { Fleet } from "../test/frontier/redis_fleet.ts";
import { REDIS_SERVER, startRedis } from "../test/frontier/redis_server.ts";
import { median } from "./support/summary.ts";

const ROUNDS = 3;
const HOSTS = 32;
const PAGES = 15;
const CONCURRENCY = 8;
const ANSWER_MS = 250;
const QUEUED = 200_000;
const COMPLETED = 5_000;
const LINKS = 51;
const NEW_LINKS = 2;

interface Site {
  readonly seeds: readonly string[];
  readonly answered: number;
  /** Seconds from the first request to the last answer. */
  readonly seconds: number;
  close(): void;
}

/** Hosts whose first page leads to all others; each answers late, as over a network. */
async function openSite(): Promise<Site> {
  const servers: Server[] = [];
  let answered = 0;
  let firstMs: number | undefined;
  let lastMs = 0;
  const links = Array.from({ length: PAGES - 1 }, (_, i) => `<a href="/${i + 1}">x</a>`).join("");
  for (let i = 0; i < HOSTS; i++) {
    const server = createServer(({ url }, response) => {
      firstMs ??= performance.now();
      setTimeout(() => {
        lastMs = performance.now();
        if (url !== "/robots.txt") answered++;
        response.writeHead(url === "/robots.txt" ? 404 : 200, { "content-type": "text/html" });
        response.end(url === "/" ? links : "");
      }, ANSWER_MS);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    servers.push(server);
  }
  return {
    seeds: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    get answered() {
      return answered;
    },
    get seconds() {
      return (lastMs - firstMs!) / 1_000;
    },
    close() {
      for (const server of servers) server.close().closeAllConnections();
    },
  };
}

/** Pages a second of so many workers. */
async function pagesPerSecond(workers: number, port: number, crawlId: string): Promise<number> {
  const site = await openSite();
  const { seeds } = site;
  const order = {
    port,
    crawlId,
    leaseMs: 10_000,
    seeds,
    concurrency: CONCURRENCY,
    hostConcurrency: 1,
    gapMs: 0,
  };
  const fleet = new Fleet(order, workers);
  await fleet.ended();
  site.close();
  if (site.answered !== HOSTS * PAGES || fleet.complaints.length > 0) {
    throw new Error(`Expected ${HOSTS * PAGES} pages: ${site.answered} were asked for ${fleet.complaints}`);
  }
  return site.answered / site.seconds;
}

/** Runs something; gives the scripts that it called, and the milliseconds of processor time that Redis had for it. */
async function measure(client: Redis, act: () => Promise<void>): Promise<{ calls: number; ms: number }> {
  await client.config("RESETSTAT");
  const before = await processorMs(client);
  await act();
  const ms = (await processorMs(client)) - before;
  const info = await client.info("commandstats");
  const calls = [...info.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );
  return { calls, ms };
}

async function processorMs(client: Redis): Promise<number> {
  const info = await client.info("cpu");
  const seconds = [...info.matchAll(/used_cpu_(?:sys|user):([\d.]+)/g)].reduce(
    (sum, [, s]) => sum + Number(s),
    0,
  );
  return 1_000 * seconds;
}

async function benchWorkers(client: Redis, port: number): Promise<void> {
  const rates = new Map<number, number[]>([
    [1, []],
    [2, []],
  ]);
  const { calls, ms } = await measure(client, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      for (const [workers, of] of rates)
        of.push(await pagesPerSecond(workers, port, `bench-${round}-${workers}`));
    }
  });
  const pages = 2 * ROUNDS * HOSTS * PAGES;
  const [one, two] = [median(rates.get(1)!), median(rates.get(2)!)];
  console.log(
    `| ${HOSTS} hosts of ${PAGES} pages, answers after ${ANSWER_MS} ms, ${CONCURRENCY} at once | median |`,
  );
  console.log("|---|---|");
  console.log(`| one worker, pages a second | ${one.toFixed(1)} |`);
  console.log(`| two workers, pages a second | ${two.toFixed(1)} |`);
  console.log(`| ratio | ${(two / one).toFixed(2)} |`);
  console.log(`| scripts a page | ${(calls / pages).toFixed(1)} |`);
  console.log(`| processor time of Redis a page, ms | ${(ms / pages).toFixed(3)} |`);
}

function requests(from: number, count: number): CrawlRequest[] {
  return Array.from({ length: count }, (_, i) => {
    const host = `www.host-${(from + i) % 2_000}.example`;
    const url = `https://${host}/articles/2026/${String(from + i).padStart(12, "0")}.html`;
    return {
      url,
      key: url,
      host,
      depth: 3,
      priority: -3,
      order: 0,
      referrer: `https://${host}/articles/2026/${(from + i) % 977}.html`,
    };
  });
}

/** Bytes of the crawl's keys, by their kinds. */
async function bytesByKind(client: Redis, crawlId: string): Promise<Map<string, number>> {
  const bytes = new Map<string, number>();
  const name = `dragline:{${crawlId}}`;
  for await (const keys of client.scanStream({ match: `${name}*`, count: 1_000 })) {
    for (const key of keys as string[]) {
      const kind = key.slice(name.length).split(":")[1] ?? "";
      bytes.set(kind, (bytes.get(kind) ?? 0) + ((await client.memory("USAGE", key, "SAMPLES", 0)) ?? 0));
    }
  }
  return bytes;
}

async function benchMemory(client: Redis, seen: "exact" | "bloom"): Promise<void> {
  const crawlId = `memory-${seen}`;
  // One string of the filter is full then, as all are in a large one.
  const bloom = { capacity: 14_000_000, falsePositives: 0.01 };
  const frontier = redis(client, { crawlId, ...(seen === "bloom" && { seen: { bloom } }) });
  const times: number[] = [];
  // New ones first, then all of them once more.
  for (let round = 0; round < 2; round++) {
    const { ms } = await measure(client, async () => {
      for (let at = 0; at < QUEUED; at += 1_000) await frontier.add(requests(at, 1_000), Date.now());
    });
    times.push((ms * 1_000) / QUEUED);
  }
  console.log(`\n| ${QUEUED} URLs of 61 characters on 2,000 hosts, seen: ${seen} | bytes a URL |\n|---|---|`);
  for (const [kind, bytes] of await bytesByKind(client, crawlId)) {
    console.log(
      `| ${kind || "(counters)"} | ${(bytes / (kind === "bits" ? bloom.capacity : QUEUED)).toFixed(2)} |`,
    );
  }
  const [fresh, seenBefore] = times as [number, number];
  console.log(
    `\nprocessor time of Redis a URL: ${fresh.toFixed(1)} µs new, ${seenBefore.toFixed(1)} µs seen before`,
  );
}

/** A page's whole way through the store, as it is in the midst of a crawl: nearly all of its links were seen before. */
async function benchPage(client: Redis): Promise<void> {
  const frontier = redis(client, { crawlId: "memory-exact" });
  const [lease] = await frontier.lease(1, Date.now());
  const { ms } = await measure(client, async () => {
    for (let page = 0; page < COMPLETED; page++) {
      const [request] = await frontier.take(lease!, 1, Date.now());
      const fresh = requests(QUEUED + page * NEW_LINKS, NEW_LINKS).map((link) => ({
        ...link,
        host: lease!.host,
      }));
      const found = [...fresh, ...requests((page * LINKS) % QUEUED, LINKS - NEW_LINKS)];
      await frontier.complete(lease!, request!, found, Date.now());
    }
  });
  const each = Math.round((ms * 1_000) / COMPLETED);
  console.log(`\nprocessor time of Redis a page of ${LINKS} links, ${NEW_LINKS} of them new: ${each} µs`);
}

if (REDIS_SERVER === undefined)
  throw new Error("Cannot run as there is no redis-server: name it as REDIS_SERVER");
const server = await startRedis();
const client = new Redis({ port: server.port });
try {
  await benchWorkers(client, server.port);
  await benchMemory(client, "exact");
  await benchPage(client);
  await benchMemory(client, "bloom");
} finally {
  client.disconnect();
  await server.close();
}
process.exit(0);
