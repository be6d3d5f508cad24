/**
 * Reads a `srcset` attribute into the URLs of its image candidates, as written and in order. Candidates whose
 * descriptors are wrong are left out. https://html.spec.whatwg.org/#parse-a-srcset-attribute
 *
 * @example
 * ```ts
 * parseSrcset("small.png 480w, large,1.png 800w"); // ["small.png", "large,1.png"]
 * ```
 */
export function parseSrcset(value: string): string[] {
  const urls: string[] = [];
  const candidateStart = /[\t\n\f\r ,]*([^\t\n\f\r ,][^\t\n\f\r ]*)/y;
  for (let match = candidateStart.exec(value); match; match = candidateStart.exec(value)) {
    const [, written = ""] = match;
    // A comma is part of a URL unless it ends it: then there are no descriptors.
    if (written.endsWith(",")) {
      urls.push(withoutFinalCommas(written));
      continue;
    }
    const { descriptors, end } = readDescriptors(value, candidateStart.lastIndex);
    candidateStart.lastIndex = end;
    if (areValid(descriptors)) urls.push(written);
  }
  return urls;
}

function withoutFinalCommas(url: string): string {
  let end = url.length;
  while (url.endsWith(",", end)) end--;
  return url.slice(0, end);
}

/** White space parts descriptors and a comma ends them, but not between parentheses. */
function readDescriptors(value: string, start: number): { descriptors: string[]; end: number } {
  const descriptors: string[] = [];
  const descriptor = /[\t\n\f\r ]*((?:\([^)]*\)?|[^\t\n\f\r ,(])*)(,?)/y;
  descriptor.lastIndex = start;
  for (;;) {
    const [, text = "", comma] = descriptor.exec(value) ?? [];
    if (text !== "") descriptors.push(text);
    if (comma || descriptor.lastIndex >= value.length) return { descriptors, end: descriptor.lastIndex };
  }
}

function areValid(descriptors: readonly string[]): boolean {
  const seen = new Set<string>();
  for (const descriptor of descriptors) {
    const unit = descriptor.slice(-1);
    const number = descriptor.slice(0, -1);
    if (seen.has(unit)) return false;
    if (unit === "w" || unit === "h") {
      if (!/^\d+$/.test(number) || Number(number) === 0 || seen.has("x")) return false;
    } else if (unit === "x") {
      if (!/^-?(?:\d+|\d*\.\d+)(?:e[+-]?\d+)?$/i.test(number) || Number(number) < 0 || seen.size > 0)
        return false;
    } else return false;
    seen.add(unit);
  }
  return !seen.has("h") || seen.has("w");
}
