/** What the HTML tokenizer tells apart by one character's code. Every function takes NaN, the code past the end. */

export function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

// Letters, of which names and values are made, lie above all that ends them: one comparison sorts them out.

/** ASCII white space: tab, line feed, form feed, carriage return, space. */
export function isSpace(code: number): boolean {
  return code <= 0x20 && (code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c);
}

/** White space, `/` or `>`: what ends a tag's name. */
export function endsTagName(code: number): boolean {
  return code <= 0x3e && (code === 0x3e || code === 0x2f || isSpace(code));
}

/** White space, `/`, `>` or `=`: what ends an attribute's name. */
export function endsAttributeName(code: number): boolean {
  return code <= 0x3e && (code === 0x3d || code === 0x3e || code === 0x2f || isSpace(code));
}

/** White space or `>`: what ends a value without quotes. */
export function endsUnquotedValue(code: number): boolean {
  return code <= 0x3e && (code === 0x3e || isSpace(code));
}

/** The first index from `position` on that holds no white space. */
export function skipSpace(html: string, position: number): number {
  let at = position;
  while (isSpace(html.charCodeAt(at))) at++;
  return at;
}
