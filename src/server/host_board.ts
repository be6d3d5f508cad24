import type { CrawlEvent } from "../event.ts";
import type { PaceReason } from "../politeness/host.ts";

/** How a host stands, as those who watch are told. */
export interface HostStanding {
  readonly host: string;
  /** Requests that may be in flight to it. */
  readonly limit: number;
  /** Milliseconds between two starts. */
  readonly gapMs: number;
  /** Milliseconds since the epoch before which nothing starts; only where it was ever paused. */
  readonly pausedUntilMs?: number;
  /** Why its pace last changed. */
  readonly why?: PaceReason;
  readonly inFlight: number;
  readonly pages: number;
  readonly failures: number;
}

type Standing = { -readonly [K in keyof HostStanding]: HostStanding[K] };

/** The pace with which a host begins. */
export interface FirstPace {
  readonly limit: number;
  readonly gapMs: number;
}

const MAX_HOSTS = 1000;

/** Keeps how each host stands, folded over a crawl's events: the thousand of which something was heard last. */
export class HostBoard {
  readonly #firstPace: FirstPace;
  /** The one that changed last stands last; past the bound, the first leaves. */
  readonly #hosts = new Map<string, Standing>();
  /** Emptied by {@link takeChanged}. */
  readonly #changed = new Set<Standing>();

  constructor(pace: FirstPace) {
    this.#firstPace = pace;
  }

  /** All that are known, the one that changed last at the end. */
  get standings(): readonly HostStanding[] {
    return [...this.#hosts.values()];
  }

  /** Takes an event in. */
  take(event: CrawlEvent): void {
    switch (event.type) {
      case "started":
        this.#change(event.host).inFlight++;
        break;
      case "ended": {
        const standing = this.#change(event.host);
        // Of a host that had left the board meanwhile, the start is not counted.
        standing.inFlight = Math.max(0, standing.inFlight - 1);
        break;
      }
      case "page":
        this.#change(event.page.request.host).pages++;
        break;
      case "failure":
        this.#change(event.failure.request.host).failures++;
        break;
      case "paced": {
        const standing = this.#change(event.host);
        standing.limit = event.limit.to;
        standing.gapMs = event.gapMs.to;
        standing.why = event.why;
        if (event.pausedUntilMs !== undefined) standing.pausedUntilMs = event.pausedUntilMs;
        break;
      }
    }
  }

  /** Those that changed since this was called last. */
  takeChanged(): readonly HostStanding[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  #change(host: string): Standing {
    const standing = this.#hosts.get(host) ?? {
      host,
      ...this.#firstPace,
      inFlight: 0,
      pages: 0,
      failures: 0,
    };
    this.#hosts.delete(host);
    this.#hosts.set(host, standing);
    this.#changed.add(standing);
    if (this.#hosts.size > MAX_HOSTS) {
      const [oldest] = this.#hosts.values();
      this.#hosts.delete(oldest!.host);
      this.#changed.delete(oldest!);
    }
    return standing;
  }
}
