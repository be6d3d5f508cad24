import { systemRandom } from "../clock.ts";
import { DueOrder } from "../due_order.ts";
import { Heap } from "../heap.ts";
import type { HostPace } from "../politeness/host.ts";
import { type CrawlRequest, type HostOrTag, matches } from "../request.ts";
import { BloomFilter } from "./bloom.ts";
import { type Frontier, type FrontierCounts, type Lease, LeaseLostError } from "./frontier.ts";
import { RequestQueue } from "./request_queue.ts";
import { type SavedSeen, type Seen, SeenTable } from "./seen.ts";

interface Deferred {
  readonly request: CrawlRequest;
  readonly notBeforeMs: number;
}

interface HostQueue {
  readonly host: string;
  ready: RequestQueue;
  deferred: Heap<Deferred>;
  /** By order, which is each request's own: what was taken under the present lease and has not ended. */
  readonly taken: Map<number, CrawlRequest>;
  lease: Lease | undefined;
  pace: HostPace | undefined;
  /** When the host may be leased next, as its last holder said. */
  dueMs: number;
}

/**
 * A frontier in memory, which is what a crawl has by default.
 *
 * @example
 * ```ts
 * import { crawl, memory } from "dragline";
 *
 * const pages = crawl("https://example.com/", { frontier: memory() });
 * ```
 */
export function memory(options: MemoryOptions = {}): Frontier {
  const { maxQueuedPerHost = Number.POSITIVE_INFINITY } = options;
  if (!(maxQueuedPerHost >= 1)) {
    throw new RangeError(
      `Cannot open a frontier as 'maxQueuedPerHost' must be at least 1: received ${maxQueuedPerHost}`,
    );
  }
  const seen = new SeenTable(Math.floor(systemRandom() * 2 ** 32));
  return new MemoryFrontier(seen, maxQueuedPerHost);
}

/** What a frontier in memory may be told. */
export interface MemoryOptions {
  /**
   * Most requests of one host that wait, 1 and up. What is found beyond is left out and counted in
   * `stats.overflowed`; found again later, it may find room. Seeds, retries and redirects always have room. Default:
   * `Infinity`.
   */
  maxQueuedPerHost?: number;
}

/** A {@link MemoryFrontier} as JSON. */
export interface SavedFrontier {
  readonly seen: SavedSeen;
  /** What has not ended, in order of acceptance. */
  readonly requests: readonly CrawlRequest[];
  readonly hosts: readonly { readonly host: string; readonly pace: HostPace; readonly dueMs: number }[];
}

/** The frontier of one process. What is to outlive it must be saved. */
export class MemoryFrontier implements Frontier {
  readonly #seen: Seen;
  // One record for each host ever met, as its pace must be remembered: nothing removes an entry.
  readonly #hosts = new Map<string, HostQueue>();
  /** Hosts that nobody holds and that have work. */
  readonly #due = new DueOrder<HostQueue>();
  readonly #maxQueuedPerHost: number;
  #overflowed = 0;
  #queued = 0;
  #inProgress = 0;
  #leases = 0;

  constructor(seen: Seen = new SeenTable(), maxQueuedPerHost: number = Number.POSITIVE_INFINITY) {
    this.#seen = seen;
    this.#maxQueuedPerHost = maxQueuedPerHost;
  }

  /** The frontier that {@link save} gave. */
  static restore({ seen, requests, hosts }: SavedFrontier): MemoryFrontier {
    const frontier = new MemoryFrontier(
      seen.type === "bloom" ? BloomFilter.restore(seen) : SeenTable.restore(seen),
    );
    for (const { host, pace, dueMs } of hosts) {
      const queue = frontier.#queueOf(host);
      queue.pace = pace;
      // JSON has no -Infinity, and makes null of it.
      queue.dueMs = dueMs ?? Number.NEGATIVE_INFINITY;
    }
    for (const request of requests) frontier.#enqueue(request);
    return frontier;
  }

  /** Everything, as JSON: what is in progress counts as queued. `paces` are those of hosts that are held still. */
  save(paces: ReadonlyMap<string, { pace: HostPace; dueMs: number }>): SavedFrontier {
    const requests: CrawlRequest[] = [];
    const hosts: SavedFrontier["hosts"][number][] = [];
    for (const { host, ready, deferred, taken, pace, dueMs } of this.#hosts.values()) {
      for (const request of ready.values()) requests.push(request);
      for (const request of taken.values()) requests.push(request);
      for (const { request, notBeforeMs } of deferred.values()) requests.push({ ...request, notBeforeMs });
      const held = paces.get(host);
      if (held !== undefined) hosts.push({ host, ...held });
      else if (pace !== undefined) hosts.push({ host, pace, dueMs });
    }
    requests.sort((a, b) => a.order - b.order);
    return { seen: this.#seen.save(), requests, hosts };
  }

  hasSeen(key: string): boolean {
    return this.#seen.has(key);
  }

  add(requests: readonly CrawlRequest[]): readonly boolean[] {
    return requests.map((request) => this.#accept(request));
  }

  lease(n: number, nowMs: number): readonly Lease[] {
    const leases: Lease[] = [];
    while (leases.length < n) {
      const queue = this.#due.due(nowMs);
      if (queue === undefined) break;
      const { host, pace } = queue;
      queue.lease = { id: `${++this.#leases}`, host, ...(pace !== undefined && { pace }) };
      this.#arrange(queue);
      leases.push(queue.lease);
    }
    return leases;
  }

  take(lease: Lease, n: number, nowMs: number): readonly CrawlRequest[] {
    const queue = this.#held(lease);
    while ((queue.deferred.peek()?.notBeforeMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      queue.ready.push(queue.deferred.pop()!.request);
    }
    const requests: CrawlRequest[] = [];
    while (requests.length < n) {
      const request = queue.ready.pop();
      if (request === undefined) break;
      queue.taken.set(request.order, request);
      requests.push(request);
    }
    this.#queued -= requests.length;
    this.#inProgress += requests.length;
    return requests;
  }

  complete(lease: Lease, request: CrawlRequest, found: readonly CrawlRequest[]): readonly boolean[] {
    this.#end(this.#held(lease), request);
    return this.add(found);
  }

  defer(lease: Lease, request: CrawlRequest, notBeforeMs: number): void {
    const queue = this.#held(lease);
    this.#end(queue, request);
    queue.deferred.push({ request, notBeforeMs });
    this.#queued++;
  }

  release(lease: Lease, pace: HostPace, dueMs: number): void {
    const queue = this.#held(lease);
    for (const request of queue.taken.values()) queue.ready.push(request);
    this.#queued += queue.taken.size;
    this.#inProgress -= queue.taken.size;
    queue.taken.clear();
    queue.lease = undefined;
    queue.pace = pace;
    queue.dueMs = dueMs;
    this.#arrange(queue);
  }

  renew(leases: readonly Lease[]): readonly Lease[] {
    return leases.filter(({ host, id }) => this.#hosts.get(host)?.lease?.id !== id);
  }

  drop(what: HostOrTag): readonly CrawlRequest[] {
    const queues = "host" in what ? [this.#hosts.get(what.host)] : this.#hosts.values();
    const dropped: CrawlRequest[] = [];
    for (const queue of queues) {
      if (queue !== undefined) this.#dropFrom(queue, what, dropped);
    }
    this.#queued -= dropped.length;
    return dropped.sort((a, b) => a.order - b.order);
  }

  counts(): FrontierCounts {
    return {
      queued: this.#queued,
      inProgress: this.#inProgress,
      seen: this.#seen.size,
      ...(this.#seen.isOverfull && { isOverfull: true }),
      nextDueMs: this.#due.nextDueMs,
      ...(this.#maxQueuedPerHost !== Number.POSITIVE_INFINITY && { overflowed: this.#overflowed }),
    };
  }

  #accept(request: CrawlRequest): boolean {
    if (this.#isFull(request)) {
      if (!this.#seen.has(request.key)) this.#overflowed++;
      return false;
    }
    const isNew = this.#seen.add(request.key, request.seed);
    if (!isNew && request.revisit !== true) return false;
    this.#enqueue(request);
    return true;
  }

  /** Whether there is no room for more of its host. Seeds, redirects' targets and what comes back always find some. */
  #isFull({ host, seed, revisit, redirects }: CrawlRequest): boolean {
    if (this.#maxQueuedPerHost === Number.POSITIVE_INFINITY) return false;
    if (seed || revisit || redirects !== undefined) return false;
    const queue = this.#hosts.get(host);
    return queue !== undefined && queue.ready.size + queue.deferred.size >= this.#maxQueuedPerHost;
  }

  #enqueue(request: CrawlRequest): void {
    const queue = this.#queueOf(request.host);
    const { notBeforeMs } = request;
    if (notBeforeMs === undefined) queue.ready.push(request);
    else queue.deferred.push({ request, notBeforeMs });
    this.#queued++;
    this.#arrange(queue);
  }

  #queueOf(host: string): HostQueue {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const queue: HostQueue = {
      host,
      ready: new RequestQueue(),
      deferred: newDeferred(),
      taken: new Map(),
      lease: undefined,
      pace: undefined,
      dueMs: Number.NEGATIVE_INFINITY,
    };
    this.#hosts.set(host, queue);
    return queue;
  }

  #held(lease: Lease): HostQueue {
    const queue = this.#hosts.get(lease.host);
    if (queue?.lease?.id !== lease.id) throw new LeaseLostError(lease.host);
    return queue;
  }

  #end(queue: HostQueue, request: CrawlRequest): void {
    if (!queue.taken.delete(request.order)) {
      throw new Error(`Cannot end the request for '${request.url}' as it is not in progress`);
    }
    this.#inProgress--;
  }

  #dropFrom(queue: HostQueue, what: HostOrTag, dropped: CrawlRequest[]): void {
    const { ready, deferred } = queue;
    queue.ready = new RequestQueue();
    queue.deferred = newDeferred();
    for (const request of ready.values()) {
      if (matches(request, what)) dropped.push(request);
      else queue.ready.push(request);
    }
    for (const later of deferred.values()) {
      if (matches(later.request, what)) dropped.push(later.request);
      else queue.deferred.push(later);
    }
    this.#arrange(queue);
  }

  /** Gives a host its place in the order, by when something of it is due; none while somebody holds it. */
  #arrange(queue: HostQueue): void {
    const workMs =
      queue.ready.size > 0
        ? Number.NEGATIVE_INFINITY
        : (queue.deferred.peek()?.notBeforeMs ?? Number.POSITIVE_INFINITY);
    this.#due.place(
      queue,
      queue.lease === undefined ? Math.max(queue.dueMs, workMs) : Number.POSITIVE_INFINITY,
    );
  }
}

function newDeferred(): Heap<Deferred> {
  return new Heap((a, b) => a.notBeforeMs < b.notBeforeMs);
}
