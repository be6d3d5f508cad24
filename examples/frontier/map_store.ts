import {
  type CrawlRequest,
  type Frontier,
  type FrontierCounts,
  type HostOrTag,
  type HostPace,
  type Lease,
  LeaseLostError,
} from "../../mod.ts";

interface Entry {
  request: CrawlRequest;
  notBeforeMs: number;
  isTaken: boolean;
}

interface HostEntry {
  lease?: Lease | undefined;
  pace?: HostPace;
  /** When it may be leased next, as its last holder said. */
  dueMs: number;
}

/** A frontier on three Maps: the whole contract, and each step as plain as can be. It looks at all it has each time. */
export class MapStore implements Frontier {
  readonly #seen = new Set<string>();
  /** What has not ended, by order, which is each request's own. */
  readonly #entries = new Map<number, Entry>();
  readonly #hosts = new Map<string, HostEntry>();
  #leases = 0;

  add(requests: readonly CrawlRequest[]): boolean[] {
    return requests.map((request) => {
      if (this.#seen.has(request.key) && !request.revisit) return false;
      this.#seen.add(request.key);
      this.#queue(request, request.notBeforeMs ?? Number.NEGATIVE_INFINITY);
      return true;
    });
  }

  lease(n: number, nowMs: number): Lease[] {
    const due = [...this.#hosts].filter(([host]) => this.#dueMs(host) <= nowMs);
    due.sort(([a], [b]) => this.#dueMs(a) - this.#dueMs(b));
    return due.slice(0, n).map(([host, entry]) => {
      const { pace } = entry;
      entry.lease = { id: `${++this.#leases}`, host, ...(pace !== undefined && { pace }) };
      return entry.lease;
    });
  }

  take(lease: Lease, n: number, nowMs: number): CrawlRequest[] {
    this.#held(lease);
    const due = this.#entriesOf(lease.host).filter((entry) => !entry.isTaken && entry.notBeforeMs <= nowMs);
    due.sort((a, b) => b.request.priority - a.request.priority || a.request.order - b.request.order);
    const taken = due.slice(0, n);
    for (const entry of taken) entry.isTaken = true;
    return taken.map(({ request }) => request);
  }

  complete(lease: Lease, request: CrawlRequest, found: readonly CrawlRequest[]): boolean[] {
    this.#end(lease, request);
    return this.add(found);
  }

  defer(lease: Lease, request: CrawlRequest, notBeforeMs: number): void {
    this.#end(lease, request);
    this.#queue(request, notBeforeMs);
  }

  release(lease: Lease, pace: HostPace, dueMs: number): void {
    Object.assign(this.#held(lease), { lease: undefined, pace, dueMs });
    for (const entry of this.#entriesOf(lease.host)) {
      if (entry.isTaken) Object.assign(entry, { isTaken: false, notBeforeMs: Number.NEGATIVE_INFINITY });
    }
  }

  renew(leases: readonly Lease[]): Lease[] {
    return leases.filter(({ host, id }) => this.#hosts.get(host)?.lease?.id !== id);
  }

  drop(what: HostOrTag): CrawlRequest[] {
    const dropped = [...this.#entries.values()].filter(
      ({ isTaken, request }) =>
        !isTaken && ("host" in what ? request.host === what.host : request.tag === what.tag),
    );
    for (const { request } of dropped) this.#entries.delete(request.order);
    return dropped.map(({ request }) => request).sort((a, b) => a.order - b.order);
  }

  counts(): FrontierCounts {
    const inProgress = [...this.#entries.values()].filter(({ isTaken }) => isTaken).length;
    const nextDueMs = Math.min(...[...this.#hosts.keys()].map((host) => this.#dueMs(host)));
    return { queued: this.#entries.size - inProgress, inProgress, seen: this.#seen.size, nextDueMs };
  }

  #queue(request: CrawlRequest, notBeforeMs: number): void {
    this.#entries.set(request.order, { request, notBeforeMs, isTaken: false });
    if (!this.#hosts.has(request.host)) this.#hosts.set(request.host, { dueMs: Number.NEGATIVE_INFINITY });
  }

  #entriesOf(host: string): Entry[] {
    return [...this.#entries.values()].filter(({ request }) => request.host === host);
  }

  /** When a host may be leased; `Infinity` while somebody holds it, and while it has nothing to do. */
  #dueMs(host: string): number {
    const { lease, dueMs } = this.#hosts.get(host)!;
    if (lease !== undefined) return Number.POSITIVE_INFINITY;
    const works = this.#entriesOf(host).map(({ notBeforeMs }) => notBeforeMs);
    return works.length === 0 ? Number.POSITIVE_INFINITY : Math.max(dueMs, Math.min(...works));
  }

  #held(lease: Lease): HostEntry {
    const entry = this.#hosts.get(lease.host);
    if (entry?.lease?.id !== lease.id) throw new LeaseLostError(lease.host);
    return entry;
  }

  #end(lease: Lease, { order, url }: CrawlRequest): void {
    this.#held(lease);
    if (!this.#entries.get(order)?.isTaken) {
      throw new Error(`Cannot end the request for '${url}' as it is not in progress`);
    }
    this.#entries.delete(order);
  }
}
