/** Where what is no markup ends: comments, raw text, scripts. Each takes the document and an index, gives an index. */

import { matchesName } from "./html_names.ts";

/**
 * Just past the comment, doctype or other bogus comment that begins at `start`, whose first character is `<`.
 * https://html.spec.whatwg.org/#markup-declaration-open-state, https://html.spec.whatwg.org/#comment-start-state
 */
export function endOfComment(html: string, start: number): number {
  if (html.startsWith("<!--", start)) return endOfProperComment(html, start + 4);
  // `<!doctype>` ends at its first `>` too, in quotes or not.
  return endAfter(html, ">", start + 2);
}

function endOfProperComment(html: string, start: number): number {
  if (html.startsWith(">", start)) return start + 1;
  if (html.startsWith("->", start)) return start + 2;
  for (let dashes = html.indexOf("--", start); dashes >= 0; dashes = html.indexOf("--", dashes + 1)) {
    if (html.startsWith(">", dashes + 2)) return dashes + 3;
    if (html.startsWith("!>", dashes + 2)) return dashes + 4;
  }
  return html.length;
}

/** Whether a CDATA section begins at `start`. It counts as one in foreign content only. */
export function startsCdata(html: string, start: number): boolean {
  return html.startsWith("<![CDATA[", start);
}

/** The text of the CDATA section that begins at `start`, and what comes after it. */
export function endOfCdata(html: string, start: number): { start: number; end: number; next: number } {
  const next = endAfter(html, "]]>", start + 9);
  return { start: start + 9, end: html.endsWith("]]>", next) ? next - 3 : next, next };
}

function endAfter(html: string, mark: string, position: number): number {
  const at = html.indexOf(mark, position);
  return at < 0 ? html.length : at + mark.length;
}

/** Where the raw text ends that begins at `start` in the element `name`: at the `<` of its end tag. */
export function endOfRawText(html: string, start: number, name: string): number {
  if (name === "plaintext") return html.length;
  if (name === "script") return endOfScript(html, start);
  for (let at = html.indexOf("</", start); at >= 0; at = html.indexOf("</", at + 1)) {
    if (standsWhole(html, at + 2, name)) return at;
  }
  return html.length;
}

/**
 * Between `<!--` and `-->` a script is escaped: there a `<script>` of its own hides the next `</script>`.
 * https://html.spec.whatwg.org/#script-data-escaped-state
 */
function endOfScript(html: string, start: number): number {
  let escapeEnd = start; // Past the escaped part that `at` is in.
  let hidden = false;
  for (let at = html.indexOf("<", start); at >= 0; at = html.indexOf("<", at + 1)) {
    if (at >= escapeEnd) {
      hidden = false;
      if (html.startsWith("<!--", at)) {
        // `<!-->` and `<!--->` end what they begin.
        escapeEnd = endAfter(html, "-->", at + 2);
        continue;
      }
    }
    const isEndTag = html.charCodeAt(at + 1) === 0x2f;
    if (!standsWhole(html, at + (isEndTag ? 2 : 1), "script")) continue;
    if (isEndTag && !hidden) return at;
    hidden = !isEndTag && at < escapeEnd;
  }
  return html.length;
}

/** Whether `name` stands at `start` as the whole name of a tag. */
function standsWhole(html: string, start: number, name: string): boolean {
  if (!matchesName(html, start, name)) return false;
  const code = html.charCodeAt(start + name.length);
  return code === 0x3e || code === 0x2f || code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b);
}
