import type { Settings } from "./options.ts";
import { backoffMs } from "./politeness/retry.ts";
import type { Robots } from "./web/robots.ts";
import { originOf } from "./web/url.ts";

/** What robots.txt says to one URL at one moment. */
export type RobotsVerdict =
  /** `isStale`: the rules hold, and are to be fetched again. */
  | { readonly type: "allowed"; readonly isStale: boolean }
  | { readonly type: "forbidden"; readonly reason: "robots" | "robots-unreachable"; readonly detail?: string }
  /** It has to be fetched first. */
  | { readonly type: "unknown" }
  /** It is on its way, or is asked again at `untilMs`. */
  | { readonly type: "wait"; readonly untilMs: number };

interface OriginRobots {
  rules: Robots | undefined;
  fetchedAtMs: number;
  isFetching: boolean;
  /** Since the rules were last there. */
  failures: number;
  retryAtMs: number;
  /** What came in place of the rules, in words; for what is skipped because of it. */
  fault?: string;
}

// Rules of far more origins than a crawl has in hand; the oldest make room, and are fetched again when needed.
const MAX_ORIGINS = 20_000;

/** What is known of each origin's robots.txt, as states: unknown, on its way, ready, unreachable. */
export class RobotsGate {
  readonly #settings: NonNullable<Settings["robots"]>;
  readonly #retries: Settings["retries"];
  readonly #userAgent: string;
  readonly #random: () => number;
  readonly #origins = new Map<string, OriginRobots>();

  constructor(robots: NonNullable<Settings["robots"]>, settings: Settings) {
    this.#settings = robots;
    this.#retries = settings.retries;
    this.#userAgent = settings.userAgent;
    this.#random = settings.random;
  }

  /** Whether a URL may be asked for now. */
  verdict(url: string, nowMs: number): RobotsVerdict {
    const known = this.#origins.get(originOf(url));
    if (known === undefined) return { type: "unknown" };
    const isStale = nowMs - known.fetchedAtMs > this.#settings.maxAgeMs;
    if (known.rules === undefined) return this.#verdictWithoutRules(known, isStale, nowMs);
    const delayMs = known.rules.crawlDelayMs(this.#userAgent);
    if (delayMs !== undefined && delayMs > this.#settings.maxCrawlDelayMs) {
      return {
        type: "forbidden",
        reason: "robots",
        detail: tooSlow(delayMs, this.#settings.maxCrawlDelayMs),
      };
    }
    if (!known.rules.isAllowed(url, this.#userAgent)) return { type: "forbidden", reason: "robots" };
    return { type: "allowed", isStale: isStale && !known.isFetching && nowMs >= known.retryAtMs };
  }

  /** Notes that it is on its way, so that it is fetched once however many wait for it. */
  begin(origin: string): void {
    const known = this.#origins.get(origin);
    if (known !== undefined) known.isFetching = true;
    else {
      this.#origins.set(origin, {
        rules: undefined,
        fetchedAtMs: Number.POSITIVE_INFINITY,
        isFetching: true,
        failures: 0,
        retryAtMs: 0,
      });
      this.#makeRoom();
    }
  }

  /** Takes the rules in: the file's, or those of an origin without one. */
  ready(origin: string, rules: Robots, nowMs: number): void {
    this.#origins.set(origin, { rules, fetchedAtMs: nowMs, isFetching: false, failures: 0, retryAtMs: 0 });
  }

  /**
   * Notes that it could not be had. RFC 9309 §2.3.1.4: all is disallowed meanwhile, but rules that were there once
   * hold on.
   *
   * @param fault what came in its place: a status or the reason of a failure
   * @returns when it is asked for again, in milliseconds since the epoch; `undefined` when it is given up
   */
  unreachable(origin: string, nowMs: number, fault?: string): number | undefined {
    const known = this.#origins.get(origin);
    if (known === undefined) return undefined;
    known.isFetching = false;
    known.failures++;
    if (fault !== undefined) known.fault = fault;
    if (known.failures > this.#settings.unreachableRetries) {
      known.failures = 0;
      known.fetchedAtMs = nowMs;
      return undefined;
    }
    known.retryAtMs = nowMs + backoffMs(known.failures, this.#retries, this.#random);
    return known.retryAtMs;
  }

  /** The crawl-delay in milliseconds that an origin asks for, if it is one to be kept. */
  crawlDelayMs(origin: string): number | undefined {
    const delayMs = this.#origins.get(origin)?.rules?.crawlDelayMs(this.#userAgent);
    return delayMs !== undefined && delayMs <= this.#settings.maxCrawlDelayMs ? delayMs : undefined;
  }

  /** The sitemaps that an origin lists; `undefined` where its rules are not there. */
  sitemaps(origin: string): readonly string[] | undefined {
    return this.#origins.get(origin)?.rules?.sitemaps;
  }

  #verdictWithoutRules(known: OriginRobots, isStale: boolean, nowMs: number): RobotsVerdict {
    if (known.isFetching) return { type: "wait", untilMs: Number.POSITIVE_INFINITY };
    if (known.failures > 0) {
      return nowMs < known.retryAtMs ? { type: "wait", untilMs: known.retryAtMs } : { type: "unknown" };
    }
    if (isStale) return { type: "unknown" };
    const detail =
      known.fault === undefined ? {} : { detail: `its robots.txt could not be had: ${known.fault}` };
    return { type: "forbidden", reason: "robots-unreachable", ...detail };
  }

  #makeRoom(): void {
    if (this.#origins.size <= MAX_ORIGINS) return;
    for (const [origin, { isFetching }] of this.#origins) {
      if (isFetching) continue;
      this.#origins.delete(origin);
      return;
    }
  }
}

function tooSlow(delayMs: number, mostMs: number): string {
  return `its robots.txt asks for ${delayMs / 1_000} s between requests, and maxCrawlDelayMs is ${mostMs}`;
}
