import { charsetOfLabel } from "./charset_label.ts";

/** How many octets of a document are searched for a declaration: the HTML standard's figure. */
const PRESCAN_OCTETS = 1_024;

// Any charset with one character an octet would do: only ASCII is looked at.
const asciiOf = new TextDecoder("latin1");

/**
 * Finds the charset that an HTML document declares in its first 1,024 octets: by `<meta charset>`, or by
 * `<meta http-equiv=content-type>`. A declared UTF-16 means UTF-8, since the declaration itself could be read, and
 * `x-user-defined` means `windows-1252`.
 *
 * Source: https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding.
 */
export function prescanMeta(bytes: Uint8Array): string | undefined {
  const text = headText(bytes);
  // Every declaration has this word, and most documents have a header in place of one.
  if (!/charset/i.test(text)) return undefined;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    if (text.startsWith("<!--", at)) {
      // `<!-->` is a whole comment: its hyphens may count twice.
      const end = text.indexOf("-->", at + 2);
      if (end < 0) return undefined;
      at = end + 3;
    } else if (matchesAt(/<\/?[a-z]/iy, text, at)) {
      const isMeta = matchesAt(/<meta[\t\n\f\r /]/iy, text, at);
      const nameEnd = indexOfMatch(/[\t\n\f\r >]/g, text, at);
      const tag = readAttributes(text, isMeta ? at + "<meta".length : nameEnd);
      if (tag === undefined) return undefined;
      const charset = isMeta ? charsetOfMeta(tag.attributes) : undefined;
      if (charset !== undefined) return charset;
      at = tag.end;
    } else if (matchesAt(/<[!/?]/y, text, at)) {
      const end = text.indexOf(">", at);
      if (end < 0) return undefined;
      at = end + 1;
    } else {
      at++;
    }
  }
  return undefined;
}

/**
 * Finds the charset in the XML declaration with which a document begins. A declared UTF-16 means UTF-8, as in
 * {@link prescanMeta}.
 *
 * Source: XML 1.0 §2.8, and https://html.spec.whatwg.org/#concept-get-xml-encoding-when-sniffing.
 */
export function prescanXmlDeclaration(bytes: Uint8Array): string | undefined {
  // Blank lines in front are no XML, and common.
  const declaration = /^\s*<\?xml\b[^>]*?\bencoding[\0-\x20]*=[\0-\x20]*(?:"([^">]*)"|'([^'>]*)')/.exec(
    headText(bytes),
  );
  const label = declaration?.[1] ?? declaration?.[2];
  return label === undefined ? undefined : declaredInAscii(charsetOfLabel(label));
}

function headText(bytes: Uint8Array): string {
  return asciiOf.decode(bytes.subarray(0, PRESCAN_OCTETS));
}

function declaredInAscii(charset: string | undefined): string | undefined {
  return charset === "utf-16le" || charset === "utf-16be" ? "utf-8" : charset;
}

function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at;
  return sticky.test(text);
}

function indexOfMatch(global: RegExp, text: string, from: number): number {
  global.lastIndex = from;
  return global.exec(text)?.index ?? text.length;
}

interface Tag {
  attributes: ReadonlyMap<string, string>;
  /** Where its `>` stands. */
  end: number;
}

/** Reads attributes up to the `>`; `undefined` where the text ends before it, which ends the prescan too. */
function readAttributes(text: string, from: number): Tag | undefined {
  // A name may begin with `=`. https://html.spec.whatwg.org/#concept-get-attributes-when-sniffing
  const attribute =
    /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)[\t\n\f\r ]*(?:=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*)|(?=>)))?/y;
  const attributes = new Map<string, string>();
  let at = from;
  for (;;) {
    attribute.lastIndex = at;
    const match = attribute.exec(text);
    if (match === null) break;
    at = attribute.lastIndex;
    const [, name, doubleQuoted, singleQuoted, unquoted] = match;
    const lower = name!.toLowerCase();
    if (!attributes.has(lower))
      attributes.set(lower, (doubleQuoted ?? singleQuoted ?? unquoted ?? "").toLowerCase());
    // A quote that nothing closes: the value runs to the text's end.
    if (text[at] === "=") return undefined;
  }
  const end = indexOfMatch(/[^\t\n\f\r /]/g, text, at);
  return text[end] === ">" ? { attributes, end } : undefined;
}

function charsetOfMeta(attributes: ReadonlyMap<string, string>): string | undefined {
  const label = attributes.get("charset") ?? labelOfPragma(attributes);
  const charset = label === undefined ? undefined : declaredInAscii(charsetOfLabel(label));
  return charset === "x-user-defined" ? "windows-1252" : charset;
}

function labelOfPragma(attributes: ReadonlyMap<string, string>): string | undefined {
  if (attributes.get("http-equiv") !== "content-type") return undefined;
  // https://html.spec.whatwg.org/#algorithm-for-extracting-a-character-encoding-from-a-meta-element
  const content = attributes.get("content") ?? "";
  const found =
    /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*))/.exec(content);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}
