import { decodePunycode } from "./punycode.ts";

/** What besides the standard's rules makes two URLs one, in {@link canonicalKey}. All of it is off by default. */
export interface KeyOptions {
  /**
   * Query parameters that only track the reader are left out of the key. `true` takes
   * {@link TRACKING_PARAMS}; a list names them instead, without regard to case, where a final `*` stands for
   * any ending (`"utm_*"`). Default `false`.
   */
  stripTrackingParams?: boolean | readonly string[];
  /** Query parameters count in order of their names; those of one name keep their order. Default `false`. */
  sortQuery?: boolean;
  /** `"drop"` takes the slashes off the end of a path: `/a/` counts as `/a`. Default `"keep"`. */
  trailingSlash?: "keep" | "drop";
}

/** The query parameters that `stripTrackingParams: true` leaves out of a key. */
export const TRACKING_PARAMS: readonly string[] = (
  "utm_* gclid gclsrc dclid gbraid wbraid srsltid _ga _gl fbclid igshid msclkid twclid ttclid " +
  "li_fat_id yclid mc_cid mc_eid mkt_tok _hsenc _hsmi vero_id oly_anon_id oly_enc_id"
).split(" ");

// The shapes below are read by every runtime's URL parser as they stand, so that parsing them would only cost time:
// most links of most pages are of them. What is left out (escaped dots, numeric hosts, IDN) takes the long way.
const HOST = String.raw`(?:(?!xn--)[a-z0-9-]+\.)*(?!xn--)[a-z][a-z0-9-]*`;
const OCTET = "(?:0|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";
const PORT = "(?::(?!80/|443/)(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}))?";
const SEGMENT = String.raw`(?!\.)(?:[\w\-.~!$&'()*+,;=:@]|%(?!2[eE]))*`;
const REST = String.raw`(?:\/${SEGMENT})*(?:\?[\w\-.~!$&()*+,;=:@/?%]*)?(?:#[\w\-.~!$&'()*+,;=:@/?%]*)?$`;
// Each character that these match is a step back that an engine must remember, on a stack that ends somewhere.
const MAX_SHORT_CUT = 2_000;
const SERIALISED = new RegExp(`^https?://(?:${HOST}|${OCTET}(?:\\.${OCTET}){3})${PORT}(?=/)${REST}`);
const SERIALISED_PATH = new RegExp(`^(?=/(?!/))${REST}`);
const SERIALISED_FRAGMENT = /^(?:#[\w\-.~!$&'()*+,;=:@/?%]*)?$/;
// A colon in the first segment might end a scheme.
const SERIALISED_RELATIVE = new RegExp(String.raw`^(?!\.)[\w\-.~!$&'()*+,;=@]+(?=[/?#]|$)${REST}`);

/**
 * Resolves a reference against a base URL, alike on every runtime.
 *
 * Source: the URL standard's basic URL parser. White space at the ends, tabs and line breaks within go away;
 * a `\` counts as `/`; path and query stay as written, stray `%` included; the fragment is kept. An `xn--`
 * label that stands for no valid name is refused, which not every runtime does by itself.
 *
 * @returns the absolute URL, of whatever scheme, or `undefined` where there is none. Never throws: with a base
 * that is no URL, only an absolute reference resolves.
 * @example
 * ```ts
 * resolveUrl("../sun#top", "https://example.com/sky/moon"); // "https://example.com/sun#top"
 * ```
 */
export function resolveUrl(href: string, base: string | URL): string | undefined {
  return urlResolver(base)(href);
}

/**
 * Gives the function that resolves references against one base, as {@link resolveUrl} does: for the many links of
 * one page, since the base is then parsed once.
 */
export function urlResolver(base: string | URL): (href: string) => string | undefined {
  const baseUrl = parseUrl(String(base));
  const baseHref = baseUrl && serialise(baseUrl);
  // Only where nothing but scheme and authority stands before the path can a path be put in its place as text.
  const isPlain = baseHref !== undefined && isPlainHttp(baseUrl!) && hasValidLabels(baseUrl!.hostname);
  const root = isPlain ? originOf(baseHref) : undefined;
  const directory = root && directoryOf(baseHref!);
  const document = root && withoutFragment(baseHref!);
  return (href) => {
    if (isSerialised(href)) return href;
    if (root !== undefined && href.length <= MAX_SHORT_CUT) {
      if (SERIALISED_PATH.test(href)) return root + href;
      if (SERIALISED_RELATIVE.test(href)) return directory + href;
      if (SERIALISED_FRAGMENT.test(href)) return document + href;
    }
    const url = parseUrl(href, baseHref);
    return url && hasValidLabels(url.hostname) ? serialise(url) : undefined;
  };
}

/**
 * The canonical form under which a URL counts as seen. It is for comparison only: what is fetched is the URL as it
 * was written.
 *
 * Scheme and host are in lower case, IDN as `xn--`; default port, credentials and fragment are off; dot segments
 * are resolved; escapes of unreserved octets are decoded and the others have upper-case digits (RFC 3986 §6.2.2).
 * A stray `%` stays, and so do the query's order, its empty values and an empty query's `?`. The key of a key is
 * the key itself.
 *
 * @throws TypeError when `url` is no absolute URL.
 * @example
 * ```ts
 * canonicalKey("HTTP://Example.com:80/%7ejoe/./a%2fb?b=1&a=2#top"); // "http://example.com/~joe/a%2Fb?b=1&a=2"
 * ```
 */
export function canonicalKey(url: string | URL, options: KeyOptions = {}): string {
  const { stripTrackingParams = false, sortQuery = false, trailingSlash = "keep" } = options;
  let key = withoutFragment(serialised(url));
  if (key.includes("@")) key = withoutUserInfo(key);
  if (key.includes("%")) key = normaliseEscapes(key);
  if (trailingSlash === "drop") key = dropTrailingSlashes(key);
  if (stripTrackingParams || sortQuery) key = rewriteQuery(key, stripTrackingParams, sortQuery);
  return key;
}

/**
 * The authority by which hosts are told apart for pacing: host in lower case, and the port unless it is the scheme's
 * default. `http` and `https` of one name share it, and so does the name with a final dot.
 *
 * @throws TypeError when `url` is no absolute URL.
 * @example
 * ```ts
 * hostKey("https://Example.com:443/a"); // "example.com"
 * ```
 */
export function hostKey(url: string | URL): string {
  if (typeof url === "string" && isSerialised(url)) {
    const start = url.indexOf("//") + 2;
    return url.slice(start, url.indexOf("/", start));
  }
  return requireUrl(url).host.replace(/\.(?=:|$)/, "");
}

/**
 * Scheme, host and port: the unit of robots.txt. `"null"` for schemes that have no origin, as in `URL`.
 *
 * @throws TypeError when `url` is no absolute URL.
 */
export function originOf(url: string | URL): string {
  if (typeof url === "string" && isSerialised(url))
    return url.slice(0, url.indexOf("/", url.indexOf("//") + 2));
  return requireUrl(url).origin;
}

/** Takes the fragment off, which is never sent: RFC 9110 §4.2.5. All else stays as written. */
export function withoutFragment(url: string): string {
  const hash = url.indexOf("#");
  return hash < 0 ? url : url.slice(0, hash);
}

/** Whether a crawler may ask for it at all: an absolute URL of `http` or `https`. Never throws. */
export function isCrawlable(url: string | URL): boolean {
  if (typeof url === "string" && isSerialised(url)) return true;
  const parsed = parseUrl(String(url));
  return parsed !== undefined && isHttp(parsed) && hasValidLabels(parsed.hostname);
}

/**
 * Takes credentials out of a URL, and gives them as the value of an `Authorization` header (RFC 7617) for requests
 * to that origin: a URL that holds some is refused by several runtimes, and would hand them on wherever it is copied.
 *
 * @throws TypeError when `url` is no absolute URL.
 * @example
 * ```ts
 * splitCredentials("https://me:secret@example.com/");
 * // { url: "https://example.com/", authorization: "Basic bWU6c2VjcmV0" }
 * ```
 */
export function splitCredentials(url: string | URL): { url: string; authorization: string | undefined } {
  if (typeof url === "string" && isSerialised(url)) return { url, authorization: undefined };
  const parsed = requireUrl(url);
  const href = serialise(parsed);
  if (parsed.username === "" && parsed.password === "") return { url: href, authorization: undefined };
  const octets = `${parsed.username}:${parsed.password}`.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return { url: withoutUserInfo(href), authorization: `Basic ${btoa(octets)}` };
}

/**
 * Makes a `Location` header's value a reference that {@link resolveUrl} can take: `fetch` gives one character an
 * octet, so octets above 0x7F are escaped one by one. UTF-8 comes out right by that, in paths and in hosts, and other
 * charsets return to the server as the octets that it sent.
 *
 * @example
 * ```ts
 * decodeLocation("/caf\u00c3\u00a9"); // "/caf%C3%A9"
 * ```
 */
export function decodeLocation(value: string): string {
  return value.replace(/[\x80-\xff]/g, (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase()}`);
}

// One URL is asked about by one function after the other.
let lastSerialised = "";

/** Whether the URL parser would give back the very same text. */
function isSerialised(url: string): boolean {
  if (url === lastSerialised) return true;
  if (url.length > MAX_SHORT_CUT || !SERIALISED.test(url)) return false;
  lastSerialised = url;
  return true;
}

function parseUrl(href: string, base?: string): URL | undefined {
  try {
    return new URL(href, base);
  } catch {
    // Deno refuses `///host/x` with a base; the standard takes any number of slashes before a host.
    const [, authority] = /^[\0-\x20]*(?:[/\\][\t\n\r]*){3,}(.*)$/s.exec(href) ?? [];
    const [scheme] = /^https?:/.exec(base ?? "") ?? [];
    return authority !== undefined && scheme !== undefined ? parseUrl(`${scheme}//${authority}`) : undefined;
  }
}

function requireUrl(url: string | URL): URL {
  const parsed = typeof url === "string" ? parseUrl(url) : url;
  if (parsed === undefined)
    throw new TypeError(`Cannot read the URL as it must be absolute: received '${url}'`);
  return parsed;
}

function serialised(url: string | URL): string {
  return typeof url === "string" && isSerialised(url) ? url : serialise(requireUrl(url));
}

/** The href, with `^` escaped in the path: the standard does so since 2024, and not every runtime yet. */
function serialise(url: URL): string {
  const { href } = url;
  if (!href.includes("^")) return href;
  const pathEnd = href.search(/[?#]/);
  const path = pathEnd < 0 ? href : href.slice(0, pathEnd);
  return path.replaceAll("^", "%5E") + href.slice(path.length);
}

/** Whether each `xn--` label is what its own Unicode form is encoded as: UTS 46 §4.1. */
function hasValidLabels(hostname: string): boolean {
  if (!hostname.includes("xn--")) return true;
  const labels = hostname
    .split(".")
    .map((label) => (label.startsWith("xn--") ? decodePunycode(label.slice(4)) : label));
  return !labels.includes(undefined) && parseUrl(`http://${labels.join(".")}`)?.hostname === hostname;
}

function isHttp(url: URL): boolean {
  return url.protocol === "http:" || url.protocol === "https:";
}

function isPlainHttp(url: URL): boolean {
  return isHttp(url) && url.username === "" && url.password === "";
}

function directoryOf(href: string): string {
  const pathEnd = href.search(/[?#]/);
  return href.slice(0, (pathEnd < 0 ? href : href.slice(0, pathEnd)).lastIndexOf("/") + 1);
}

function withoutUserInfo(href: string): string {
  return href.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/, "$1");
}

// A lower-case digit, or an unreserved octet.
const CHANGING_ESCAPE = /%(?:[a-f]|[0-9A-F][a-f]|2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/;

function normaliseEscapes(key: string): string {
  if (!CHANGING_ESCAPE.test(key)) return key;
  return key.replace(/%[0-9a-f]{2}/gi, (escaped, at: number) => {
    const char = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    // After a stray `%` (or `%4`) the decoded character could complete an escape that nobody wrote.
    const afterStray = key[at - 1] === "%" || (key[at - 2] === "%" && /[0-9a-f]/i.test(key[at - 1]!));
    return /[\w\-.~]/.test(char) && !afterStray ? char : escaped.toUpperCase();
  });
}

function splitQuery(key: string): [path: string, query: string | undefined] {
  const mark = key.indexOf("?");
  return mark < 0 ? [key, undefined] : [key.slice(0, mark), key.slice(mark + 1)];
}

function dropTrailingSlashes(key: string): string {
  const [path, query] = splitQuery(key);
  const pathStart = path.indexOf("/", path.indexOf("//") + 2);
  let end = path.length;
  while (end > pathStart + 1 && path[end - 1] === "/") end--;
  return path.slice(0, end) + (query === undefined ? "" : `?${query}`);
}

function rewriteQuery(key: string, strip: boolean | readonly string[], sort: boolean): string {
  const [path, query] = splitQuery(key);
  if (query === undefined) return key;
  const tracking = strip === true ? TRACKING_PARAMS : strip === false ? [] : strip;
  const all = query.split("&").map((pair) => ({ pair, name: pair.split("=", 1)[0]! }));
  const kept = all.filter(({ name }) => !isNamed(tracking, name));
  if (sort) kept.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  // A query that was empty before keeps its mark: only one emptied here loses it.
  return kept.length === 0 ? path : `${path}?${kept.map(({ pair }) => pair).join("&")}`;
}

function isNamed(patterns: readonly string[], name: string): boolean {
  const lower = name.toLowerCase();
  return patterns.some((pattern) => {
    const wanted = pattern.toLowerCase();
    return wanted.endsWith("*") ? lower.startsWith(wanted.slice(0, -1)) : lower === wanted;
  });
}
