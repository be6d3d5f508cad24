/** What the lines of a robots.txt say that this crawler acts on. */
export interface RobotsRecord {
  readonly field: "agent" | "allow" | "disallow" | "delay" | "sitemap";
  /** As octets, without the white space around it. */
  readonly value: string;
}

// RFC 9309 §2.5 asks for at least 500 KiB, and Google reads no more.
const MAX_OCTETS = 500 * 1024;
const CHUNK = 8192;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = /[ \t]/;

const NAMES: ReadonlyMap<string, RobotsRecord["field"]> = new Map([
  ["user-agent", "agent"],
  ["allow", "allow"],
  ["disallow", "disallow"],
  ["crawl-delay", "delay"],
  ["sitemap", "sitemap"],
]);

// The misspellings that google/robotstxt and crawler-commons accept, and, as with the former, whatever letters follow
// ("Disallowed").
const MISSPELT: readonly (readonly [RobotsRecord["field"], RegExp])[] = [
  ["disallow", /^(?:dis+al+[ao]w|diasllow|desallow)[\w-]*$/],
  ["allow", /^allow[\w-]*$/],
  ["agent", /^(?:user[- ]?agent|useg-agent)[\w-]*$/],
  ["sitemap", /^site-?map[\w-]*$/],
  ["delay", /^crawl[- ]?delay[\w-]*$/],
];

/**
 * The octets of a robots.txt as text of one character each: UTF-8 with or without its mark, UTF-16 turned into UTF-8,
 * and at most 500 KiB, cut behind the last whole line.
 */
export function robotsOctets(body: string | Uint8Array): string {
  const octets = utf8Of(typeof body === "string" ? body.slice(0, MAX_OCTETS) : body.subarray(0, MAX_OCTETS));
  const start = octets[0] === 0xef && octets[1] === 0xbb && octets[2] === 0xbf ? 3 : 0;
  // Not TextDecoder("latin1"): by the Encoding standard that is windows-1252.
  const text = textOf(octets.subarray(start, MAX_OCTETS));
  const isCut = body.length > MAX_OCTETS || octets.length > MAX_OCTETS;
  return isCut ? text.slice(0, Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1) : text;
}

function utf8Of(body: string | Uint8Array): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  const [first, second] = body;
  // A mark, or what an ASCII character looks like without one.
  const isLittleEndian = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const isBigEndian = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  if (!isLittleEndian && !isBigEndian) return body;
  // By hand, since not every runtime has a TextDecoder for UTF-16BE.
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const units = Uint16Array.from({ length: body.length >> 1 }, (_, at) =>
    view.getUint16(at * 2, isLittleEndian),
  );
  return new TextEncoder().encode(textOf(units));
}

/** A text of these code units. */
function textOf(units: Uint8Array | Uint16Array): string {
  let text = "";
  for (let at = 0; at < units.length; at += CHUNK) {
    const chunk: ArrayLike<number> = units.subarray(at, at + CHUNK);
    text += String.fromCharCode.apply(null, chunk as number[]);
  }
  return text;
}

/**
 * The records of a robots.txt in their order; lines that say nothing known are passed over. A line ends at CR, LF or
 * both, a comment begins at `#`, and the colon may be missing between two words, as google/robotstxt has it.
 */
export function* robotsRecords(octets: string): Generator<RobotsRecord> {
  let start = 0;
  while (start < octets.length) {
    const end = endOfLine(octets, start);
    const record = end > start ? recordOf(octets.slice(start, end)) : undefined;
    if (record) yield record;
    start = end + 1;
  }
}

function endOfLine(octets: string, start: number): number {
  let end = start;
  while (end < octets.length && octets.charCodeAt(end) !== LF && octets.charCodeAt(end) !== CR) end++;
  return end;
}

function recordOf(line: string): RobotsRecord | undefined {
  const comment = line.indexOf("#");
  const content = trimmed(comment < 0 ? line : line.slice(0, comment));
  const record = recordAt(content, content.indexOf(":"));
  if (record) return record;
  const ofTwoWords = recordAt(content, content.search(SPACE));
  return ofTwoWords && SPACE.test(ofTwoWords.value) ? undefined : ofTwoWords;
}

/** The record whose field is named before `separator`, an index into the line or -1. */
function recordAt(content: string, separator: number): RobotsRecord | undefined {
  if (separator < 0) return undefined;
  const field = fieldOf(trimmed(content.slice(0, separator)).toLowerCase());
  return field && { field, value: trimmed(content.slice(separator + 1)) };
}

function fieldOf(name: string): RobotsRecord["field"] | undefined {
  return NAMES.get(name) ?? MISSPELT.find(([, pattern]) => pattern.test(name))?.[0];
}

// Not trim(): that takes U+00A0 and U+0085 off, which here are octets of some UTF-8 character. Nor a regular
// expression, whose time on a run of spaces would be quadratic.
function trimmed(octets: string): string {
  let start = 0;
  let end = octets.length;
  while (start < end && isSpace(octets.charCodeAt(start))) start++;
  while (end > start && isSpace(octets.charCodeAt(end - 1))) end--;
  return octets.slice(start, end);
}

function isSpace(octet: number): boolean {
  return octet === 0x20 || (octet >= 0x09 && octet <= 0x0d);
}
