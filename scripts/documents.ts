import { posix } from "node:path";

/** The text of each Markdown file by its path from the root of the repository. */
export type Documents = ReadonlyMap<string, string>;

// A marker, and the fenced code that stands below it.
const EMBEDDED = /^<!-- from (\S+) -->\n\n```ts\n[\s\S]*?^```$/gm;

/**
 * A document in which each piece of code below a marker, `<!-- from PATH -->`, is the file's of that path. What such a
 * file imports from the repository by a relative path, its reader imports from the package.
 *
 * @param read gives a file's text
 * @param names the package's names of its modules, by their paths from the root
 */
export function withEmbedded(
  text: string,
  read: (path: string) => string,
  names: ReadonlyMap<string, string>,
): string {
  return text.replace(EMBEDDED, (_, path: string) => {
    const code = read(path).replace(/ from "(\.[^"]+)"/g, (found, specifier: string) => {
      const name = names.get(posix.join(posix.dirname(path), specifier));
      return name === undefined ? found : ` from "${name}"`;
    });
    return `<!-- from ${path} -->\n\n\`\`\`ts\n${code.trimEnd()}\n\`\`\``;
  });
}

/** Every link of the documents that leads to no file or to no heading, one sentence each. */
export function brokenLinks(documents: Documents, exists: (path: string) => boolean): string[] {
  return [...documents].flatMap(([path, text]) =>
    linksOf(path, text).flatMap(({ href, target, anchor }) => {
      const document = documents.get(target);
      if (document === undefined && !exists(target)) return [`${path} links to ${href}, which is not there`];
      if (anchor === "" || document === undefined || anchorsOf(document).has(anchor)) return [];
      return [`${path} links to ${href}, and no heading of ${target} is called so`];
    }),
  );
}

/** The documents to which no chain of links leads from the first one. */
export function unreached(documents: Documents, first: string): string[] {
  const reached = new Set([first]);
  for (const path of reached) {
    for (const { target } of linksOf(path, documents.get(path) ?? "")) {
      if (documents.has(target)) reached.add(target);
    }
  }
  return [...documents.keys()].filter((path) => !reached.has(path));
}

interface DocumentLink {
  /** As written. */
  readonly href: string;
  /** From the root of the repository. */
  readonly target: string;
  /** Without its number sign; empty where there is none. */
  readonly anchor: string;
}

/** The relative links of a document and its images; what stands in code is none. */
function linksOf(path: string, text: string): DocumentLink[] {
  const prose = withoutFences(text).replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(<?([^)\s>]+)>?\)/g)].flatMap(([, href = ""]) => {
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href)) return [];
    const [file = "", anchor = ""] = href.split("#");
    const target = file === "" ? path : posix.normalize(posix.join(posix.dirname(path), file));
    return [{ href, target: target.replace(/\/$/, ""), anchor }];
  });
}

/** The names under which GitHub knows the headings of a document. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutFences(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    let n = 0;
    while (anchors.has(n === 0 ? slug : `${slug}-${n}`)) n++;
    anchors.add(n === 0 ? slug : `${slug}-${n}`);
  }
  return anchors;
}

function withoutFences(text: string): string {
  return text.replace(/^( *)(`{3,}).*\n[\s\S]*?^\1\2$/gm, "");
}
