/**
 * The one spelling in which rules and URLs of robots.txt are compared. Text is handled as octets: one character
 * each, U+0000 to U+00FF, so that an octet that is no UTF-8 still matches itself.
 */

// What stays as it is: the unreserved characters, and those reserved ones that a path or a query may hold raw
// (RFC 3986 §3.3). `*` and `$` are not among them, since raw they are a rule's operators (RFC 9309 §2.2.3); nor is
// `'`, which a URL parser escapes in a query but not in a path.
const CANONICAL = /^[\w\-.~/?:@!&()+,;=]*$/;
const CANONICAL_PATTERN = /^[\w\-.~/?:@!&()+,;=*]*\$?$/;
const UNRESERVED = /[\w\-.~]/;

const SPELLINGS: readonly string[] = Array.from({ length: 256 }, (_, octet) => {
  const character = String.fromCharCode(octet);
  return CANONICAL.test(character) ? character : escapeOctet(octet);
});
const DECODED: readonly string[] = SPELLINGS.map((_, octet) => {
  const character = String.fromCharCode(octet);
  return UNRESERVED.test(character) ? character : escapeOctet(octet);
});
const PERCENT = 0x25;

function escapeOctet(octet: number): string {
  return `%${octet.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** Whether `text` is spelt as `canonicalPath()` would spell it, and holds no escape. */
export function isPlainPath(text: string): boolean {
  return CANONICAL.test(text);
}

/**
 * Spells octets in their one canonical way: escapes of unreserved octets decoded, all other escapes kept with their
 * hexadecimal digits in upper case, everything that a path or query may not hold raw escaped (RFC 9309 §2.2.2).
 * `%2F` and `/` stay two things. The result is ASCII, and spelling it again changes nothing.
 */
export function canonicalPath(octets: string): string {
  if (CANONICAL.test(octets)) return octets;
  let canonical = "";
  let copied = 0;
  for (let at = 0; at < octets.length; at++) {
    const octet = octets.charCodeAt(at);
    let spelling = SPELLINGS[octet]!;
    let end = at + 1;
    if (octet === PERCENT) {
      const escaped = hexDigit(octets.charCodeAt(at + 1)) * 16 + hexDigit(octets.charCodeAt(at + 2));
      // A percent sign that escapes nothing stands for itself.
      if (!Number.isNaN(escaped)) {
        spelling = DECODED[escaped]!;
        end = at + 3;
      }
    }
    if (end - at !== spelling.length || (end - at > 1 && !octets.startsWith(spelling, at))) {
      canonical += octets.slice(copied, at) + spelling;
      copied = end;
    }
    at = end - 1;
  }
  return canonical + octets.slice(copied);
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

/**
 * The canonical spelling of a rule's value, in which `*` and a final `$` are the operators, or `undefined` where it
 * can match nothing: a path pattern begins with `/` (RFC 9309 §2.2), or with `*`.
 */
export function canonicalPattern(value: string): string | undefined {
  const pattern = slashed(value);
  if (!pattern.startsWith("/") && !pattern.startsWith("*")) return undefined;
  if (CANONICAL_PATTERN.test(pattern)) return pattern;
  const anchored = pattern.endsWith("$");
  const literals = anchored ? pattern.slice(0, -1) : pattern;
  const canonical = literals.split("*").map(canonicalPath).join("*");
  return anchored ? `${canonical}$` : canonical;
}

/** Backslashes in the path turned round, as the URL parser does to the URL that a rule is held against. */
function slashed(value: string): string {
  if (!value.includes("\\")) return value;
  const query = value.indexOf("?");
  if (query < 0) return value.replaceAll("\\", "/");
  return value.slice(0, query).replaceAll("\\", "/") + value.slice(query);
}

/**
 * A canonical path or pattern with the data in its query spelt raw. Behind the `?` of a URL `:`, `/`, `?` and `@` mean
 * nothing, and by the table of RFC 9309 §2.2.2 `?baz=https://foo.bar` and `?baz=https%3A%2F%2Ffoo.bar` are one. A
 * rule without a `?` may yet reach into a query by its `*`: it is held against the path as it is.
 */
export function withRawQuery(canonical: string): string {
  const query = canonical.indexOf("?");
  if (query < 0 || canonical.indexOf("%", query) < 0) return canonical;
  const data = canonical.slice(query);
  return (
    canonical.slice(0, query) +
    data.replaceAll("%3A", ":").replaceAll("%2F", "/").replaceAll("%3F", "?").replaceAll("%40", "@")
  );
}

/** The path and query of a URL in its canonical spelling; an empty query keeps its `?`. */
export function canonicalPathOf(url: URL): string {
  // Not `pathname + search`: that loses the `?` of an empty query, which a rule can name.
  const { href } = url;
  const start = href.indexOf("/", url.protocol.length + 2);
  const end = href.indexOf("#", start);
  return canonicalPath(end < 0 ? href.slice(start) : href.slice(start, end));
}
