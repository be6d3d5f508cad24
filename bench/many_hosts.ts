/**
 * The engine's cost of a request as hosts grow more: 1,000, 10,000 and 100,000 hosts of ten pages each, without delay,
 * by a transport that answers at once in this process, so that little but the crawl is measured; with robots.txt and
 * without. `npm run bench -- many_hosts`, or `... many_hosts -- server` for the same pages by one server on loopback,
 * to which the transport maps every name; numbers in
 * place of `server`, or after it, are the counts of hosts. Memory is told where there is `--expose-gc`.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { type CrawlOptions, crawl } from "../mod.ts";

type Transport = NonNullable<CrawlOptions["transport"]>;

const PAGES_A_HOST = 10;
const AT_ONCE = 64;
const ROBOTS = "User-agent: *\nDisallow: /private/\n";
const args = process.argv.slice(2);
const counts = args.map(Number).filter((hosts) => hosts > 0);
const HOSTS = counts.length > 0 ? counts : [1_000, 10_000, 100_000];
const { gc } = globalThis as { gc?: () => void };
const encoder = new TextEncoder();

/** Page `page` of host `host`: its own host's next page, and the first pages of two more hosts. */
function body(host: number, page: number, hosts: number): string {
  const others = [2 * host + 1, 2 * host + 2].filter((other) => other < hosts);
  const next = page + 1 < PAGES_A_HOST ? [`/${page + 1}`] : [];
  const links = [...next, ...others.map((other) => `http://h${other}.test/0`)];
  return `<title>${host}</title>${links.map((href) => `<a href="${href}">x</a>`).join("")}`;
}

function answer(url: string, hosts: number): { type: string; text: string } {
  const [, host, page] = /\/\/h(\d+)\.test\/(.*)$/.exec(url)!;
  if (page === "robots.txt") return { type: "text/plain", text: ROBOTS };
  return { type: "text/html", text: body(Number(host), Number(page), hosts) };
}

function inProcess(hosts: number): Transport {
  return {
    async send({ url }) {
      const { type, text } = answer(url, hosts);
      const bytes = encoder.encode(text);
      const headers = new Headers({ "content-type": type, "content-length": `${bytes.length}` });
      return { status: 200, headers, body: null, arrayBuffer: async () => bytes.buffer };
    },
  };
}

/** Sends every name to one server, which finds it in the path. */
function byOneServer(port: number): Transport {
  return {
    send({ url, headers, signal }) {
      return fetch(`http://127.0.0.1:${port}/${encodeURIComponent(url)}`, {
        headers,
        signal,
        redirect: "manual",
      });
    },
  };
}

function usedBytes(): number {
  gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

interface Run {
  readonly cpuMicros: number;
  readonly pagesPerSecond: number;
  readonly bytesAHost: number;
}

async function run(hosts: number, robots: boolean, transport: Transport): Promise<Run> {
  const bytesBefore = usedBytes();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  let pages = 0;
  const running = crawl("http://h0.test/0", {
    scope: "any",
    delayMs: 0,
    concurrency: AT_ONCE,
    robots,
    transport,
  });
  for await (const page of running) if (page.ok) pages++;
  if (pages !== hosts * PAGES_A_HOST)
    throw new Error(`Expected ${hosts * PAGES_A_HOST} pages: received ${pages}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const { requests } = running.stats;
  const bytesAHost = (usedBytes() - bytesBefore) / hosts;
  return { cpuMicros: (user + system) / requests, pagesPerSecond: pages / seconds, bytesAHost };
}

async function table(robots: boolean, transportOf: (hosts: number) => Transport): Promise<void> {
  console.log(
    `| hosts, robots ${robots ? "on" : "off"} | µs of the processor a request | pages a second | bytes a host |`,
  );
  console.log("|---|---|---|---|");
  // Warms up.
  await run(1_000, robots, transportOf(1_000));
  for (const hosts of HOSTS) {
    // A short crawl is repeated, so that each row stands for as many requests, and the median told.
    const rounds = Math.min(9, Math.max(1, Math.round(100_000 / hosts)));
    const runs: Run[] = [];
    for (let round = 0; round < rounds; round++) runs.push(await run(hosts, robots, transportOf(hosts)));
    const { cpuMicros, pagesPerSecond, bytesAHost } = runs.sort((a, b) => a.cpuMicros - b.cpuMicros)[
      rounds >> 1
    ]!;
    const memory = gc === undefined ? "" : bytesAHost.toFixed(0);
    console.log(`| ${hosts} | ${cpuMicros.toFixed(1)} | ${pagesPerSecond.toFixed(0)} | ${memory} |`);
  }
  console.log();
}

if (args.includes("server")) {
  let hosts = HOSTS[0]!;
  const server = createServer((request, response) => {
    const { type, text } = answer(decodeURIComponent(request.url!.slice(1)), hosts);
    response.writeHead(200, { "content-type": type, "content-length": text.length }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  for (const robots of [false, true]) {
    await table(robots, (wanted) => {
      hosts = wanted;
      return byOneServer(port);
    });
  }
} else {
  for (const robots of [false, true]) await table(robots, inProcess);
}
process.exit(0);
