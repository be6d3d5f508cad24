import { BlockCutter, type XmlPart } from "./sitemap_blocks.ts";
import type { Tell } from "./sitemap_bytes.ts";
import {
  type AddressBase,
  addressBase,
  baseWithin,
  DOCUMENT_KINDS,
  isOwn,
  problem,
  readEntry,
  type SitemapItem,
} from "./sitemap_entries.ts";
import { LineReader } from "./sitemap_lines.ts";
import { loadParser, type ParseElement, type XmlElement } from "./sitemap_xml.ts";

/** The items of a document, from its text in pieces; what is told on the way becomes a problem in its place. */
export async function* readDocument(
  openText: (tell: Tell) => AsyncIterable<string>,
  url: string,
): AsyncGenerator<SitemapItem, void, void> {
  const told: SitemapItem[] = [];
  let opening = "";
  let reader: ItemReader | undefined;
  for await (const piece of openText((message) => told.push(problem(message)))) {
    yield* told.splice(0);
    if (reader !== undefined) yield* reader.write(piece);
    else {
      opening = (opening + piece).trimStart();
      reader = await createReader(opening, false, url);
      if (reader !== undefined) yield* reader.write(opening);
    }
    if (reader?.isFinished) return;
  }
  yield* told;
  if (reader === undefined) {
    reader = (await createReader(opening, true, url)) as ItemReader;
    yield* reader.write(opening);
  }
  if (!reader.isFinished) yield* reader.end();
}

/** Reads a document of one form. */
interface ItemReader {
  /** Whether nothing that follows matters. */
  readonly isFinished: boolean;
  write(text: string): SitemapItem[];
  end(): SitemapItem[];
}

/** How far into a file its beginning may be buried, under a warning of the server's for instance. */
const MAX_JUNK_CHARS = 1024;
const XML_START = /<(?:\?xml|(?:\w+:)?(?:urlset|sitemapindex|rss|feed|rdf))\b/i;

/** The reader for a file that begins so; `undefined` where more of it must be seen. */
async function createReader(opening: string, isWhole: boolean, url: string): Promise<ItemReader | undefined> {
  if (opening.startsWith("<")) return new XmlReader(await loadParser(), url);
  if (/^https?:\/\//i.test(opening)) return new LineReader();
  if (!isWhole && opening.length < MAX_JUNK_CHARS) return undefined;
  const isXml = XML_START.test(opening.slice(0, MAX_JUNK_CHARS));
  return isXml ? new XmlReader(await loadParser(), url, ["text before the beginning"]) : new LineReader();
}

class XmlReader implements ItemReader {
  isFinished = false;
  #parse: ParseElement;
  #cutter = new BlockCutter((rootName) => DOCUMENT_KINDS.get(rootName)?.entryNames);
  #base: AddressBase;
  #root: XmlElement | undefined;
  #hasFormat = false;
  #problems: string[];

  constructor(parse: ParseElement, url: string, problems: string[] = []) {
    this.#parse = parse;
    this.#base = addressBase(url);
    this.#problems = problems;
  }

  write(text: string): SitemapItem[] {
    return this.#read(this.#cutter.write(text));
  }

  end(): SitemapItem[] {
    return this.#read(this.#cutter.end());
  }

  #read(parts: XmlPart[]): SitemapItem[] {
    const items = this.#problems.splice(0).map(problem);
    for (const part of parts) {
      if (this.isFinished) break;
      if (part.type === "problem") items.push(problem(part.message));
      else if (part.type === "root") items.push(...this.#readRoot(part.xml, part.name));
      else items.push(...this.#readEntry(part.xml));
    }
    return items;
  }

  #readRoot(xml: string, name: string): SitemapItem[] {
    this.#root = this.#tryParse(xml);
    if (this.#root !== undefined) this.#base = baseWithin(this.#root, this.#base);
    const format = DOCUMENT_KINDS.get(name)?.format;
    if (format === undefined) {
      this.isFinished = name === "html";
      return [
        problem(this.isFinished ? "an HTML page, no sitemap" : `<${name}> is not the root of a sitemap`),
      ];
    }
    if (this.#hasFormat) return [];
    this.#hasFormat = true;
    return [{ type: "format", format }];
  }

  #readEntry(xml: string): SitemapItem[] {
    const entry = this.#tryParse(xml);
    if (entry === undefined) return [problem("an entry that cannot be read")];
    const isEntry = this.#root === undefined || this.#root.name === "rdf" || isOwn(entry, this.#root);
    return isEntry ? readEntry(entry, this.#base) : [];
  }

  /** The parser throws at what it takes for an attack; whatever it dislikes is the file's fault. */
  #tryParse(xml: string): XmlElement | undefined {
    try {
      return this.#parse(xml, this.#root?.scope ?? new Map());
    } catch {
      return undefined;
    }
  }
}
