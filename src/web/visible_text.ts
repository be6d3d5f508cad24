import { HtmlScanner } from "./html.ts";

// Their content is not shown, or is no part of the text.
const UNSEEN: ReadonlySet<string> = new Set([
  "script",
  "style",
  "title",
  "noembed",
  "noframes",
  "iframe",
  "xmp",
]);

// Elements that begin or end within a word: between all others there is a gap.
const INLINE: ReadonlySet<string> = new Set(
  "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup tt u var wbr".split(
    " ",
  ),
);

/** The words of an HTML document as a reader sees them, its blocks apart: what two pages are compared by. */
export function visibleText(html: string): string {
  const scanner = new HtmlScanner(html);
  let text = "";
  while (scanner.next()) {
    if (scanner.kind === "text") {
      if (!UNSEEN.has(scanner.name) && !scanner.isInTemplate) text += scanner.text();
    } else if (!INLINE.has(scanner.name)) {
      text += " ";
    }
  }
  return text;
}
