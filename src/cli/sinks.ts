import type { Clock } from "../clock.ts";
import type { Fetch } from "../options.ts";
import { folderSink } from "../output/files_folder.ts";
import { csvFileSink, jsonLinesFileSink } from "../output/files_records.ts";
import type { ResultSink } from "../output/result_sink.ts";
import { warcSink } from "../output/warc_sink.ts";
import type { CrawlResult } from "../result.ts";
import { type AddressBook, domainOf } from "./address_book.ts";
import { brokenLinksFile } from "./broken_links.ts";
import { emailsFile } from "./emails_file.ts";
import { counted } from "./figures.ts";
import { absentDomains, httpsResolver, type MailResolver, systemResolver } from "./mail_domains.ts";
import { OutputError } from "./usage_error.ts";
import type { Wishes } from "./wishes.ts";

/** What the outputs need of the command around them. */
export interface SinkParts {
  readonly clock: Clock;
  readonly fetch: Fetch;
  /** What `--revalidate` keeps. */
  readonly revalidate?: ResultSink | undefined;
  /** In place of the runtime's resolver. */
  readonly resolver?: MailResolver | undefined;
  /** Prints a line for whoever watches. */
  readonly note: (line: string) => void;
}

/**
 * The files that were asked for, by what they are; none of them is opened yet.
 *
 * @throws {TypeError} where an option of one is wrong
 */
export function makeSinks(wishes: Wishes, parts: SinkParts): Sinks {
  const { jsonl, csv, fields, out, offline = false, warc, links, emails, replace, resume } = wishes;
  const { revalidate } = parts;
  const existing = replace === true ? "replace" : "continue";
  const records = { existing, ...(fields !== undefined && { fields }) } as const;
  const outlets: Outlet[] = [];
  if (revalidate !== undefined) outlets.push({ flag: "--revalidate", sink: revalidate });
  if (jsonl !== undefined && jsonl !== "-") {
    outlets.push({ flag: "--jsonl", sink: jsonLinesFileSink(jsonl, records), isFor: isTold });
  }
  if (csv !== undefined && csv !== "-") {
    outlets.push({ flag: "--csv", sink: csvFileSink(csv, records), isFor: isTold });
  }
  if (warc !== undefined) outlets.push({ flag: "--warc", sink: warcSink(warc, { existing }) });
  // What was noted belongs to one crawl: without a store no other run can go on with it.
  if (links !== undefined) {
    outlets.push({ flag: "--links", sink: brokenLinksFile(links, resume !== undefined) });
  }
  if (emails !== undefined) {
    outlets.push({ flag: "--emails", sink: emailsFile(emails, emailsOptions(wishes, existing, parts)) });
  }
  // The last to be opened: a folder that was made is not taken away again where another output fails.
  if (out !== undefined) outlets.push({ flag: "--out", sink: folderSink(out, { offline }) });
  return new Sinks(outlets);
}

/** Whether a result gets a line: of links that never got so far as to be asked for the summary has the count. */
export function isTold(result: CrawlResult): boolean {
  return result.type !== "skip" || result.request !== undefined || result.referrer === undefined;
}

/** One output. */
interface Outlet {
  /** By which it was asked for. */
  readonly flag: string;
  readonly sink: ResultSink;
  /** Which results it gets. Default: all. */
  readonly isFor?: (result: CrawlResult) => boolean;
}

/** Several outputs as one: each gets every result, and the slowest of them sets the pace. */
export class Sinks {
  readonly #outlets: readonly Outlet[];
  readonly #opened: ResultSink[] = [];

  constructor(outlets: readonly Outlet[]) {
    this.#outlets = outlets;
  }

  /**
   * Opens one after the other. Those that are open when one fails are left as they are.
   *
   * @throws {OutputError} naming the flag and the path of the first one that cannot be written
   */
  async open(): Promise<void> {
    for (const { flag, sink } of this.#outlets) {
      try {
        await sink.start();
      } catch (error) {
        await this.leave();
        throw new OutputError(`${flag}: ${(error as Error).message}`);
      }
      this.#opened.push(sink);
    }
  }

  /** @throws what the first of them that fails throws */
  async write(result: CrawlResult): Promise<void> {
    const meant = this.#outlets.filter(({ isFor }) => isFor?.(result) ?? true);
    throwFirst(await Promise.allSettled(meant.map(({ sink }) => sink.write(result))));
  }

  /** Makes the files whole. All are tried, whatever becomes of the others. */
  async finish(): Promise<void> {
    throwFirst(await Promise.allSettled(this.#outlets.map(({ sink }) => sink.close())));
  }

  /** Leaves the files as they are, for the next run. */
  async leave(): Promise<void> {
    await Promise.allSettled(this.#opened.map((sink) => sink.abort()));
  }
}

function throwFirst(outcomes: readonly PromiseSettledResult<void>[]): void {
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

function emailsOptions(
  wishes: Wishes,
  existing: "continue" | "replace",
  { clock, fetch, resolver = systemResolver, note }: SinkParts,
): Parameters<typeof emailsFile>[1] {
  const resolve =
    wishes.dnsOverHttps === undefined ? resolver : httpsResolver(wishes.dnsOverHttps, fetch, clock);
  return {
    existing,
    ...(wishes.verifyMx === true && {
      verify: (book: AddressBook) => dropAbsent(book, resolve, note),
    }),
    onWritten: ({ addresses, placeholders, contacts }) => {
      const parts = [
        counted(addresses.length, "address", "addresses"),
        counted(placeholders.length, "placeholder"),
        counted(contacts.length, "social or contact link"),
      ];
      note(`emails: ${parts.join(", ")} in ${wishes.emails}\n`);
    },
  };
}

async function dropAbsent(
  book: AddressBook,
  resolve: MailResolver,
  note: (line: string) => void,
): Promise<void> {
  const domains = new Set(book.addresses.map(({ address }) => domainOf(address)));
  note(`emails: asking DNS for ${counted(domains.size, "domain")}\n`);
  for (const domain of await absentDomains(domains, resolve)) {
    const dropped = book.dropDomain(domain).map(({ address }) => address);
    note(`emails: left out ${dropped.join(", ")}: there is no domain ${domain}\n`);
  }
}
