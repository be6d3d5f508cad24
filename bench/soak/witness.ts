import type { RobotsFault } from "./robots_faults.ts";

/** A crawl as its hosts are told of it. */
export interface WitnessedCrawl {
  readonly crawl: number;
  /** The least milliseconds between two requests to one host. */
  readonly gapMs: number;
  /** Most requests at once to one host. */
  readonly limit: number;
  readonly obeysRobots: boolean;
}

interface Hit {
  readonly atMs: number;
  readonly target: string;
  endMs: number;
}

/** A request as it arrived, and what is to be told of it. */
export interface ArrivedRequest {
  readonly target: string;
  readonly answered: () => void;
  readonly pause: (ms: number) => void;
  /** To be called when its connection closes. */
  readonly closed: () => void;
}

interface Pause {
  readonly host: number;
  readonly fromMs: number;
  toMs: number;
}

// How late a request, or the end of one, may be seen here, besides what the processes at its ends were late by.
const LATE_MS = 700;

/** What hosts saw of one crawl, and what of it breaks a rule. It knows nothing of what the crawl itself says. */
export class Witness {
  readonly crawl: WitnessedCrawl;
  readonly #robots: readonly RobotsFault[];
  readonly #hits: Hit[][];
  readonly #pauses: Pause[] = [];
  readonly #strays: string[] = [];

  constructor(crawl: WitnessedCrawl, robots: readonly RobotsFault[]) {
    this.crawl = crawl;
    this.#robots = robots;
    this.#hits = robots.map(() => []);
  }

  arrived(host: number, target: string): ArrivedRequest {
    const hit: Hit = { atMs: performance.now(), target, endMs: Number.POSITIVE_INFINITY };
    this.#hits[host]?.push(hit);
    const of = /^\/c(\d+)\//.exec(target)?.[1];
    if (of !== undefined && Number(of) !== this.crawl.crawl) this.#strays.push(target);
    let asked: Pause | undefined;
    const answered = (): void => {
      hit.endMs = Math.min(hit.endMs, performance.now());
    };
    return {
      target,
      answered,
      pause: (ms) => {
        const nowMs = performance.now();
        asked = { host, fromMs: nowMs, toMs: nowMs + ms };
        this.#pauses.push(asked);
      },
      closed: () => {
        answered();
        // Whose time was over before it read the answer does not know of the pause.
        if (asked !== undefined && performance.now() < asked.fromMs + LATE_MS) asked.toMs = asked.fromMs;
      },
    };
  }

  /**
   * Each rule that was broken, in a sentence.
   *
   * @param processLateMs by how much the crawler and its hosts were late at the most, both together
   */
  complaints(processLateMs: number): string[] {
    const lateMs = LATE_MS + processLateMs;
    const strays = this.#strays.map((target) => `asked for ${target} after its crawl had ended`);
    const perHost = this.#hits.flatMap((hits, host) => {
      const found = [
        this.#forbidden(hits, host),
        this.#tooSoon(hits, host, lateMs),
        this.#tooMany(hits, lateMs),
        this.#inPause(hits, host, lateMs),
      ];
      return found.flatMap((complaint) => (complaint === undefined ? [] : [`host ${host}: ${complaint}`]));
    });
    return [...strays, ...perHost];
  }

  #forbidden(hits: readonly Hit[], host: number): string | undefined {
    const { allows } = this.#robots[host]!;
    if (!this.crawl.obeysRobots || allows === "all" || allows === "unsure") return undefined;
    const pages = hits.filter(({ target }) => !target.endsWith("/robots.txt"));
    const forbidden =
      allows === "none" ? pages : pages.filter(({ target }) => target.includes("/forbidden/"));
    return (
      forbidden[0] && `${forbidden.length} requests that robots.txt forbids, the first ${forbidden[0].target}`
    );
  }

  /** However the requests were delayed on their way, n of them cannot come in less than n - 1 gaps. */
  #tooSoon(hits: readonly Hit[], host: number, lateMs: number): string | undefined {
    const gapMs = Math.max(
      this.crawl.gapMs,
      this.crawl.obeysRobots ? (this.#robots[host]!.crawlDelayMs ?? 0) : 0,
    );
    // The crawl-delay is known once robots.txt is there.
    const paced = hits.slice(1);
    let latestMs = Number.NEGATIVE_INFINITY;
    for (const [n, { atMs, target }] of paced.entries()) {
      const sinceMs = atMs - n * gapMs;
      if (sinceMs < latestMs - lateMs)
        return `${target} came ${Math.round(latestMs - sinceMs)} ms before its time`;
      latestMs = Math.max(latestMs, sinceMs);
    }
    return undefined;
  }

  #tooMany(hits: readonly Hit[], lateMs: number): string | undefined {
    for (const { atMs } of hits) {
      const open = hits.filter((hit) => hit.atMs <= atMs && hit.endMs > atMs + lateMs);
      if (open.length > this.crawl.limit) {
        return `${open.length} requests at once: ${open.map(({ target }) => target).join(", ")}`;
      }
    }
    return undefined;
  }

  #inPause(hits: readonly Hit[], host: number, lateMs: number): string | undefined {
    for (const { host: paused, fromMs, toMs } of this.#pauses) {
      if (paused !== host) continue;
      const early = hits.find(({ atMs }) => atMs > fromMs + lateMs && atMs < toMs);
      if (early) return `${early.target} came ${Math.round(toMs - early.atMs)} ms before the end of a pause`;
    }
    return undefined;
  }
}
