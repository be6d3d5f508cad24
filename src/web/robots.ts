/**
 * The robots.txt reader (RFC 9309). It matches by a matcher of its own: no package on npm follows the RFC in all
 * that sites write, or stays fast and bounded on hostile files; `bench/robots.ts` measures it beside robots-parser.
 */
import { type Group, productToken, readGroups } from "./robots_groups.ts";
import { canonicalPathOf, isPlainPath } from "./robots_path.ts";
import { isPathAllowed } from "./robots_rules.ts";

/** What one origin's robots.txt allows. */
export interface Robots {
  /**
   * Whether `userAgent` may fetch `url`. Its product token is matched whole and without regard to case; a full header
   * value is taken too. The longest rule that matches decides, Allow wins a tie, and what no rule matches is allowed,
   * as is `/robots.txt` itself. The fragment does not count.
   *
   * Answers within milliseconds whatever the file holds. Where its wildcards would take longer, the answer is `false`.
   *
   * @throws {TypeError} where `url` is not an absolute URL of the origin that the file speaks for.
   */
  isAllowed(url: string | URL, userAgent: string): boolean;
  /**
   * The least time between two requests that the site asks of `userAgent`, in milliseconds, at least 0 and finite;
   * `undefined` where it asks for none. Of several Crawl-delay lines for one agent the longest holds.
   */
  crawlDelayMs(userAgent: string): number | undefined;
  /** The absolute http and https URLs of the Sitemap lines, each once, in the order of the file. */
  readonly sitemaps: readonly string[];
}

/**
 * Reads a robots.txt.
 *
 * Takes it as sites write it: UTF-8 or UTF-16, with or without a byte order mark, any line end, usual misspellings.
 * What is no robots.txt at all, a page of HTML say, has no rules and so allows all. Only the first 500 KiB count.
 *
 * @param body The content, best as the octets that were received.
 * @param robotsUrl The address at which the file was asked for, before any redirect: its scheme, host and port are
 *   the origin that the rules hold for.
 * @throws {TypeError} where `robotsUrl` is not an absolute http or https URL. Never because of `body`.
 * @see https://www.rfc-editor.org/rfc/rfc9309
 * @example
 * ```ts
 * import { parseRobots } from "dragline";
 *
 * const robots = parseRobots("User-agent: *\nDisallow: /private\nCrawl-delay: 2", "https://example.com/robots.txt");
 * robots.isAllowed("https://example.com/private/diary", "MyBot/1.0"); // false
 * robots.crawlDelayMs("MyBot/1.0"); // 2000
 * ```
 */
export function parseRobots(body: string | Uint8Array, robotsUrl: string | URL): Robots {
  const url = parseUrl(robotsUrl);
  if (!url || !isHttp(url)) {
    throw new TypeError(
      `Cannot read a robots.txt as 'robotsUrl' must be an absolute http or https URL: received ${robotsUrl}`,
    );
  }
  return new ParsedRobots(body, url);
}

/** Allows everything to everybody: what holds where there is no robots.txt (RFC 9309 §2.3.1.3). */
export const allowAllRobots: Robots = {
  isAllowed: () => true,
  crawlDelayMs: () => undefined,
  sitemaps: [],
};

/**
 * What the status of the answer to a request for robots.txt means (RFC 9309 §2.3.1):
 *
 * - `"parse"`: 2xx, the body is the file;
 * - `"allow-all"`: 4xx but 429, there is no file;
 * - `"unreachable"`: 5xx, 429, and whatever else was not expected, so that nothing may be fetched for now. That
 *   takes in 3xx: a redirect is to be followed first, and one that leads nowhere leaves the rules unknown.
 */
export function robotsPolicy(status: number): "parse" | "allow-all" | "unreachable" {
  if (status >= 200 && status < 300) return "parse";
  // 429 is "too many requests", not "no such file": Google and the RFC's spirit put it with the server's errors.
  if (status >= 400 && status < 500 && status !== 429) return "allow-all";
  return "unreachable";
}

class ParsedRobots implements Robots {
  readonly #url: URL;
  readonly #root: string;
  readonly #byToken: ReadonlyMap<string, Group>;
  readonly #sitemapLines: readonly string[];
  #sitemaps: readonly string[] | undefined;
  #lastAgent: string | undefined;
  #lastGroup: Group | undefined;

  constructor(body: string | Uint8Array, url: URL) {
    const { byToken, sitemaps } = readGroups(body);
    this.#url = url;
    this.#root = rootOf(url);
    this.#byToken = byToken;
    this.#sitemapLines = sitemaps;
  }

  isAllowed(url: string | URL, userAgent: string): boolean {
    const path = this.#pathOf(url);
    const group = this.#groupOf(userAgent);
    // RFC 9309 §2.2.2: "The /robots.txt URI is implicitly allowed."
    return group === undefined || path === "/robots.txt" || isPathAllowed(group.ruleSets, path);
  }

  crawlDelayMs(userAgent: string): number | undefined {
    const delays = this.#groupOf(userAgent)?.delays;
    return delays && Math.max(...delays.map(({ ms }) => ms));
  }

  get sitemaps(): readonly string[] {
    this.#sitemaps ??= sitemapUrls(this.#sitemapLines, this.#url);
    return this.#sitemaps;
  }

  #pathOf(url: string | URL): string {
    const text = typeof url === "string" ? url : url.href;
    if (text.startsWith(this.#root)) {
      const path = text.slice(this.#root.length - 1);
      // Parsing would leave such a path as it is, unless it has dot segments.
      if (isPlainPath(path) && !path.includes("/.")) return path;
    }
    const parsed = parseUrl(text);
    if (!parsed || rootOf(parsed) !== this.#root) {
      throw new TypeError(
        `Cannot tell what is allowed as 'url' must be of the origin ${this.#url.origin}: received ${text}`,
      );
    }
    return canonicalPathOf(parsed);
  }

  // A crawl asks for one agent again and again: its group is looked up once.
  #groupOf(userAgent: string): Group | undefined {
    if (userAgent !== this.#lastAgent) {
      this.#lastAgent = userAgent;
      this.#lastGroup = this.#byToken.get(productToken(userAgent)) ?? this.#byToken.get("*");
    }
    return this.#lastGroup;
  }
}

function parseUrl(url: string | URL, base?: URL): URL | undefined {
  try {
    return new URL(url, base);
  } catch {
    return undefined;
  }
}

function isHttp(url: URL): boolean {
  return url.protocol === "http:" || url.protocol === "https:";
}

// Not `origin`: that of a blob: URL is its maker's, and credentials would not show.
function rootOf(url: URL): string {
  return `${url.protocol}//${url.host}/`;
}

function sitemapUrls(lines: readonly string[], base: URL): string[] {
  const urls = new Set<string>();
  for (const octets of lines) {
    // Escaped, the octets of a name in UTF-8 reach the URL parser unchanged, in a path as in a host.
    const line = octets.replace(
      /[\x80-\xff]/g,
      (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    const url = line === "" ? undefined : parseUrl(line, base);
    if (url && isHttp(url)) urls.add(url.href);
  }
  return [...urls];
}
