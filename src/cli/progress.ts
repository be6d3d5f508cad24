import type { Clock } from "../clock.ts";
import type { CrawlEvent } from "../event.ts";
import type { CrawlStats } from "../stats.ts";
import type { Output } from "./output.ts";
import { type Moment, type ProgressBudgets, progressBlock, progressFields, Rate } from "./progress_text.ts";
import { eraseText, lineColumns, lineText } from "./terminal_line.ts";

const LIVE_INTERVAL_MS = 200;
const LINE_INTERVAL_MS = 5000;

/** What progress is shown of, and where. */
export interface ProgressParts {
  readonly output: Output;
  readonly clock: Clock;
  readonly stats: () => CrawlStats;
  readonly budgets: ProgressBudgets;
}

/**
 * How a crawl goes, on standard error: on a terminal a block of lines that is drawn anew in its place, elsewhere a
 * plain line every five seconds.
 */
export class Progress {
  readonly #output: Output;
  readonly #clock: Clock;
  readonly #stats: () => CrawlStats;
  readonly #budgets: ProgressBudgets;
  readonly #rate = new Rate();
  // Those of this run: the stats of a crawl that goes on begin with what it had before.
  #pages = 0;
  /** The width of each line that is drawn. */
  #drawn: readonly number[] = [];
  #cancelTick: (() => void) | undefined;

  constructor({ output, clock, stats, budgets }: ProgressParts) {
    this.#output = output;
    this.#clock = clock;
    this.#stats = stats;
    this.#budgets = budgets;
  }

  start(): void {
    this.#rate.sample(this.#clock.now(), this.#pages);
    this.#arm();
  }

  observe(event: CrawlEvent): void {
    if (event.type === "page") this.#pages++;
  }

  /** Prints a line of its own, above the live ones. */
  note(line: string): void {
    void this.above(() => this.#output.write(line));
  }

  /** Takes the live lines away while something is printed, wherever it goes, and draws them again below. */
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
      this.#rate.sample(this.#clock.now(), this.#pages);
      if (this.#output.isTerminal) this.#draw();
      else void this.#output.write(`progress: ${progressFields(this.#moment()).join(", ")}\n`);
      this.#arm();
    });
  }

  #draw(): void {
    const { columns, isColoured } = this.#output;
    // A line that fills the last column would wrap.
    const width = Math.max(columns - 1, 0);
    const lines = progressBlock(this.#moment(), width);
    const text = lines.map((spans) => lineText(spans, width, isColoured)).join("\n");
    void this.#output.write(eraseText(this.#drawn, columns) + text);
    this.#drawn = lines.map((spans) => Math.min(lineColumns(spans), width));
  }

  #erase(): void {
    const erase = eraseText(this.#drawn, this.#output.columns);
    if (erase !== "") void this.#output.write(erase);
    this.#drawn = [];
  }

  #moment(): Moment {
    return {
      stats: this.#stats(),
      pagesPerSecond: this.#rate.perSecond,
      nowMs: this.#clock.now(),
      budgets: this.#budgets,
    };
  }
}
