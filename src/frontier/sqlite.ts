/**
 * A frontier in a file, for crawls that outlive their process and outgrow its memory.
 *
 * ```ts
 * import { crawl } from "dragline";
 * import { sqlite } from "dragline/sqlite";
 *
 * for await (const page of crawl("https://example.com/", { frontier: sqlite("state.db") })) {
 *   console.log(page.url);
 * }
 * ```
 *
 * @module
 */
import type { HostPace } from "../politeness/host.ts";
import type { CrawlRequest, HostOrTag, JsonValue } from "../request.ts";
import { type Frontier, type FrontierCounts, type Lease, LeaseLostError } from "./frontier.ts";
import { QueueBound } from "./sqlite_bound.ts";
import { SqliteFile } from "./sqlite_file.ts";
import { Hand } from "./sqlite_hand.ts";
import { HostTable } from "./sqlite_hosts.ts";
import { KeptTable } from "./sqlite_kept.ts";
import { checkedSeen, maxBytesOf, maxQueuedPerHostOf, type SqliteOptions, seenBy } from "./sqlite_options.ts";
import { RequestLog } from "./sqlite_request_log.ts";
import { RequestTable, type RequestText, requestText } from "./sqlite_requests.ts";
import { LoggedBloom, PrintTable, type SeenAs, type StoredSeen } from "./sqlite_seen.ts";
import { Steps } from "./sqlite_steps.ts";
import { Totals } from "./sqlite_totals.ts";

export { SqliteError, type SqliteErrorCode } from "./sqlite_error.ts";
export type { SqliteOptions } from "./sqlite_options.ts";
export type { SeenAs };

/**
 * Opens a store in a file, or makes the file. A crawl that was stopped, broken off or killed goes on with it: its seeds
 * count as seen, what was in progress is queued again, and no page is delivered fewer than once. What has ended stays
 * ended; for a fresh crawl, take a fresh file. Beside the file SQLite keeps a log of the same name with `-wal` at its
 * end: the two belong together.
 *
 * One crawl at a time has the file open, and closes it at its end. For a store that no crawl has begun to read, call
 * `close()`. Nothing else in the process may open the file meanwhile, say to copy it: POSIX systems then let go of the
 * lock that keeps other processes out.
 *
 * Needs `node:sqlite`: Node.js 22.13 or later, Deno, Bun. Importing this module does no harm elsewhere.
 *
 * @throws {SqliteError} at once, with the code that says why the file cannot be used; in the crawl, as its stream's
 * error, where it can be used no further
 * @throws {TypeError | RangeError} at once, naming an option that is wrong, or is not what the file was made with
 *
 * @example
 * ```ts
 * import { crawl } from "dragline";
 * import { sqlite } from "dragline/sqlite";
 *
 * const pages = crawl("https://example.com/", { frontier: sqlite("state.db") });
 * for await (const { url, status } of pages) console.log(status, url);
 * ```
 */
export function sqlite(path: string, options: SqliteOptions = {}): SqliteFrontier {
  return new SqliteFrontier(path, options);
}

// A host's requests that are read before they are asked for: mostly they are taken one by one. Before each reading all
// that was done since the last must be brought into the table.
const READ_AHEAD = 32;

/** The frontier of one process, in a file. Each operation is one step, which the end of the process cannot undo. */
export class SqliteFrontier implements Frontier {
  readonly #file: SqliteFile;
  readonly #requests: RequestTable;
  readonly #log: RequestLog;
  readonly #hosts: HostTable;
  readonly #kept: KeptTable;
  readonly #seen: StoredSeen;
  readonly #totals: Totals;
  readonly #bound: QueueBound;
  readonly #steps: Steps;
  // By host; an entry goes when its host is given back.
  readonly #hands = new Map<string, Hand>();
  #inProgress = 0;
  #leases = 0;

  /** Made by {@link sqlite}. */
  constructor(path: string, options: SqliteOptions) {
    const seenAs = checkedSeen(options);
    const maxQueuedPerHost = maxQueuedPerHostOf(options);
    const file = new SqliteFile(path, maxBytesOf(options));
    try {
      const totals = new Totals(file, seenAs ?? "exact");
      const madeWith = seenBy(path, totals.seenAs, seenAs);
      const kept = new KeptTable(file);
      this.#file = file;
      this.#totals = totals;
      this.#requests = new RequestTable(file);
      this.#log = new RequestLog(file, totals.appliedAtFirst);
      this.#hosts = new HostTable(file);
      this.#kept = kept;
      this.#bound = new QueueBound(file, kept, maxQueuedPerHost);
      this.#seen =
        madeWith === "exact"
          ? new PrintTable(file, totals)
          : new LoggedBloom(file, kept, madeWith.bloom, totals.salt);
      this.#steps = new Steps({
        file,
        totals,
        requests: this.#requests,
        log: this.#log,
        seen: this.#seen,
      });
      this.#freeHosts();
    } catch (error) {
      file.close();
      throw error;
    }
  }

  hasSeen(key: string): boolean {
    return this.#seen.has(key);
  }

  add(requests: readonly CrawlRequest[]): readonly boolean[] {
    const texts = requests.map(requestText);
    this.#meet(requests);
    return this.#steps.write(() => {
      const isNew = this.#accept(requests, texts, this.#requests);
      this.#seen.keep(false);
      return isNew;
    });
  }

  lease(n: number, nowMs: number): readonly Lease[] {
    const due = this.#file.read(() => this.#hosts.due(nowMs, n));
    if (due.length === 0) return [];
    this.#steps.write(() => {
      for (const { id } of due) this.#hosts.lease(id);
    });
    return due.map(({ id, name, pace }) => {
      const lease: Lease = {
        id: `${++this.#leases}`,
        host: name,
        ...(pace !== null && { pace: this.#file.parse<HostPace>(pace, `the pace of '${name}'`) }),
      };
      const deferredUntilMs = this.#file.read(() => this.#requests.firstDeferredMs(id));
      this.#hands.set(name, new Hand(lease, id, deferredUntilMs));
      return lease;
    });
  }

  take(lease: Lease, n: number, nowMs: number): readonly CrawlRequest[] {
    const hand = this.#handOf(lease);
    if (hand.deferredUntilMs <= nowMs) {
      this.#steps.write(() => this.#requests.ripen(hand.hostId, nowMs));
      hand.startOver(this.#file.read(() => this.#requests.firstDeferredMs(hand.hostId)));
    }
    if (hand.lacks(n)) this.#readOn(hand, n + hand.taken.size + READ_AHEAD);
    const requests = hand.take(n);
    this.#inProgress += requests.length;
    return requests;
  }

  complete(lease: Lease, request: CrawlRequest, found: readonly CrawlRequest[]): readonly boolean[] {
    const hand = this.#handOf(lease);
    hand.checkTaken(request);
    const texts = found.map(requestText);
    this.#meet([request, ...found]);
    const isNew = this.#steps.log(() => {
      this.#totals.requests--;
      this.#bound.note(request.host, -1);
      const isNew = this.#accept(found, texts, this.#log, request);
      if (!found.some((next, i) => isNew[i] && takesPlaceOf(next, request))) this.#log.end(request.order);
      return isNew;
    });
    this.#end(hand, request);
    return isNew;
  }

  defer(lease: Lease, request: CrawlRequest, notBeforeMs: number): void {
    const hand = this.#handOf(lease);
    hand.checkTaken(request);
    const text = requestText(request);
    this.#steps.write(() => this.#requests.defer(request, text, notBeforeMs));
    this.#end(hand, request);
    hand.noteQueued({ ...request, notBeforeMs });
  }

  release(lease: Lease, pace: HostPace, dueMs: number): void {
    const { hostId, taken } = this.#handOf(lease);
    this.#steps.write(() => {
      this.#hosts.release(hostId, pace, dueMs, this.#requests.workMs(hostId), this.#totals.next());
    });
    this.#hands.delete(lease.host);
    this.#inProgress -= taken.size;
  }

  renew(leases: readonly Lease[]): readonly Lease[] {
    return leases.filter(({ host, id }) => this.#hands.get(host)?.lease.id !== id);
  }

  drop(what: HostOrTag): readonly CrawlRequest[] {
    this.#steps.settle();
    const matching = this.#file.read(() =>
      "host" in what ? this.#requests.ofHost(what.host) : this.#requests.ofTag(what.tag),
    );
    const dropped = matching.filter(({ host, order }) => !this.#hands.get(host)?.taken.has(order));
    if (dropped.length === 0) return [];
    const orders = new Set(dropped.map(({ order }) => order));
    for (const hand of this.#hands.values()) hand.forget(orders);
    this.#steps.write(() => {
      for (const { order, host } of dropped) {
        this.#requests.delete(order);
        this.#bound.note(host, -1);
      }
      this.#totals.requests -= dropped.length;
      this.#arrange(new Set(dropped.map(({ host }) => host)));
    });
    return dropped;
  }

  /** The last counts still, once the file is closed. */
  counts(): FrontierCounts {
    return {
      queued: this.#totals.requests - this.#inProgress,
      inProgress: this.#inProgress,
      seen: this.#seen.size,
      ...(this.#seen.isOverfull && { isOverfull: true }),
      nextDueMs: this.#file.isClosed
        ? Number.POSITIVE_INFINITY
        : this.#file.read(() => this.#hosts.nextDueMs),
      ...(this.#bound.isBounded && { overflowed: this.#bound.overflowed }),
    };
  }

  saveState(state: JsonValue): void {
    const text = JSON.stringify(state);
    this.#steps.write(() => {
      this.#kept.set("state", text);
      this.#bound.keep();
    });
  }

  loadState(): JsonValue | undefined {
    const text = this.#file.read(() => this.#kept.get("state"));
    return text === undefined ? undefined : this.#file.parse<JsonValue>(text, "the state of the crawl");
  }

  /** Closes the file, so that another crawl may open it. Closing twice does nothing. */
  close(): void {
    if (this.#file.isClosed) return;
    this.#steps.end(() => this.#bound.keep());
    this.#file.close();
  }

  #readOn(hand: Hand, n: number): void {
    this.#steps.settle();
    const { hostId, lease, readTo } = hand;
    const requests = this.#file.read(() => this.#requests.ready(hostId, lease.host, readTo, n));
    hand.readOn(requests, requests.length < n);
  }

  #meet(requests: readonly CrawlRequest[]): void {
    if (!this.#bound.isBounded) return;
    const hosts = requests.map(({ host }) => host);
    this.#file.read(() => this.#bound.meet(hosts, () => this.#steps.settle()));
  }

  /** Queues what is new in a table. A redirect's target takes the place of what it follows on. */
  #accept(
    requests: readonly CrawlRequest[],
    texts: readonly RequestText[],
    table: RequestTable | RequestLog,
    ended?: CrawlRequest,
  ): readonly boolean[] {
    return requests.map((request, i) => {
      if (this.#isFull(request, ended)) {
        if (!this.#seen.has(request.key)) this.#bound.overflowed++;
        return false;
      }
      const isNew = this.#seen.add(request.key, request.seed === true);
      if (!isNew && request.revisit !== true) return false;
      const keepsPlace = ended !== undefined && takesPlaceOf(request, ended);
      const placed = keepsPlace ? request : { ...request, order: this.#totals.next() };
      this.#enqueue(placed, texts[i]!, table);
      return true;
    });
  }

  /** Whether the queue of the request's host has come to its bound; what ends with this step is in no queue. */
  #isFull(request: CrawlRequest, ended: CrawlRequest | undefined): boolean {
    if (!this.#bound.isBounded) return false;
    const { host } = request;
    const hand = this.#hands.get(host);
    const inProgress = (hand?.taken.size ?? 0) - (ended?.host === host ? 1 : 0);
    return this.#bound.isFull(request, inProgress);
  }

  #enqueue(request: CrawlRequest, text: RequestText, table: RequestTable | RequestLog): void {
    const { order, host, notBeforeMs } = request;
    const hand = this.#hands.get(host);
    const hostId = hand?.hostId ?? this.#hosts.idOf(host);
    table.insert(order, hostId, request, text);
    this.#totals.requests++;
    this.#bound.note(host, 1);
    if (hand !== undefined) {
      hand.noteQueued(request);
      return;
    }
    this.#hosts.advance(hostId, notBeforeMs ?? Number.NEGATIVE_INFINITY, this.#totals.next());
  }

  /** Gives hosts their places anew; where they are due at the same time, the one that was met first comes first. */
  #arrange(names: ReadonlySet<string>): void {
    const free = [...names].filter((name) => !this.#hands.has(name)).map((name) => this.#hosts.idOf(name));
    for (const id of free.sort((a, b) => a - b)) {
      this.#hosts.arrange(id, this.#requests.workMs(id), this.#totals.next());
    }
  }

  /** Gives back what a process held when it died. */
  #freeHosts(): void {
    const left = this.#file.read(() => this.#hosts.leftLeased());
    if (left.length === 0) return;
    this.#steps.write(() => {
      for (const id of left) this.#hosts.arrange(id, this.#requests.workMs(id), this.#totals.next());
    });
  }

  #handOf(lease: Lease): Hand {
    const hand = this.#hands.get(lease.host);
    if (hand?.lease.id !== lease.id) throw new LeaseLostError(lease.host);
    return hand;
  }

  #end(hand: Hand, request: CrawlRequest): void {
    hand.taken.delete(request.order);
    this.#inProgress--;
  }
}

/** Whether a redirect led there. By their orders alone others may be alike: a crawl that goes on counts its own anew. */
function takesPlaceOf(next: CrawlRequest, ended: CrawlRequest): boolean {
  return next.redirects !== undefined && next.order === ended.order;
}
