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
import { SqliteError } from "./sqlite_error.ts";
import { SqliteFile } from "./sqlite_file.ts";
import { Hand } from "./sqlite_hand.ts";
import { HostTable } from "./sqlite_hosts.ts";
import { KeptTable } from "./sqlite_kept.ts";
import { checkedSeen, maxBytesOf, maxQueuedPerHostOf, type SqliteOptions, seenBy } from "./sqlite_options.ts";
import { RequestTable, type RequestText, requestText } from "./sqlite_requests.ts";
import { LoggedBloom, PrintTable, type SeenAs, type StoredSeen } from "./sqlite_seen.ts";
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

// A host's requests that are read before they are asked for: mostly they are taken one by one.
const READ_AHEAD = 16;

/** The frontier of one process, in a file. Each operation is one step, which the end of the process cannot undo. */
export class SqliteFrontier implements Frontier {
  readonly #file: SqliteFile;
  readonly #requests: RequestTable;
  readonly #hosts: HostTable;
  readonly #kept: KeptTable;
  readonly #seen: StoredSeen;
  readonly #totals: Totals;
  readonly #bound: QueueBound;
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
      this.#hosts = new HostTable(file);
      this.#kept = kept;
      this.#bound = new QueueBound(file, kept, maxQueuedPerHost);
      this.#seen =
        madeWith === "exact"
          ? new PrintTable(file, totals)
          : new LoggedBloom(file, kept, madeWith.bloom, totals.salt);
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
    return this.#write(() => this.#accept(requests, texts));
  }

  lease(n: number, nowMs: number): readonly Lease[] {
    const due = this.#file.read(() => this.#hosts.due(nowMs, n));
    if (due.length === 0) return [];
    this.#write(() => {
      for (const { id } of due) this.#hosts.lease(id);
    });
    return due.map(({ id, name, pace }) => {
      const lease: Lease = {
        id: `${++this.#leases}`,
        host: name,
        ...(pace !== null && { pace: this.#parse<HostPace>(pace, `the pace of '${name}'`) }),
      };
      const deferredUntilMs = this.#file.read(() => this.#requests.firstDeferredMs(id));
      this.#hands.set(name, new Hand(lease, id, deferredUntilMs));
      return lease;
    });
  }

  take(lease: Lease, n: number, nowMs: number): readonly CrawlRequest[] {
    const hand = this.#handOf(lease);
    if (hand.deferredUntilMs <= nowMs) {
      this.#write(() => this.#requests.ripen(hand.hostId, nowMs));
      hand.startOver(this.#file.read(() => this.#requests.firstDeferredMs(hand.hostId)));
    }
    if (hand.ahead < n) {
      hand.readOn(
        this.#file.read(() =>
          this.#requests.ready(hand.hostId, lease.host, hand.after, n + hand.taken.size + READ_AHEAD),
        ),
      );
    }
    const requests = hand.take(n);
    this.#inProgress += requests.length;
    return requests;
  }

  complete(lease: Lease, request: CrawlRequest, found: readonly CrawlRequest[]): readonly boolean[] {
    const hand = this.#handOf(lease);
    checkTaken(hand, request);
    const texts = found.map(requestText);
    const isNew = this.#write(() => {
      this.#requests.delete(request.order);
      this.#totals.requests--;
      this.#bound.note(hand.hostId, -1);
      return this.#accept(found, texts, request);
    });
    this.#end(hand, request);
    return isNew;
  }

  defer(lease: Lease, request: CrawlRequest, notBeforeMs: number): void {
    const hand = this.#handOf(lease);
    checkTaken(hand, request);
    const text = requestText(request);
    this.#write(() => this.#requests.defer(request, text, notBeforeMs));
    this.#end(hand, request);
    hand.noteQueued({ ...request, notBeforeMs });
  }

  release(lease: Lease, pace: HostPace, dueMs: number): void {
    const { hostId, taken } = this.#handOf(lease);
    this.#write(() => {
      this.#hosts.release(hostId, pace, dueMs, this.#requests.workMs(hostId), this.#totals.next());
    });
    this.#hands.delete(lease.host);
    this.#inProgress -= taken.size;
  }

  renew(leases: readonly Lease[]): readonly Lease[] {
    return leases.filter(({ host, id }) => this.#hands.get(host)?.lease.id !== id);
  }

  drop(what: HostOrTag): readonly CrawlRequest[] {
    const matching = this.#file.read(() =>
      "host" in what ? this.#requests.ofHost(what.host) : this.#requests.ofTag(what.tag),
    );
    const dropped = matching.filter(({ host, order }) => !this.#hands.get(host)?.taken.has(order));
    if (dropped.length === 0) return [];
    for (const hand of this.#hands.values()) hand.forgetAhead();
    this.#write(() => {
      for (const { order, host } of dropped) {
        this.#requests.delete(order);
        this.#bound.note(this.#hosts.idOf(host), -1);
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
    this.#write(() => {
      this.#kept.set("state", text);
      this.#bound.keep();
    });
  }

  loadState(): JsonValue | undefined {
    const text = this.#file.read(() => this.#kept.get("state"));
    return text === undefined ? undefined : this.#parse<JsonValue>(text, "the state of the crawl");
  }

  /** Closes the file, so that another crawl may open it. Closing twice does nothing. */
  close(): void {
    if (this.#file.isClosed) return;
    this.#write(() => {
      this.#seen.keep(true);
      this.#bound.keep();
    });
    this.#file.close();
  }

  /** One step, counted. Where it fails, the counts are those of before. */
  #write<T>(work: () => T): T {
    const { requests } = this.#totals;
    try {
      return this.#file.write(() => {
        const result = work();
        this.#seen.keep(false);
        this.#totals.keep(this.#seen.size);
        return result;
      });
    } catch (error) {
      this.#totals.requests = requests;
      throw error;
    }
  }

  /** Queues what is new. A redirect's target comes with the order of what it follows on, and takes that place. */
  #accept(
    requests: readonly CrawlRequest[],
    texts: readonly RequestText[],
    ended?: CrawlRequest,
  ): readonly boolean[] {
    return requests.map((request, i) => {
      if (this.#isFull(request, ended)) {
        if (!this.#seen.has(request.key)) this.#bound.overflowed++;
        return false;
      }
      const isNew = this.#seen.add(request.key, request.seed === true);
      if (!isNew && request.revisit !== true) return false;
      // By their orders alone others may be alike: a crawl that goes on counts its own anew.
      const keepsPlace = request.redirects !== undefined && request.order === ended?.order;
      this.#enqueue(keepsPlace ? request : { ...request, order: this.#totals.next() }, texts[i]!);
      return true;
    });
  }

  /** Whether the queue of the request's host has come to its bound; what ends with this step is in no queue. */
  #isFull(request: CrawlRequest, ended: CrawlRequest | undefined): boolean {
    if (!this.#bound.isBounded) return false;
    const { host } = request;
    const hand = this.#hands.get(host);
    const inProgress = (hand?.taken.size ?? 0) - (ended?.host === host ? 1 : 0);
    return this.#bound.isFull(hand?.hostId ?? this.#hosts.idOf(host), request, inProgress);
  }

  #enqueue(request: CrawlRequest, text: RequestText): void {
    const { order, host, notBeforeMs } = request;
    const hand = this.#hands.get(host);
    const hostId = hand?.hostId ?? this.#hosts.idOf(host);
    this.#requests.insert(order, hostId, request, text);
    this.#totals.requests++;
    this.#bound.note(hostId, 1);
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
    this.#write(() => {
      for (const id of left) {
        this.#hosts.arrange(id, this.#requests.workMs(id), this.#totals.next());
      }
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

  #parse<T>(text: string, what: string): T {
    return this.#file.read(() => parsed<T>(this.#file.path, text, what));
  }
}

function checkTaken({ taken }: Hand, request: CrawlRequest): void {
  if (taken.has(request.order)) return;
  throw new Error(`Cannot end the request for '${request.url}' as it is not in progress`);
}

function parsed<T>(path: string, text: string, what: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new SqliteError("read", path, "damaged", `${what} cannot be read`, error);
  }
}
