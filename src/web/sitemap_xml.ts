import { localName } from "./sitemap_blocks.ts";

/** An element with its namespace resolved and its references decoded. */
export interface XmlElement {
  /** Local name in lower case. */
  name: string;
  hasPrefix: boolean;
  /** The namespace's URI; `""` for none; `?` and the prefix where that was never declared. */
  namespace: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  /** Its own text and CDATA, without that of its children. */
  text: string;
  /** The namespaces that hold for its children, by prefix. */
  scope: NamespaceScope;
}

export type NamespaceScope = ReadonlyMap<string, string>;

/** Reads one well-formed element, in the scope of the namespaces that were declared around it. */
export type ParseElement = (xml: string, scope: NamespaceScope) => XmlElement | undefined;

// Keys that no element can have, as each is longer than "#text" and begins with a character that no name does.
const TEXT = "#text";
const CDATA = "#cdata";
const ATTRIBUTES = ":@";
const ATTRIBUTE_PREFIX = "@";

/** What the parser gives with `preserveOrder`: an object with one key for the element, and one for its attributes. */
type ParsedNode = Record<string, ParsedNode[] | string | Record<string, string>>;

/** Loads fast-xml-parser, which is not loaded before a sitemap in XML is read. */
export async function loadParser(): Promise<ParseElement> {
  const { XMLParser } = await import("fast-xml-parser");
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: ATTRIBUTE_PREFIX,
    textNodeName: TEXT,
    cdataPropName: CDATA,
    trimValues: false,
    parseTagValue: false,
    parseAttributeValue: false,
    // It decodes no numeric references without guessing HTML's names too: text and attributes are decoded here.
    processEntities: false,
    // Else it builds one anew for each entry, which takes longer than parsing it.
    entityDecoder: NO_DECODER,
    transformTagName: harmlessName,
    jPath: false,
  });
  return (xml, scope) => {
    const node = (parser.parse(xml) as ParsedNode[])[0];
    return node && toElement(node, scope);
  };
}

const NO_DECODER = {
  decode: (text: string): string => text,
  reset(): void {},
  setXmlVersion(): void {},
  addInputEntities(): void {},
  setExternalEntities(): void {},
};

/** fast-xml-parser refuses a whole document for one element of such a name. */
function harmlessName(name: string): string {
  return name === "__proto__" || name === "constructor" || name === "prototype" ? `_${name}` : name;
}

function toElement(node: ParsedNode, outer: NamespaceScope): XmlElement | undefined {
  const key = Object.keys(node).find((name) => name !== ATTRIBUTES);
  const content = key === undefined ? undefined : node[key];
  if (key === undefined || key === CDATA || !Array.isArray(content)) return undefined;
  const attributes = readAttributes(node[ATTRIBUTES] as Record<string, string> | undefined);
  const scope = extendScope(outer, attributes);
  const colon = key.indexOf(":");
  const prefix = key.slice(0, Math.max(0, colon));
  return {
    name: localName(key),
    hasPrefix: colon >= 0,
    namespace: scope.get(prefix) ?? (prefix === "" ? "" : `?${prefix}`),
    attributes,
    children: content.flatMap((child) => toElement(child, scope) ?? []),
    text: content.map(textOf).join(""),
    scope,
  };
}

function textOf(node: ParsedNode): string {
  const text = node[TEXT];
  if (typeof text === "string") return decodeReferences(text);
  const cdata = node[CDATA];
  return Array.isArray(cdata)
    ? cdata.map((part) => (typeof part[TEXT] === "string" ? part[TEXT] : "")).join("")
    : "";
}

function readAttributes(parsed: Record<string, string> = {}): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [key, value] of Object.entries(parsed)) {
    attributes.set(key.slice(ATTRIBUTE_PREFIX.length), decodeReferences(value));
  }
  return attributes;
}

/** https://www.w3.org/TR/xml-names/#scoping */
function extendScope(outer: NamespaceScope, attributes: ReadonlyMap<string, string>): NamespaceScope {
  let scope: Map<string, string> | undefined;
  for (const [name, value] of attributes) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
    scope ??= new Map(outer);
    scope.set(name.slice("xmlns:".length), value.trim());
  }
  return scope ?? outer;
}

const NAMED_REFERENCES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/**
 * Decodes the five names and the numbers of XML 1.0 §4.1 and §4.6, once. Anything else stays as written: a bare `&` is
 * common in addresses, HTML's names would be guesses, and what a document type declares is not expanded.
 */
function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED_REFERENCES.get(name) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return isCharacter(code) ? String.fromCodePoint(code) : whole;
  });
}

// XML 1.0 §2.2, production 2.
function isCharacter(code: number): boolean {
  return (
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 0x20 && code < 0xd800) ||
    (code >= 0xe000 && code <= 0x10ffff && code !== 0xfffe && code !== 0xffff)
  );
}
