import type { Disposition } from "./disposition.ts";
import type { HopOutcome } from "./fetcher.ts";
import type { CrawlRequest } from "./request.ts";

/**
 * Tells which requests are tried again at once: a connection that was kept may have been closed by the host just as the
 * request went out, which says nothing about either.
 */
export class StaleConnections {
  // Orders of requests whose connection broke before any answer, until they have another outcome.
  readonly #tried = new Set<number>();

  /** Whether it is to go again; each request may once. `isInTouch`: the host has answered, and is not given up. */
  mayRepeat(
    request: CrawlRequest,
    outcome: HopOutcome,
    disposition: Disposition,
    isInTouch: boolean,
  ): boolean {
    const isStale = outcome.type === "failure" && outcome.reason === "reset" && outcome.status === undefined;
    if (isStale && isInTouch && disposition.type === "retry" && !this.#tried.has(request.order)) {
      this.#tried.add(request.order);
      return true;
    }
    this.#tried.delete(request.order);
    return false;
  }
}
