import type { Clock } from "../clock.ts";
import type { CrawlStats } from "../stats.ts";
import type { Output } from "./output.ts";
import { progressFields, Rate } from "./progress_text.ts";

const LIVE_INTERVAL_MS = 200;
const LINE_INTERVAL_MS = 5000;
const ERASE_LINE = "\r\x1b[2K";

/**
 * How a crawl goes, on standard error: on a terminal one line that is drawn anew in its place, elsewhere a plain
 * line every five seconds.
 */
export class Progress {
  readonly #output: Output;
  readonly #clock: Clock;
  readonly #stats: () => CrawlStats;
  readonly #rate = new Rate();
  #drawn = false;
  #cancelTick: (() => void) | undefined;

  constructor(parts: { output: Output; clock: Clock; stats: () => CrawlStats }) {
    this.#output = parts.output;
    this.#clock = parts.clock;
    this.#stats = parts.stats;
  }

  start(): void {
    this.#rate.sample(this.#clock.now(), this.#stats().pages);
    this.#arm();
  }

  /** Prints a line of its own, above the live one. */
  note(line: string): void {
    void this.above(() => this.#output.write(line));
  }

  /** Takes the live line away while something is printed, wherever it goes, and draws it again below. */
  async above<T>(print: () => Promise<T>): Promise<T> {
    this.#erase();
    const printed = await print();
    if (this.#cancelTick && this.#output.isTerminal) this.#draw();
    return printed;
  }

  end(): void {
    this.#cancelTick?.();
    this.#cancelTick = undefined;
    this.#erase();
  }

  #arm(): void {
    const intervalMs = this.#output.isTerminal ? LIVE_INTERVAL_MS : LINE_INTERVAL_MS;
    this.#cancelTick = this.#clock.at(this.#clock.now() + intervalMs, () => {
      this.#rate.sample(this.#clock.now(), this.#stats().pages);
      if (this.#output.isTerminal) this.#draw();
      else void this.#output.write(`progress: ${this.#fields().join(", ")}\n`);
      this.#arm();
    });
  }

  #draw(): void {
    // A line that fills the last column would wrap, and the part above could not be erased again.
    const text = this.#fields()
      .join(" · ")
      .slice(0, Math.max(this.#output.columns - 1, 0));
    void this.#output.write(`${ERASE_LINE}${text}`);
    this.#drawn = true;
  }

  #erase(): void {
    if (this.#drawn) void this.#output.write(ERASE_LINE);
    this.#drawn = false;
  }

  #fields(): string[] {
    return progressFields(this.#stats(), this.#rate.perSecond, this.#clock.now());
  }
}
