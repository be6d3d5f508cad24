import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Fleet } from "./redis_fleet.ts";
import { LEFT_OUT, REDIS_SERVER, type RedisServer, startRedis } from "./redis_server.ts";

const WORKERS = 4;
// With one request at a time a worker takes two hosts in hand: there is enough for all four.
const CONCURRENCY = 1;
const HOSTS = 8;
const PAGES = 20;
const LIMIT = 1;
const GAP_MS = 120;
const LEASE_MS = 1_500;
const ANSWER_MS = 30;
// Clocks of two processes are read to a millisecond each, and pinned to the wall clock once.
const CLOCKS_APART_MS = 3;

/** What a host saw. */
interface Log {
  readonly startedMs: number[];
  readonly paths: string[];
  open: number;
  mostOpen: number;
}

/**
 * Hosts of which each page leads to the page of that number on the next host, round in a ring; the first one leads to one of
 * each number. So a host's queue is often empty, and the host is handed from worker to worker.
 */
class Hosts {
  readonly logs: Log[] = [];
  readonly #servers: Server[] = [];
  readonly #origins: string[] = [];
  readonly #onPage: (served: number) => void;
  #served = 0;

  constructor(onPage: (served: number) => void) {
    this.#onPage = onPage;
  }

  get urls(): string[] {
    return this.#origins.flatMap((_, i) => Array.from({ length: PAGES }, (_, page) => this.url(i, page)));
  }

  url(host: number, page: number): string {
    return `${this.#origins[host % HOSTS]}/${page}`;
  }

  async listen(): Promise<void> {
    for (let i = 0; i < HOSTS; i++) {
      const log: Log = { startedMs: [], paths: [], open: 0, mostOpen: 0 };
      this.logs.push(log);
      const server = createServer((request, response) => {
        const path = request.url!;
        log.startedMs.push(Number(request.headers["x-started-ms"]));
        log.paths.push(path);
        log.mostOpen = Math.max(log.mostOpen, ++log.open);
        let isOpen = true;
        const close = (): void => {
          if (isOpen) log.open--;
          isOpen = false;
        };
        response.on("close", close);
        setTimeout(() => {
          // From here on the client may have its answer, before the server hears of it.
          close();
          response.writeHead(path === "/robots.txt" ? 404 : 200, { "content-type": "text/html" });
          response.end(this.#page(i, Number(path.slice(1))));
          if (path !== "/robots.txt") this.#onPage(++this.#served);
        }, ANSWER_MS);
      });
      this.#servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      this.#origins.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    }
  }

  close(): void {
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
  }

  #page(host: number, page: number): string {
    const starts = Array.from({ length: PAGES }, (_, i) => this.url(i % HOSTS, i));
    const links = [this.url(host + 1, page), ...(host === 0 && page === 0 ? starts : [])];
    return links.map((url) => `<a href="${url}">x</a>`).join("");
  }
}

describe.skipIf(REDIS_SERVER === undefined)(`a fleet on redis()${LEFT_OUT}`, () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis({ isDurable: true });
  });
  afterAll(() => server?.close());

  test("keeps to every host's pace and loses nothing while workers and Redis are killed", async () => {
    const restarts: Promise<void>[] = [];
    let chance = 0.37;
    const next = (): number => {
      chance = (chance * 7.13) % 1;
      return chance;
    };
    // By pages served, so that each falls into the midst of work, however slow the machine is.
    const blows = new Map<number, () => void>([
      [15, () => replace()],
      [35, () => restarts.push(server.restart())],
      [50, () => replace()],
      [65, () => fleet.kill(next())],
      [80, () => restarts.push(server.restart())],
      [95, () => replace()],
    ]);
    const replace = (): void => {
      fleet.kill(next());
      fleet.start();
    };
    const hosts = new Hosts((served) => blows.get(served)?.());
    await hosts.listen();
    const order = {
      port: server.port,
      crawlId: "fleet",
      leaseMs: LEASE_MS,
      seeds: [hosts.url(0, 0)],
      concurrency: CONCURRENCY,
      hostConcurrency: LIMIT,
      gapMs: GAP_MS,
    };
    const fleet = new Fleet(order, WORKERS);
    try {
      await fleet.ended();
      await Promise.all(restarts);
    } finally {
      fleet.close();
      hosts.close();
    }

    expect(fleet.kills).toBe(4);
    expect(restarts).toHaveLength(2);
    expect([...new Set(fleet.delivered)].sort()).toEqual(hosts.urls.sort());
    for (const log of hosts.logs) {
      expect(log.mostOpen).toBeLessThanOrEqual(LIMIT);
      const starts = log.startedMs.sort((a, b) => a - b);
      const gaps = starts.slice(1).map((start, i) => start - starts[i]!);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(GAP_MS - CLOCKS_APART_MS);
    }
    // What a worker had in hand when it died is delivered again; nothing else is.
    const deaths = fleet.kills + fleet.complaints.length + restarts.length * WORKERS;
    expect(fleet.delivered.length).toBeLessThanOrEqual(hosts.urls.length + deaths * CONCURRENCY);
  }, 90_000);
});
