import type { SavedFrontier } from "./frontier/memory.ts";
import type { HostPace } from "./politeness/host.ts";
import type { SkipReason } from "./result.ts";
import type { EventCounts } from "./stats.ts";

/** The version of the form in which snapshots are written. */
export const SNAPSHOT_VERSION = 1;

/**
 * A crawl at a standstill, as plain JSON: `resume` goes on with it, in another process, on another runtime, or in a
 * worker's next invocation. What else is in it is the crawl's own. It holds URLs, headers and bodies of seeds, and
 * cookies: keep it as you keep those.
 */
export interface CrawlSnapshot {
  /** Of the form in which it is written. One that this release does not know is refused. */
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly takenAtMs: number;
}

/** A {@link CrawlSnapshot} with all that is in it. */
export interface SavedCrawl extends SavedState {
  /** What has not ended, what was seen, and each host's pace. */
  readonly frontier: SavedFrontier;
}

/** What a crawl remembers beside its frontier. */
export interface SavedState extends CrawlSnapshot {
  /** What has been used of the budgets so far, and all else that is counted. */
  readonly counts: EventCounts;
  readonly elapsedMs: number;
  readonly hostsMet: number;
  readonly admission: SavedAdmission;
  readonly territories: readonly string[];
  readonly pagesByHost: readonly (readonly [host: string, pages: number])[];
  /** By which pages to come are compared with those before, where that is asked for. */
  readonly nearDuplicates?: readonly (readonly [digest: string, url: string])[] | undefined;
  readonly givenUp: readonly SavedGivenUp[];
  /** Of hosts in hand: a process that is killed cannot give them back. */
  readonly paces?: readonly (readonly [host: string, pace: HostPace, readyMs: number | null])[] | undefined;
  /** The jar, in tough-cookie's own form. */
  readonly cookies?: object | undefined;
}

/** What seeds have opened. */
export interface SavedAdmission {
  readonly lastOrder: number;
  readonly seedOrigins: readonly string[];
  readonly privateSeeds: readonly string[];
}

/** A host whose queue is skipped. */
export interface SavedGivenUp {
  readonly host: string;
  readonly reason: SkipReason;
  /** Milliseconds since the epoch; none for good. */
  readonly untilMs?: number | undefined;
  readonly detail?: string | undefined;
}

/**
 * @throws {TypeError} where the value is no snapshot, or one of another version
 */
export function checkedSnapshot(value: unknown): SavedCrawl {
  const snapshot = value as Partial<SavedCrawl> | null;
  if (typeof snapshot !== "object" || snapshot === null || typeof snapshot.version !== "number") {
    throw new TypeError("Cannot crawl as 'resume' must be what snapshot() gave");
  }
  if (snapshot.version !== SNAPSHOT_VERSION) {
    throw new TypeError(
      `Cannot crawl as 'resume' must be a snapshot of version ${SNAPSHOT_VERSION}: received version ${snapshot.version}`,
    );
  }
  const { frontier } = snapshot;
  const isWhole =
    Array.isArray(frontier?.requests) && Array.isArray(frontier.hosts) && typeof frontier.seen === "object";
  if (!isWhole || !isState(snapshot)) {
    throw new TypeError("Cannot crawl as 'resume' must be a whole snapshot: parts of it are missing");
  }
  return snapshot as SavedCrawl;
}

/** Whether a value from a store is what a crawl of this release remembers; an older or newer one's is not used. */
export function isState(value: unknown): value is SavedState {
  const state = value as Partial<SavedState> | null | undefined;
  if (state?.version !== SNAPSHOT_VERSION) return false;
  const { counts, admission, territories, pagesByHost, givenUp } = state;
  const areObjects = typeof counts === "object" && typeof admission === "object";
  return areObjects && [territories, pagesByHost, givenUp].every(Array.isArray);
}
