import { type FoundAddress, findAddresses } from "./email_address.ts";

/**
 * Finds the addresses of a `mailto:` link: those before the `?`, and those of its `to`, `cc` and `bcc`.
 *
 * Source: RFC 6068. What people write beside it is read too: semicolons between addresses, names before them
 * (`Me <me@site.example>`), `mailto://`, `&amp;` escaped twice, and a link that is an address without any scheme.
 *
 * @param href as the attribute has it, character references decoded; with any other scheme it holds none.
 */
export function mailtoAddresses(href: string): FoundAddress[] {
  const [, to, headers] = /^[\0-\x20]*mailto:([^?#]*)(?:\?([^#]*))?/i.exec(href) ?? [];
  if (to === undefined) return bareAddress(href.trim());
  const recipients = (headers ?? "")
    .split("&")
    .map((header) => /^(?:amp;)?(?:to|cc|bcc)=(.*)$/is.exec(header)?.[1])
    .filter((value) => value !== undefined);
  return [to, ...recipients].flatMap((list) => findAddresses(decodePercent(list), "atom"));
}

function bareAddress(href: string): FoundAddress[] {
  const found = findAddresses(href);
  return found.filter(({ start, end }) => start === 0 && end === href.length);
}

/** Decodes percent escapes as UTF-8; what is none stays as it is. */
function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    const octets = Uint8Array.from(escapes.slice(1).split("%"), (hex) => Number.parseInt(hex, 16));
    return new TextDecoder().decode(octets);
  });
}
