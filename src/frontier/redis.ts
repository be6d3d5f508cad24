import { type Clock, systemClock, systemRandom } from "../clock.ts";
import type { HostPace } from "../politeness/host.ts";
import { type CrawlRequest, type HostOrTag, matches } from "../request.ts";
import { fingerprint } from "./fingerprint.ts";
import { type Frontier, type FrontierCounts, type Lease, LeaseLostError } from "./frontier.ts";
import { evalOf, type RedisClient, type RedisEval } from "./redis_client.ts";
import { type CheckedOptions, checkOptions, type RedisOptions } from "./redis_options.ts";
import { decodeRequest, encodeOrder, encodeRequest } from "./redis_request.ts";
import * as scripts from "./redis_scripts.ts";

export type { BloomOptions } from "./bloom.ts";
export type { IoRedisClient, NodeRedisClient, RedisClient, RedisEval } from "./redis_client.ts";
export type { RedisOptions } from "./redis_options.ts";

/** What a store in Redis counts. */
export interface RedisCounts extends FrontierCounts {
  /** Where there is `maxQueuedPerHost`: how often a request was refused for it, by whichever worker. */
  readonly overflowed?: number;
}

/** The version of the form in which a crawl is kept. */
const VERSION = 1;

// A script holds up everybody else: it gets no more requests than it can see to in a few milliseconds.
const REQUESTS_A_SCRIPT = 1_000;

/**
 * A frontier in Redis 6.2 or later, or in Valkey: workers on any number of machines that name the same crawl share it, and
 * it outlives them all. What a worker held when it died is free for the others once its leases have run out.
 *
 * Give each worker the same seeds and options. Budgets such as `maxPages` hold for each worker alone. A crawl that is
 * done stays in Redis, its seeds seen; `docs/fleet.md` tells how it is removed, and how Redis must be set up.
 *
 * Where an operation fails, say as the connection is lost and the client gives up, the crawl's stream errors; nothing
 * of the crawl is lost, and another worker goes on with it.
 *
 * @param client a client of the package `ioredis` or `redis`, connected and with texts as replies; or a function that runs
 * a script, for one that speaks HTTP. It stays the caller's, to be closed after the crawl
 * @throws {TypeError | RangeError} where the client or an option is none that can be worked with
 *
 * @example
 * ```ts
 * import { crawl } from "dragline";
 * import { redis } from "dragline/redis";
 * import { Redis } from "ioredis";
 *
 * const client = new Redis("redis://localhost:6379");
 * const frontier = redis(client, { crawlId: "news" });
 * for await (const page of crawl("https://example.com/", { frontier })) console.log(page.url);
 * await client.quit();
 * ```
 */
export function redis(client: RedisClient, options: RedisOptions): RedisFrontier {
  return new RedisFrontier(evalOf(client), checkOptions(options), options.clock);
}

/** The frontier that {@link redis} gives. */
export class RedisFrontier implements Frontier {
  readonly leaseMs: number;
  readonly #eval: RedisEval;
  readonly #options: CheckedOptions;
  readonly #clock: Clock;
  /** Names this worker, so that its leases and operations are no other's, even where a counter was set back. */
  readonly #worker: string = Math.floor(systemRandom() * 2 ** 48).toString(16);
  #operations = 0;
  #salt: Promise<number> | undefined;

  constructor(evalScript: RedisEval, options: CheckedOptions, clock: Clock = systemClock) {
    this.leaseMs = options.leaseMs;
    this.#eval = evalScript;
    this.#options = options;
    this.#clock = clock;
  }

  async add(requests: readonly CrawlRequest[], nowMs: number): Promise<readonly boolean[]> {
    const isNew: boolean[] = [];
    for (let at = 0; at < requests.length; at += REQUESTS_A_SCRIPT) {
      const some = await this.#encode(requests.slice(at, at + REQUESTS_A_SCRIPT), nowMs);
      const [answers] = await this.#run(scripts.ADD, [...this.#operation(), this.#bound, ...some]);
      isNew.push(...readAnswers(answers));
    }
    return isNew;
  }

  async lease(n: number, nowMs: number): Promise<readonly Lease[]> {
    const calledMs = this.#clock.now();
    const most = Math.min(n, REQUESTS_A_SCRIPT);
    const reply = await this.#run(scripts.LEASE, [this.#worker, `${most}`, `${this.leaseMs}`]);
    // Differences are from when the script ran: counted from its reply on, no time comes too early.
    const repliedMs = nowMs + (this.#clock.now() - calledMs);
    const leases: Lease[] = [];
    for (let at = 0; at < reply.length; at += 5) {
      const [host, id, last, paused, pace] = reply.slice(at, at + 5) as [
        string,
        string,
        string,
        string,
        string,
      ];
      const lease = { id, host };
      leases.push(pace === "" ? lease : { ...lease, pace: readPace(pace, last, paused, repliedMs) });
    }
    return leases;
  }

  async take({ host, id }: Lease, n: number, _nowMs: number): Promise<readonly CrawlRequest[]> {
    const most = Math.min(n, REQUESTS_A_SCRIPT);
    const members = await this.#run(scripts.TAKE, [host, id, `${most}`], { host });
    return members.map((member) => decodeRequest(member, host));
  }

  async complete(
    { host, id }: Lease,
    request: CrawlRequest,
    found: readonly CrawlRequest[],
    nowMs: number,
  ): Promise<readonly boolean[]> {
    // What is too much for one step goes before: as the request ends in the last one, nothing is lost between.
    const lastAt = Math.max(0, found.length - REQUESTS_A_SCRIPT);
    const isNew = await this.add(found.slice(0, lastAt), nowMs);
    const some = await this.#encode(found.slice(lastAt), nowMs, request);
    const args = [...this.#operation(), this.#bound, host, id, encodeOrder(request.order), ...some];
    const [answers] = await this.#run(scripts.COMPLETE, args, request);
    return [...isNew, ...readAnswers(answers)];
  }

  async defer({ host, id }: Lease, request: CrawlRequest, notBeforeMs: number, nowMs: number): Promise<void> {
    const { score, text } = encodeRequest(request);
    const order = encodeOrder(request.order);
    const args = [...this.#operation(), host, id, order, `${notBeforeMs - nowMs}`, score, text];
    await this.#run(scripts.DEFER, args, request);
  }

  async release({ host, id }: Lease, pace: HostPace, dueMs: number, nowMs: number): Promise<void> {
    const args = [host, id, `${dueMs - nowMs}`, ...writePace(pace, nowMs)];
    await this.#run(scripts.RELEASE, args, { host });
  }

  /** Keeps the pace that each lease bears, too: should its holder die, whoever comes next goes on from that. */
  async renew(leases: readonly Lease[], nowMs: number): Promise<readonly Lease[]> {
    if (leases.length === 0) return [];
    const args = leases.flatMap(({ host, id, pace }) => [
      host,
      id,
      ...(pace === undefined ? ["", "", ""] : writePace(pace, nowMs)),
    ]);
    const [answers] = await this.#run(scripts.RENEW, [`${this.leaseMs}`, ...args]);
    const isKept = readAnswers(answers);
    return leases.filter((_, i) => !isKept[i]);
  }

  /** Bounded steps, between which others go on: what they queue meanwhile may stay. */
  async drop(what: HostOrTag, _nowMs: number): Promise<readonly CrawlRequest[]> {
    const dropped: CrawlRequest[] = [];
    if ("host" in what) {
      await this.#dropFrom(what.host, what, dropped);
    } else {
      // A page may name a host twice, for which nothing is left then.
      for await (const hosts of this.#pages(scripts.LIST_HOSTS, [])) {
        for (const host of hosts) await this.#dropFrom(host, what, dropped);
      }
    }
    return dropped.sort((a, b) => a.order - b.order);
  }

  async counts(nowMs: number): Promise<RedisCounts> {
    const [queued, inProgress, seen, due = "", overflowed] = await this.#run(scripts.COUNTS, []);
    return {
      queued: Number(queued),
      inProgress: Number(inProgress),
      seen: Number(seen),
      ...(Number(seen) > this.#options.capacity && { isOverfull: true }),
      nextDueMs: due === "" ? Number.POSITIVE_INFINITY : nowMs + readDifference(due),
      ...(this.#bound !== "" && { overflowed: Number(overflowed) }),
    };
  }

  get #bound(): string {
    const { maxQueuedPerHost } = this.#options;
    return maxQueuedPerHost === Number.POSITIVE_INFINITY ? "" : `${maxQueuedPerHost}`;
  }

  #operation(): [worker: string, operation: string] {
    return [this.#worker, `${++this.#operations}`];
  }

  async #dropFrom(host: string, what: HostOrTag, dropped: CrawlRequest[]): Promise<void> {
    // What was deferred comes first: a request that becomes ready meanwhile is met there.
    for (const queue of ["d", "q"]) {
      for await (const members of this.#pages(scripts.LIST_REQUESTS, [host, queue])) {
        const meant = members.filter((member) => matches(decodeRequest(member, host), what));
        if (meant.length === 0) continue;
        const [answers] = await this.#run(scripts.FORGET, [host, queue, ...meant]);
        const isForgotten = readAnswers(answers);
        for (const member of meant.filter((_, i) => isForgotten[i]))
          dropped.push(decodeRequest(member, host));
      }
    }
  }

  /** Goes through something with a cursor: what is there all the while is met, though it may be twice. */
  async *#pages(script: string, args: readonly string[]): AsyncGenerator<readonly string[]> {
    let cursor = "0";
    do {
      const [next = "0", ...items] = await this.#run(script, [...args, cursor]);
      yield items;
      cursor = next;
    } while (cursor !== "0");
  }

  /** Six arguments a request, as the scripts read them. */
  async #encode(requests: readonly CrawlRequest[], nowMs: number, ended?: CrawlRequest): Promise<string[]> {
    const salt = await this.#open();
    return requests.flatMap((request) => {
      const { score, text } = encodeRequest(request);
      const { notBeforeMs } = request;
      const delay = notBeforeMs === undefined ? "" : `${notBeforeMs - nowMs}`;
      return [printOf(request.key, salt), request.host, flagsOf(request, ended), delay, score, text];
    });
  }

  /** Runs a script on the crawl's keys, and gives what its reply has beyond how it went. */
  async #run(
    script: string,
    args: readonly string[],
    of: { host: string; url?: string } = { host: "" },
  ): Promise<string[]> {
    const salt = await this.#open();
    const [state, ...reply] = (await this.#eval(
      script,
      [this.#options.key],
      [`${salt}`, ...args],
    )) as string[];
    if (state === "ok") return reply;
    if (state === "lost") throw new LeaseLostError(of.host);
    if (state === "idle") throw new Error(`Cannot end the request for '${of.url}' as it is not in progress`);
    throw new Error(
      state === "gone"
        ? `Cannot go on with the crawl '${this.#options.crawlId}' as Redis no longer has it, or has another of that name`
        : `Cannot read the reply of Redis as it begins with neither of its states: received ${state}`,
    );
  }

  /** Begins the crawl, or joins it. */
  #open(): Promise<number> {
    this.#salt ??= this.#join().catch((error) => {
      this.#salt = undefined;
      throw error;
    });
    return this.#salt;
  }

  async #join(): Promise<number> {
    const { key, crawlId, seen, bits, hashes } = this.#options;
    const proposed = `${Math.floor(systemRandom() * 2 ** 32)}`;
    const args = [proposed, seen, `${bits}`, `${hashes}`];
    const [version, salt, begunWith] = (await this.#eval(scripts.OPEN, [key], args)) as string[];
    if (Number(version) !== VERSION) {
      throw new Error(
        `Cannot join the crawl '${crawlId}' as Redis has it in version ${version}: this is version ${VERSION}`,
      );
    }
    if (begunWith !== seen) {
      throw new Error(
        `Cannot join the crawl '${crawlId}' with seen as '${seen}' as it began with '${begunWith}'`,
      );
    }
    return Number(salt);
  }
}

/** A key's fingerprint as a decimal number of 63 bits, which is what a set of integers holds at 8 bytes. */
function printOf(key: string, salt: number): string {
  const { high, low } = fingerprint(key, salt);
  return ((BigInt(high & 0x7fffffff) << 32n) | BigInt(low)).toString();
}

/** As the scripts read them. Where a redirect leads takes the place of what ended by it. */
function flagsOf({ seed, revisit, redirects, order }: CrawlRequest, ended: CrawlRequest | undefined): string {
  const isBound = seed === undefined && revisit === undefined && redirects === undefined;
  return `${seed ? "s" : ""}${revisit ? "r" : ""}${isBound ? "b" : ""}${order === ended?.order ? "p" : ""}`;
}

/** Last start and end of pause as differences from now, and the rest as JSON. */
function writePace(pace: HostPace, nowMs: number): [last: string, paused: string, rest: string] {
  const { lastStartMs, pausedUntilMs, ...rest } = pace;
  return [
    lastStartMs === undefined ? "" : `${lastStartMs - nowMs}`,
    pausedUntilMs === undefined ? "" : `${pausedUntilMs - nowMs}`,
    JSON.stringify(rest),
  ];
}

function readPace(rest: string, last: string, paused: string, nowMs: number): HostPace {
  return {
    ...(JSON.parse(rest) as HostPace),
    ...(last !== "" && { lastStartMs: nowMs + readDifference(last) }),
    ...(paused !== "" && { pausedUntilMs: nowMs + readDifference(paused) }),
  };
}

function readDifference(text: string): number {
  return text.endsWith("inf") ? Number(text.replace("inf", "Infinity")) : Number(text);
}

function readAnswers(answers = ""): boolean[] {
  return Array.from(answers, (answer) => answer === "+");
}
