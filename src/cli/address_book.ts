import { asciiDomain } from "../web/email_domain.ts";
import type { EmailSource } from "../web/emails.ts";
import type { ContactLink } from "./contact_links.ts";

/** An address as the book keeps it. */
export interface BookedAddress {
  /** In lower case. */
  readonly address: string;
  /** Of a domain that is reserved for examples and tests. */
  readonly placeholder: boolean;
  /** The spellings in which it stood. */
  readonly written: Set<string>;
  readonly how: Set<EmailSource>;
  readonly pages: Set<string>;
}

/** A contact link as the book keeps it. */
export interface BookedContact extends ContactLink {
  readonly pages: Set<string>;
}

/** One time that an address stood somewhere. */
export interface Sighting {
  readonly written: string;
  readonly how: EmailSource;
  readonly placeholder: boolean;
}

/** Who was found, each once, with all pages on which they stood. In the order of finding. */
export class AddressBook {
  // One entry an address or link; they stay, as they are the result.
  readonly #addresses = new Map<string, BookedAddress>();
  readonly #contacts = new Map<string, BookedContact>();

  get addresses(): BookedAddress[] {
    return [...this.#addresses.values()].filter(({ placeholder }) => !placeholder);
  }

  get placeholders(): BookedAddress[] {
    return [...this.#addresses.values()].filter(({ placeholder }) => placeholder);
  }

  get contacts(): BookedContact[] {
    return [...this.#contacts.values()];
  }

  addAddress({ written, how, placeholder }: Sighting, pages: Iterable<string>): void {
    const key = addressKey(written);
    const entry = this.#addresses.get(key) ?? {
      address: written.toLowerCase(),
      placeholder,
      written: new Set(),
      how: new Set(),
      pages: new Set(),
    };
    this.#addresses.set(key, entry);
    entry.written.add(written);
    entry.how.add(how);
    for (const page of pages) entry.pages.add(page);
  }

  addContact({ kind, url }: ContactLink, pages: Iterable<string>): void {
    const entry = this.#contacts.get(url) ?? { kind, url, pages: new Set() };
    this.#contacts.set(url, entry);
    for (const page of pages) entry.pages.add(page);
  }

  /** Takes all addresses of a domain away; gives them. */
  dropDomain(domain: string): BookedAddress[] {
    const dropped = [...this.#addresses].filter(([key]) => domainOf(key) === domain);
    for (const [key] of dropped) this.#addresses.delete(key);
    return dropped.map(([, entry]) => entry);
  }
}

/** The domain of an address, as DNS knows it. */
export function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return asciiDomain(domain) ?? domain.toLowerCase();
}

// Two spellings that differ in case, or in the form of an IDN, are one address.
function addressKey(address: string): string {
  return `${address.slice(0, address.lastIndexOf("@")).toLowerCase()}@${domainOf(address)}`;
}
