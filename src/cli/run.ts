import type { Clock } from "../clock.ts";
import { type Crawl, crawl } from "../crawl.ts";
import type { CrawlResult } from "../result.ts";
import { VERSION } from "../version.ts";
import { type Command, parseCommand } from "./arguments.ts";
import { helpText } from "./help.ts";
import { InFlight } from "./in_flight.ts";
import type { Output } from "./output.ts";
import { printable } from "./printable.ts";
import { Progress } from "./progress.ts";
import { failureLine, pageLine, skipLine } from "./result_line.ts";
import { summaryText } from "./summary.ts";
import { UsageError } from "./usage_error.ts";

/** What the command needs of the process around it. */
export interface Surroundings {
  /** Standard output: results alone. */
  readonly out: Output;
  /** Standard error: all the rest. */
  readonly err: Output;
  readonly clock: Clock;
  /** Calls the listener at each Ctrl-C; gives the way to take it off again. */
  onInterrupt(listener: () => void): () => void;
  /** The runtime's own by default. */
  readonly fetch?: typeof fetch;
}

/** The command, from its arguments to its exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted. */
export async function run(args: readonly string[], around: Surroundings): Promise<number> {
  let command: Command;
  try {
    command = parseCommand(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await around.err.write(`dragline: ${printable(error.message)} (dragline --help tells more)\n`);
    return 2;
  }
  switch (command.type) {
    case "help":
      await around.out.write(helpText());
      return 0;
    case "version":
      await around.out.write(`${VERSION}\n`);
      return 0;
    case "crawl":
      return await runCrawl(command, around);
    default:
      return command satisfies never;
  }
}

async function runCrawl(command: Extract<Command, { type: "crawl" }>, around: Surroundings): Promise<number> {
  const atOnce = new AbortController();
  const inFlight = new InFlight();
  const results = crawl(command.seeds, {
    ...command.options,
    results: "all",
    onEvent: (event) => inFlight.observe(event),
    signal: atOnce.signal,
    clock: around.clock,
    ...(around.fetch && { fetch: around.fetch }),
  });
  const progress = new Progress({ output: around.err, clock: around.clock, stats: () => results.stats });
  const interrupts = watchInterrupts(around.onInterrupt, {
    stop() {
      progress.note(`stopping: ${inFlight.describe()}; Ctrl-C again ends at once\n`);
      void results.stop("interrupted");
    },
    stopAtOnce: () => atOnce.abort(),
  });
  progress.start();
  try {
    await printResults(results, around.out, progress);
  } catch (error) {
    if (!atOnce.signal.aborted) progress.note(`dragline: ${printable(String(error))}\n`);
  } finally {
    progress.end();
    interrupts.off();
  }
  const stats = await results.finished;
  await around.err.write(summaryText(stats));
  if (interrupts.seen > 0) return 130;
  return stats.finishReason === "failed" || stats.pages === 0 ? 1 : 0;
}

/** Prints until the crawl ends or nobody reads any more; a slow reader slows the crawl. */
async function printResults(results: Crawl<CrawlResult>, out: Output, progress: Progress): Promise<void> {
  for await (const result of results) {
    switch (result.type) {
      case "page":
        if (!(await progress.above(() => out.write(pageLine(result))))) return;
        break;
      case "failure":
        progress.note(failureLine(result));
        break;
      case "skip":
        // What was named on the command line and is not there needs a word; of links the summary has the count.
        if (result.referrer === undefined) progress.note(skipLine(result));
        break;
      default:
        result satisfies never;
    }
  }
}

/** The first Ctrl-C stops gently, the second one ends the crawl at once; a third one is the runtime's. */
function watchInterrupts(
  onInterrupt: Surroundings["onInterrupt"],
  crawl: { stop(): void; stopAtOnce(): void },
): { readonly seen: number; off(): void } {
  let seen = 0;
  const off = onInterrupt(() => {
    seen++;
    if (seen === 1) {
      crawl.stop();
    } else {
      off();
      crawl.stopAtOnce();
    }
  });
  return {
    get seen() {
      return seen;
    },
    off,
  };
}
