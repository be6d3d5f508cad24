import type { Clock } from "../clock.ts";
import type { Fetch } from "../options.ts";
import { toCsvFile, toFiles, toJsonLinesFile } from "../output/files.ts";
import { toWarc } from "../output/warc.ts";
import type { CrawlResult } from "../result.ts";
import { type AddressBook, domainOf } from "./address_book.ts";
import { brokenLinksFile } from "./broken_links.ts";
import { emailsFile } from "./emails_file.ts";
import { counted } from "./figures.ts";
import type { Wishes } from "./flags.ts";
import { absentDomains, httpsResolver, type MailResolver, systemResolver } from "./mail_domains.ts";

/** What the outputs need of the command around them. */
export interface SinkParts {
  readonly clock: Clock;
  readonly fetch: Fetch;
  /** In place of the runtime's resolver. */
  readonly resolver?: MailResolver | undefined;
  /** Prints a line for whoever watches. */
  readonly note: (line: string) => void;
}

/**
 * The files that were asked for, by what they are.
 *
 * @throws {TypeError} where an option of one is wrong
 */
export function openSinks(wishes: Wishes, parts: SinkParts): Sinks {
  const { jsonl, csv, fields, out, offline = false, warc, links, emails, replace, resume } = wishes;
  const existing = replace === true ? "replace" : "continue";
  const records = { existing, ...(fields !== undefined && { fields }) } as const;
  const sinks: Sink[] = [];
  if (jsonl !== undefined && jsonl !== "-") {
    sinks.push({ stream: toJsonLinesFile(jsonl, records), isFor: isTold });
  }
  if (csv !== undefined && csv !== "-") sinks.push({ stream: toCsvFile(csv, records), isFor: isTold });
  if (out !== undefined) sinks.push({ stream: toFiles(out, { offline }) });
  if (warc !== undefined) sinks.push({ stream: toWarc(warc, { existing }) });
  // What was noted belongs to one crawl: without a store no other run can go on with it.
  if (links !== undefined) sinks.push({ stream: brokenLinksFile(links, resume !== undefined) });
  if (emails !== undefined) {
    sinks.push({ stream: emailsFile(emails, emailsOptions(wishes, existing, parts)) });
  }
  return new Sinks(sinks);
}

/** Whether a result gets a line: of links that never got so far as to be asked for the summary has the count. */
export function isTold(result: CrawlResult): boolean {
  return result.type !== "skip" || result.request !== undefined || result.referrer === undefined;
}

/** One output. */
export interface Sink {
  readonly stream: WritableStream<CrawlResult>;
  /** Which results it gets. Default: all. */
  readonly isFor?: (result: CrawlResult) => boolean;
}

/** Several outputs as one: each gets every result, and the slowest of them sets the pace. */
export class Sinks {
  readonly #outlets: readonly (Sink & { readonly writer: WritableStreamDefaultWriter<CrawlResult> })[];

  constructor(sinks: readonly Sink[]) {
    this.#outlets = sinks.map((sink) => ({ ...sink, writer: sink.stream.getWriter() }));
    // A fault is told by the write that meets it.
    for (const { writer } of this.#outlets) {
      writer.closed.catch(ignore);
      writer.ready.catch(ignore);
    }
  }

  /** @throws what the first of them that fails throws */
  async write(result: CrawlResult): Promise<void> {
    const meant = this.#outlets.filter(({ isFor }) => isFor?.(result) ?? true);
    throwFirst(await Promise.allSettled(meant.map(({ writer }) => writer.write(result))));
  }

  /** Makes the files whole. All are tried, whatever becomes of the others. */
  async finish(): Promise<void> {
    throwFirst(await Promise.allSettled(this.#outlets.map(({ writer }) => writer.close())));
  }

  /** Leaves the files as they are, for the next run. */
  async leave(): Promise<void> {
    await Promise.allSettled(this.#outlets.map(({ writer }) => writer.abort()));
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

function ignore(): void {}
