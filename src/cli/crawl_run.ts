import { type Crawl, crawl } from "../crawl.ts";
import type { CrawlEvent } from "../event.ts";
import { type SqliteFrontier, sqlite } from "../frontier/sqlite.ts";
import type { CrawlOptions } from "../options.ts";
import type { CrawlResult } from "../result.ts";
import type { CrawlStats } from "../stats.ts";
import { InFlight } from "./in_flight.ts";
import { watchInterrupts } from "./interrupts.ts";
import type { Job } from "./job.ts";
import { KnownPages } from "./known_pages.ts";
import { nowhere } from "./output.ts";
import { checkOutputPaths, rememberFiles } from "./output_paths.ts";
import { printable } from "./printable.ts";
import { Progress } from "./progress.ts";
import { failureLine, skipLine } from "./result_line.ts";
import { type ResultPrinter, resultPrinter } from "./result_printer.ts";
import { type Sender, senderOf } from "./sender.ts";
import { makeSinks, type Sinks } from "./sinks.ts";
import { summaryJson, summaryText } from "./summary.ts";
import type { Surroundings } from "./surroundings.ts";
import { UsageError } from "./usage_error.ts";
import { wishedOptions } from "./wished_options.ts";
import type { Wishes } from "./wishes.ts";

/**
 * Crawls, and gives the exit code.
 *
 * @throws {UsageError} before any request, where an option is wrong
 * @throws {OutputError} before any request, where an output cannot be written
 * @throws {SqliteError} before any request, where the file of `--resume` cannot be used
 */
export async function runCrawl(job: Job, around: Surroundings): Promise<number> {
  const { wishes } = job;
  const { clock } = around;
  const atOnce = new AbortController();
  const inFlight = new InFlight();
  const sender: Sender = around.fetch === undefined ? await senderOf(wishes.proxy) : { fetch: around.fetch };
  const { fetch, transport } = sender;
  const printer = asUsage(() => resultPrinter(wishes));
  const knownPages = wishes.revalidate === undefined ? undefined : new KnownPages(wishes.revalidate);
  const sinks = asUsage(() =>
    makeSinks(wishes, {
      clock,
      fetch,
      revalidate: knownPages,
      resolver: around.resolver,
      note: (line) => progress.note(line),
    }),
  );
  const parts = {
    ...(await wishedOptions(wishes)),
    ...(knownPages !== undefined && { revalidate: knownPages }),
    onEvent(event: CrawlEvent) {
      inFlight.observe(event);
      progress.observe(event);
    },
    signal: atOnce.signal,
    clock,
    ...(transport === undefined ? { fetch } : { transport }),
  };
  const results = await open(job, sinks, parts);
  const output = wishes.quiet === true ? nowhere : around.err;
  const progress = new Progress({ output, clock, stats: () => results.stats, budgets: job.options });
  const interrupts = watchInterrupts(around.onInterrupt, {
    stop() {
      progress.note(`stopping: ${inFlight.describe()}; Ctrl-C again ends at once\n`);
      void results.stop("interrupted");
    },
    stopAtOnce: () => atOnce.abort(),
  });
  progress.start();
  const fault = await deliver(results, { printer, sinks, progress, around });
  progress.end();
  interrupts.off();
  const ended = await results.finished;
  const error = fault === undefined || atOnce.signal.aborted ? undefined : printable(messageOf(fault));
  const stats: CrawlStats = error === undefined ? ended : { ...ended, finishReason: "failed" };
  if (error !== undefined) await output.write(`dragline: ${error}\n`);
  await around.err.write(
    wishes.quiet === true ? summaryJson(stats, outputsOf(wishes), error) : closing(stats, wishes),
  );
  return interrupts.seen > 0 ? 130 : isSuccess(stats, wishes) ? 0 : 1;
}

/** Makes the crawl and opens its files; nothing is asked for yet. Where one of them fails, none is left behind. */
async function open(job: Job, sinks: Sinks, parts: CrawlOptions): Promise<Crawl<CrawlResult>> {
  await checkOutputPaths(job.wishes);
  const undo = await rememberFiles(job.wishes);
  let results: Crawl<CrawlResult> | undefined;
  try {
    results = makeCrawl(job, parts);
    await sinks.open();
    return results;
  } catch (error) {
    await results?.cancel();
    await undo();
    throw error;
  }
}

function makeCrawl({ seeds, options, wishes }: Job, parts: CrawlOptions): Crawl<CrawlResult> {
  const { seen, ...others } = options;
  const frontier = wishes.resume === undefined ? undefined : openStore(wishes.resume, seen);
  try {
    return asUsage(() =>
      crawl(seeds, {
        ...others,
        ...(frontier === undefined ? seen !== undefined && { seen } : { frontier }),
        ...parts,
        results: "all",
      }),
    );
  } catch (error) {
    frontier?.close();
    throw error;
  }
}

function openStore(path: string, seen: CrawlOptions["seen"]): SqliteFrontier {
  return asUsage(() => sqlite(path, seen === undefined ? {} : { seen }));
}

/** What is wrong with an option is wrong with a flag, and its message says what. */
function asUsage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw new UsageError(error.message);
  }
}

interface Delivery {
  readonly printer: ResultPrinter;
  readonly sinks: Sinks;
  readonly progress: Progress;
  readonly around: Surroundings;
}

/** Hands on all results and makes the files whole; gives what went wrong with the crawl or with a file. */
async function deliver(results: Crawl<CrawlResult>, delivery: Delivery): Promise<unknown> {
  try {
    await deliverResults(results, delivery);
    await delivery.sinks.finish();
    return undefined;
  } catch (error) {
    await delivery.sinks.leave();
    return error;
  }
}

/** Until the crawl ends or nobody reads any more; a slow reader or disk slows the crawl. */
async function deliverResults(results: Crawl<CrawlResult>, delivery: Delivery): Promise<void> {
  const { printer, sinks, progress, around } = delivery;
  const print = (line: string): Promise<boolean> => progress.above(() => around.out.write(line));
  if (printer.header !== undefined && !(await print(printer.header))) return void results.cancel();
  for await (const result of results) {
    await sinks.write(result);
    if (result.type === "failure") progress.note(failureLine(result));
    // What was named on the command line and is not there needs a word; of links the summary has the count.
    if (result.type === "skip" && result.referrer === undefined) progress.note(skipLine(result));
    const line = printer.line(result);
    if (line !== undefined && !(await print(line))) return;
  }
}

function closing(stats: CrawlStats, wishes: Wishes): string {
  const lines = [summaryText(stats)];
  if (stats.finishReason === "aborted" && Object.keys(outputsOf(wishes)).length > 0) {
    lines.push("files that are not whole yet end in .partial or .journal; the next run goes on with them\n");
  }
  if (wishes.resume !== undefined && stats.queued > 0) {
    lines.push(`the same command goes on from ${printable(wishes.resume)}\n`);
  }
  return lines.join("");
}

function outputsOf({ jsonl, csv, out, warc, links, emails }: Wishes): Record<string, string> {
  const outputs = Object.entries({ jsonl, csv, out, warc, links, emails });
  return Object.fromEntries(outputs.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** A crawl that goes on and finds nothing left to do has done its work before. */
function isSuccess(
  { finishReason, pages, requests, robotsRequests, skips }: CrawlStats,
  { resume }: Wishes,
): boolean {
  if (finishReason === "failed") return false;
  return pages > 0 || (resume !== undefined && requests + robotsRequests + skips === 0);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
