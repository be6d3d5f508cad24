/**
 * The rules of an `X-Robots-Tag` header and of `<meta name=robots>`: no standard, but a convention of the search
 * engines (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag).
 */

/** Rules that carry a value behind a colon; any other word before a colon is a crawler's name. */
const VALUED_RULES: ReadonlySet<string> = new Set([
  "unavailable_after",
  "max-snippet",
  "max-image-preview",
  "max-video-preview",
]);

const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*$/;

/**
 * Those rules of an `X-Robots-Tag` header, in lower case, that count for the crawler of this product token.
 *
 * A name before a colon holds up to the next name; what comes before the first is for all. Several headers, which
 * `fetch` joins by commas, read as one: a later header without a name counts as part of the one before.
 *
 * @param token the product token, in lower case.
 * @example
 * ```ts
 * robotsTagRules("noarchive, otterbot: noindex, nofollow, heron: none", "otterbot"); // ["noarchive", "noindex", "nofollow"]
 * ```
 */
export function robotsTagRules(header: string, token: string): string[] {
  const rules: string[] = [];
  let agent = "";
  for (const part of ruleParts(header)) {
    const [, name, rest = ""] = /^([\w*-]+)\s*:\s*(.*)$/s.exec(part) ?? [];
    const isNamed = name !== undefined && !VALUED_RULES.has(name);
    if (isNamed) agent = name === "*" ? "" : name;
    const rule = isNamed ? rest : part;
    if (rule !== "" && (agent === "" || agent === token)) rules.push(rule);
  }
  return rules;
}

/** The rules in the content of a `<meta name=robots>`, in lower case. */
export function robotsMetaRules(content: string): string[] {
  return ruleParts(content);
}

/** Parts at commas, but not within a date: `unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT`. */
function ruleParts(text: string): string[] {
  const parts: string[] = [];
  for (const piece of text.toLowerCase().split(",")) {
    const part = piece.trim();
    const before = parts.at(-1);
    const [, date] = /\bunavailable_after\s*:\s*(.*)$/s.exec(before ?? "") ?? [];
    if (date !== undefined && WEEKDAY.test(date)) parts[parts.length - 1] = `${before}, ${part}`;
    else if (part !== "") parts.push(part);
  }
  return parts;
}
