import { HtmlScanner } from "../web/html.ts";
import { parseRefresh } from "../web/refresh.ts";
import { parseSrcset } from "../web/srcset.ts";

/** Gives the reference that takes a reference's place; `undefined` leaves it as it is written. */
export type RewriteLink = (href: string) => string | undefined;

// Attributes that hold one URL: https://html.spec.whatwg.org/#attributes-3, and those of SVG that lead elsewhere.
const LINKS: Readonly<Record<string, readonly string[]>> = {
  a: ["href", "xlink:href"],
  area: ["href"],
  audio: ["src"],
  blockquote: ["cite"],
  body: ["background"],
  button: ["formaction"],
  del: ["cite"],
  embed: ["src"],
  form: ["action"],
  frame: ["src"],
  iframe: ["src"],
  image: ["src", "href", "xlink:href"],
  img: ["src"],
  input: ["src", "formaction"],
  ins: ["cite"],
  link: ["href"],
  object: ["data"],
  q: ["cite"],
  script: ["src"],
  source: ["src"],
  track: ["src"],
  use: ["href", "xlink:href"],
  video: ["src", "poster"],
};

const CANDIDATES: Readonly<Record<string, string>> = {
  img: "srcset",
  source: "srcset",
  link: "imagesrcset",
};

/**
 * An HTML document in which every URL of a tag was handed to `rewrite`. All else stays as it is written, to the
 * character. What is in style sheets, scripts and `style` attributes counts for no URL.
 *
 * @param options `keepBase`: whether `<base href>` stays; without it, relative references are the document's own
 */
export function rewriteLinks(html: string, rewrite: RewriteLink, options: { keepBase: boolean }): string {
  const scanner = new HtmlScanner(html);
  let rewritten = "";
  let done = 0;
  while (scanner.nextTag()) {
    if (scanner.kind !== "start") continue;
    const changes = changesOf(scanner, rewrite, options.keepBase);
    if (changes.size === 0) continue;
    rewritten += html.slice(done, scanner.start) + changedTag(scanner, changes);
    done = scanner.end;
  }
  return done === 0 ? html : rewritten + html.slice(done);
}

/** New values of attributes by their names; `undefined` takes one away. */
type Changes = Map<string, string | undefined>;

function changesOf(scanner: HtmlScanner, rewrite: RewriteLink, keepBase: boolean): Changes {
  const changes: Changes = new Map();
  const { name } = scanner;
  const change = (attribute: string, rewriteValue: (value: string) => string | undefined): void => {
    const value = scanner.attribute(attribute);
    const changed = value ? rewriteValue(value) : undefined;
    if (changed !== undefined && changed !== value) changes.set(attribute, changed);
  };
  if (Object.hasOwn(LINKS, name)) for (const attribute of LINKS[name]!) change(attribute, rewrite);
  if (Object.hasOwn(CANDIDATES, name)) change(CANDIDATES[name]!, (value) => rewriteSrcset(value, rewrite));
  if (name === "meta" && scanner.attribute("http-equiv")?.toLowerCase() === "refresh") {
    change("content", (value) => rewriteRefresh(value, rewrite));
  }
  if (name === "base" && !keepBase && scanner.attribute("href") !== undefined) changes.set("href", undefined);
  return changes;
}

function rewriteSrcset(value: string, rewrite: RewriteLink): string {
  let rewritten = "";
  let done = 0;
  for (const url of parseSrcset(value)) {
    // Candidates come in order, and each is a part of the value as written.
    const start = value.indexOf(url, done);
    rewritten += value.slice(done, start) + (rewrite(url) ?? url);
    done = start + url.length;
  }
  return rewritten + value.slice(done);
}

function rewriteRefresh(value: string, rewrite: RewriteLink): string | undefined {
  const { href } = parseRefresh(value) ?? {};
  const changed = href ? rewrite(href) : undefined;
  if (href === undefined || changed === undefined) return undefined;
  const start = value.lastIndexOf(href);
  return value.slice(0, start) + changed + value.slice(start + href.length);
}

// The attributes of a tag by the states of the HTML standard's tokenizer. A first `=` belongs to the name.
const SPACE = String.raw`[\t\n\f\r ]`;
const ATTRIBUTE = new RegExp(
  String.raw`([^\t\n\f\r />][^\t\n\f\r />=]*)(?:${SPACE}*=${SPACE}*("[^"]*"|'[^']*'|[^\t\n\f\r >]+))?`,
  "g",
);

/** The tag that a scanner stands on, with other values for some attributes. */
function changedTag({ source, name }: HtmlScanner, changes: Changes): string {
  const nameEnd = 1 + name.length;
  // Of several with one name the first counts.
  const left = new Map(changes);
  const attributes = source.slice(nameEnd, -1).replace(ATTRIBUTE, (written, attribute: string) => {
    const key = attribute.toLowerCase();
    if (!left.has(key)) return written;
    const value = left.get(key);
    left.delete(key);
    return value === undefined ? "" : `${attribute}="${escaped(value)}"`;
  });
  return `${source.slice(0, nameEnd)}${attributes}>`;
}

function escaped(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
