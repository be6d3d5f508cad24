import { linkTargets } from "./link_header.ts";
import { type HtmlReading, skimHtml } from "./links.ts";
import { parseRefresh } from "./refresh.ts";
import { productToken } from "./robots_groups.ts";
import { robotsMetaRules, robotsTagRules } from "./robots_tag.ts";
import { resolveUrl } from "./url.ts";

/** What a page asks of crawlers. */
export interface Directives {
  /** Whether the page may be indexed. `false` by `noindex` or `none`. */
  index: boolean;
  /** Whether its links may be followed. `false` by `nofollow` or `none`. */
  follow: boolean;
  /**
   * Every rule that counts for this crawler, in lower case: the header's first, then the page's.
   * `noarchive` and `max-snippet: 20` are among them, and whatever else stands there.
   */
  rules: string[];
  /** When the page is to leave an index, as written but in lower case; `undefined` where it does not say. */
  unavailableAfter: string | undefined;
  /** The URL by which the page wants to be known, absolute: the first of `canonicals`. */
  canonical: string | undefined;
  /** All different ones that it names, the `Link` header's first. More than one is a conflict (RFC 6596 §3). */
  canonicals: string[];
  /** Where the page leads by itself, by `Refresh` header or `<meta>`; the page's own URL where it only loads again. */
  refresh: { url: string; delayMs: number } | undefined;
}

/** Where directives come from: see {@link directivesOf}. */
export interface DirectiveSources {
  headers: Headers;
  /** The document as read; `undefined` where the answer is no HTML. */
  reading: HtmlReading | undefined;
  /** As sent; its product token is the name under which the page may address the crawler. */
  userAgent: string;
  /** Where the answer came from: what its headers name resolves against it. */
  url: string | URL;
}

/**
 * Reads what a page asks of crawlers: `X-Robots-Tag`, `<meta name=robots>`, both also under the crawler's own product
 * token, `Link` and `Refresh` headers, `<link rel=canonical>` and `<meta http-equiv=refresh>`.
 *
 * Of rules that disagree the most restrictive holds. What is not asked for is allowed. Never throws.
 *
 * @param html the document, "" where there is none.
 * @param userAgent as sent: `MyBot/1.0 (+https://example.com/bot)` is addressed as `mybot`.
 * @param url where the answer came from; without it only absolute canonical URLs are known.
 * @example
 * ```ts
 * const headers = new Headers({ "x-robots-tag": "otterbot: nofollow" });
 * const { index, follow } = readDirectives(headers, "<meta name=robots content=noindex>", "OtterBot/2.0");
 * // index: false, follow: false
 * ```
 */
export function readDirectives(
  headers: Headers,
  html: string,
  userAgent: string,
  url: string | URL = "",
): Directives {
  return directivesOf({ headers, reading: html === "" ? undefined : skimHtml(html, url), userAgent, url });
}

/** The same for a document that has been read already. */
export function directivesOf({ headers, reading, userAgent, url }: DirectiveSources): Directives {
  const token = productToken(userAgent);
  const rules = robotsTagRules(headers.get("x-robots-tag") ?? "", token);
  for (const { name, content } of reading?.metas ?? []) {
    if (name === "robots" || (name !== "" && name === token)) rules.push(...robotsMetaRules(content));
  }
  // Some pages part the rules by spaces or semicolons.
  const words = new Set(rules.flatMap((rule) => rule.split(/[\s;]+/)));
  const canonicals = canonicalUrls(headers, reading, url);
  return {
    index: !words.has("noindex") && !words.has("none"),
    follow: !words.has("nofollow") && !words.has("none"),
    rules,
    unavailableAfter: unavailableAfter(rules),
    canonical: canonicals[0],
    canonicals,
    refresh: headerRefresh(headers, url) ?? reading?.refresh,
  };
}

function unavailableAfter(rules: readonly string[]): string | undefined {
  for (const rule of rules) {
    const date = /^unavailable_after\s*:\s*(.+)$/s.exec(rule)?.[1];
    if (date !== undefined) return date;
  }
  return undefined;
}

function canonicalUrls(headers: Headers, reading: HtmlReading | undefined, url: string | URL): string[] {
  const found = new Set<string>();
  for (const target of linkTargets(headers.get("link") ?? "", "canonical")) {
    const canonical = resolveUrl(target, url);
    if (canonical !== undefined) found.add(canonical);
  }
  for (const { kind, rel, href } of reading?.found ?? []) {
    if (kind !== "link" || !rel.includes("canonical")) continue;
    const canonical = reading!.urlOf(href);
    if (canonical !== undefined) found.add(canonical);
  }
  return [...found];
}

function headerRefresh(headers: Headers, url: string | URL): Directives["refresh"] {
  const refresh = parseRefresh(headers.get("refresh") ?? "");
  if (!refresh) return undefined;
  const target = resolveUrl(refresh.href ?? String(url), url);
  return target === undefined || target.startsWith("javascript:")
    ? undefined
    : { url: target, delayMs: refresh.delayMs };
}
