import type { ResultSink } from "../output/result_sink.ts";
import type { Page } from "../page.ts";
import type { JsonValue } from "../request.ts";
import { extractEmails } from "../web/emails.ts";
import { AddressBook, type Sighting } from "./address_book.ts";
import { addressFormat } from "./address_files.ts";
import { type ContactLink, contactLinksOf } from "./contact_links.ts";
import { JournalFile } from "./journal_file.ts";

/** A line of the journal: whom one page names. */
interface Note {
  readonly page: string;
  readonly addresses: readonly Sighting[];
  readonly contacts: readonly ContactLink[];
}

/** How addresses are kept: see {@link emailsFile}. */
export interface EmailsOptions {
  /** Whether what is in the file already stays in it. */
  readonly existing: "continue" | "replace";
  /** Takes away what does not belong, before the file is written. */
  readonly verify?: (book: AddressBook) => Promise<void>;
  /** Told of the book that was written. */
  readonly onWritten?: (book: AddressBook) => void;
}

/**
 * Writes the e-mail addresses of a crawl's pages: each once, in lower case, with all pages on which it stands, how it
 * was hidden there and how it was written. Addresses of domains that are reserved for examples stand apart, and
 * beside them the links to social networks, pages for contact and telephone numbers.
 *
 * The file is written in one step when the crawl ends, with what was in it before. Until then each page's finds are in
 * `<path>.journal`, which the next run goes on with where this one is killed.
 */
export function emailsFile(path: string, options: EmailsOptions): ResultSink {
  const format = addressFormat(path);
  const book = new AddressBook();
  let journal: JournalFile;
  return {
    async start() {
      if (options.existing === "continue") await format.read(book);
      journal = await JournalFile.open(`${path}.journal`, options.existing);
    },
    async write(result) {
      const note = result.type === "page" && result.ok ? noteOf(result) : undefined;
      if (note !== undefined) await journal.append(note as unknown as JsonValue);
    },
    async close() {
      for await (const value of journal.values()) enter(book, value as unknown as Note);
      await options.verify?.(book);
      await format.write(book);
      await journal.remove();
      options.onWritten?.(book);
    },
    abort: () => journal.close(),
  };
}

function noteOf(page: Page): Note | undefined {
  const addresses = extractEmails(markupOf(page)).map(({ address, how, placeholder }) => ({
    written: address,
    how,
    placeholder,
  }));
  const contacts = contactLinksOf(page);
  return addresses.length + contacts.length === 0 ? undefined : { page: page.url, addresses, contacts };
}

/** Plain text as HTML of the same text: `<me@site.example>` is no tag there. */
function markupOf({ text, contentType }: Page): string {
  if (contentType !== "text/plain") return text;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function enter(book: AddressBook, { page, addresses, contacts }: Note): void {
  for (const sighting of addresses) book.addAddress(sighting, [page]);
  for (const contact of contacts) book.addContact(contact, [page]);
}
