import type { EmailSource } from "../web/emails.ts";
import type { AddressBook, BookedAddress, BookedContact } from "./address_book.ts";
import type { ContactLink } from "./contact_links.ts";
import { csvTable, readCsvTable } from "./csv_table.ts";
import { readWholeFile, writeWholeFile } from "./whole_file.ts";

/** How a book stands on the disk. */
export interface AddressFormat {
  /** The paths of its files, of which the first one has the addresses. */
  readonly paths: readonly string[];
  /** Adds what is there already. @throws {Error} naming the file that is none of this format */
  read(book: AddressBook): Promise<void>;
  write(book: AddressBook): Promise<void>;
}

/** The format by the ending of a path: JSON is one file; beside a table of addresses is one of all that is none. */
export function addressFormat(path: string): AddressFormat {
  return /\.json$/i.test(path) ? jsonFormat(path) : csvFormat(path);
}

interface JsonAddress {
  readonly address: string;
  readonly written: readonly string[];
  readonly how: readonly EmailSource[];
  readonly pages: readonly string[];
}

interface JsonBook {
  readonly addresses: readonly JsonAddress[];
  readonly placeholders: readonly JsonAddress[];
  readonly contacts: readonly (ContactLink & { readonly pages: readonly string[] })[];
}

function jsonFormat(path: string): AddressFormat {
  return {
    paths: [path],
    async read(book) {
      const text = await readWholeFile(path);
      if (text === undefined) return;
      const { addresses, placeholders, contacts } = parsedBook(path, text);
      for (const entry of addresses) readJsonAddress(book, entry, false);
      for (const entry of placeholders) readJsonAddress(book, entry, true);
      for (const contact of contacts) book.addContact(contact, contact.pages);
    },
    write(book) {
      const json: JsonBook = {
        addresses: book.addresses.map(jsonAddress),
        placeholders: book.placeholders.map(jsonAddress),
        contacts: book.contacts.map(({ kind, url, pages }) => ({ kind, url, pages: [...pages] })),
      };
      return writeWholeFile(path, `${JSON.stringify(json, null, 2)}\n`);
    },
  };
}

function jsonAddress({ address, written, how, pages }: BookedAddress): JsonAddress {
  return { address, written: [...written], how: [...how], pages: [...pages] };
}

function readJsonAddress(book: AddressBook, entry: JsonAddress, placeholder: boolean): void {
  for (const written of entry.written) {
    for (const how of entry.how) book.addAddress({ written, how, placeholder }, entry.pages);
  }
}

function parsedBook(path: string, text: string): JsonBook {
  const lists = ["addresses", "placeholders", "contacts"] as const;
  let value: Partial<JsonBook> | null = null;
  try {
    value = JSON.parse(text) as Partial<JsonBook> | null;
  } catch {
    // Told below, with what is no book for another reason.
  }
  if (lists.every((name) => Array.isArray(value?.[name]))) return value as JsonBook;
  throw new Error(`Cannot continue '${path}' as it is no list of addresses: move it away, or say --replace`);
}

const ADDRESS_COLUMNS = ["address", "pages", "how", "written"];
const CONTACT_COLUMNS = ["kind", "value", "pages", "how", "written"];

function csvFormat(path: string): AddressFormat {
  const contactsPath = path.replace(/(?=\.csv$)/i, ".contacts");
  return {
    paths: [path, contactsPath],
    async read(book) {
      for (const [address = "", ...rest] of await rowsOf(path, ADDRESS_COLUMNS)) {
        readCsvAddress(book, address, rest, false);
      }
      for (const [kind, value = "", ...rest] of await rowsOf(contactsPath, CONTACT_COLUMNS)) {
        if (kind === "placeholder") readCsvAddress(book, value, rest, true);
        if (kind === "social" || kind === "contact") {
          book.addContact({ kind, url: value }, words(rest[0]));
        }
      }
    },
    async write(book) {
      await writeWholeFile(path, csvTable(ADDRESS_COLUMNS, book.addresses.map(addressCells)));
      const beside = [
        ...book.placeholders.map((entry) => ["placeholder", ...addressCells(entry)]),
        ...book.contacts.map(contactCells),
      ];
      await writeWholeFile(contactsPath, csvTable(CONTACT_COLUMNS, beside));
    },
  };
}

function addressCells({ address, pages, how, written }: BookedAddress): string[] {
  return [address, [...pages].join(" "), [...how].join(" "), [...written].join(" ")];
}

function contactCells({ kind, url, pages }: BookedContact): string[] {
  return [kind, url, [...pages].join(" "), "", ""];
}

function readCsvAddress(
  book: AddressBook,
  address: string,
  [pages, how, written]: readonly string[],
  placeholder: boolean,
): void {
  for (const spelling of written === "" ? [address] : words(written)) {
    for (const source of words(how)) {
      book.addAddress({ written: spelling, how: source as EmailSource, placeholder }, words(pages));
    }
  }
}

function words(cell: string | undefined): string[] {
  return (cell ?? "").split(" ").filter((word) => word !== "");
}

async function rowsOf(path: string, columns: readonly string[]): Promise<string[][]> {
  const text = await readWholeFile(path);
  if (text === undefined) return [];
  const [header, ...rows] = readCsvTable(text) ?? [];
  if (header?.join() === columns.join()) return rows;
  throw new Error(
    `Cannot continue '${path}' as its first row is not '${columns.join()}': move it away, or say --replace`,
  );
}
