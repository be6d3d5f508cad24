import type { Page } from "./page.ts";
import type { CrawlResult } from "./result.ts";

/** A result on its way to the reader, and what follows when the reader asks for the next one. */
export interface Delivery {
  readonly result: CrawlResult;
  /** Ends the request for good, or puts it back where `retryAtMs` was set meanwhile. */
  readonly acknowledge: (delivery: Delivery) => Promise<void>;
  /** Set when the reader finds that this answer will not do. */
  retryAtMs?: number;
}

/** Results between the engine and the reader. What the reader has is not done with until it asks for more. */
export class Outbox {
  readonly #unread: Delivery[] = [];
  #delivered: Delivery | undefined;
  /** Whether the reader has not asked for more since it was handed `#delivered`. */
  #isHeld = false;
  // What resolves the reader's promise, and no closure around it: V8 would keep each result beyond its use, until the
  // next full collection. See docs/performance.md.
  #reader: ((next: CrawlResult | undefined) => void) | undefined;
  #isClosed = false;

  /** Results that wait for the reader. */
  get unread(): number {
    return this.#unread.length;
  }

  /** Whether the reader has had all there is, and has asked for more since. */
  get isIdle(): boolean {
    return this.#unread.length === 0 && this.#delivered === undefined;
  }

  push(delivery: Delivery): void {
    if (this.#reader === undefined) this.#unread.push(delivery);
    else this.#hand(delivery);
  }

  /** The reader asks for more: what it had is done with. */
  async acknowledge(): Promise<void> {
    const last = this.#delivered;
    if (last === undefined) return;
    this.#isHeld = false;
    await last.acknowledge(last);
    this.#delivered = undefined;
  }

  /** Waits for the next result; `undefined` once the outbox is closed. */
  async next(): Promise<CrawlResult | undefined> {
    const next = this.#unread.shift();
    if (next !== undefined) {
      this.#deliver(next);
      return next.result;
    }
    if (this.#isClosed) return undefined;
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }

  /** What the reader holds of that page, as long as it has not asked for more. */
  held(page: Page): Delivery | undefined {
    return this.#isHeld && this.#delivered?.result === page ? this.#delivered : undefined;
  }

  /** Ends the reader's wait. What is unread stays unread. */
  close(): void {
    this.#isClosed = true;
    this.#hand(undefined);
  }

  #hand(delivery: Delivery | undefined): void {
    const reader = this.#reader;
    this.#reader = undefined;
    if (delivery !== undefined) this.#deliver(delivery);
    reader?.(delivery?.result);
  }

  #deliver(delivery: Delivery): void {
    this.#delivered = delivery;
    this.#isHeld = true;
  }
}
