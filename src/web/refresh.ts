/** A refresh that a page asks for. */
export interface Refresh {
  /** How long it waits, in milliseconds. */
  delayMs: number;
  /** Where it leads, as written; `undefined` where it only loads the page again. */
  href: string | undefined;
}

/**
 * Reads the content of `<meta http-equiv=refresh>`, or a `Refresh` header's value. `undefined` where it asks for
 * nothing. https://html.spec.whatwg.org/#shared-declarative-refresh-steps
 *
 * @example
 * ```ts
 * parseRefresh("5; url='/next'"); // { delayMs: 5000, href: "/next" }
 * ```
 */
export function parseRefresh(content: string): Refresh | undefined {
  const [, digits = "", fraction = "", rest = ""] =
    /^[\t\n\f\r ]*(\d*)((?:\.[\d.]*)?)(.*)$/s.exec(content) ?? [];
  const hasTime = digits !== "" || fraction !== "";
  if (!hasTime || !/^(?:$|[;,\t\n\f\r ])/.test(rest)) return undefined;
  const target = rest.replace(/^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/, "");
  return { delayMs: Number(digits) * 1_000, href: target === "" ? undefined : hrefOf(target) };
}

function hrefOf(target: string): string {
  const value = /^url[\t\n\f\r ]*=[\t\n\f\r ]*(.*)$/is.exec(target)?.[1] ?? target;
  const quote = value.charAt(0);
  if (quote !== '"' && quote !== "'") return value;
  const end = value.indexOf(quote, 1);
  return end < 0 ? value.slice(1) : value.slice(1, end);
}
