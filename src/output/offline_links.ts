import { extractLinks } from "../web/links.ts";
import { canonicalKey, isCrawlable, urlResolver, withoutFragment } from "../web/url.ts";
import { rewriteLinks } from "./tag_links.ts";

/**
 * Makes a document independent of where it lies: each link of http or https becomes absolute, one to a place in the
 * document itself its fragment alone, and `<base href>` goes away. The text is then one of UTF-8, whatever it was
 * before: it begins with a byte order mark, which counts for more than any `<meta charset>`.
 *
 * @param html decoded
 * @param url where it came from, after all redirects
 */
export function withAbsoluteLinks(html: string, url: string): string {
  const base = /<base/i.test(html) ? extractLinks(html, url).base : url;
  const resolve = urlResolver(base);
  const own = withoutFragment(url);
  const rewritten = rewriteLinks(
    html,
    (href) => {
      const absolute = resolve(href);
      if (absolute === undefined || !isCrawlable(absolute)) return undefined;
      const target = withoutFragment(absolute);
      return target === own && absolute !== target ? absolute.slice(target.length) : absolute;
    },
    { keepBase: false },
  );
  return `\uFEFF${withUtf8Declared(rewritten)}`;
}

/**
 * Makes links to what was saved relative: in a document that {@link withAbsoluteLinks} gave, or that went through here
 * before, when less was saved.
 *
 * @param path the document's own file, below the folder of all
 * @param fileOf the file of a canonical key, if there is one
 */
export function withLocalLinks(
  html: string,
  path: string,
  fileOf: (key: string) => string | undefined,
): string {
  return rewriteLinks(
    html,
    (href) => {
      if (!/^https?:/i.test(href) || !isCrawlable(href)) return undefined;
      const file = fileOf(canonicalKey(href));
      if (file === undefined) return undefined;
      return relativePath(path, file) + href.slice(withoutFragment(href).length);
    },
    { keepBase: true },
  );
}

/** How one file is reached from another, as a relative URL; both are paths below one folder. */
export function relativePath(from: string, to: string): string {
  const start = from.split("/").slice(0, -1);
  const end = to.split("/");
  let shared = 0;
  while (shared < start.length && shared < end.length - 1 && start[shared] === end[shared]) shared++;
  return [...start.slice(shared).map(() => ".."), ...end.slice(shared).map(encodeURIComponent)].join("/");
}

/** For XML a declared encoding that is not the text's is a fault: XML 1.0 §4.3.3. */
function withUtf8Declared(text: string): string {
  return text.replace(/^(<\?xml\s[^>]*?\sencoding\s*=\s*)(?:"[^"]*"|'[^']*')/, '$1"UTF-8"');
}
