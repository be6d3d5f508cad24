// Labels that some runtime's TextDecoder refuses: https://encoding.spec.whatwg.org/#names-and-labels.
const REFUSED_LABELS: ReadonlyMap<string, string> = new Map([
  ["iso-8859-16", "iso-8859-16"],
  ["x-user-defined", "x-user-defined"],
  ["replacement", "replacement"],
  ["csiso2022kr", "replacement"],
  ["hz-gb-2312", "replacement"],
  ["iso-2022-cn", "replacement"],
  ["iso-2022-cn-ext", "replacement"],
  ["iso-2022-kr", "replacement"],
]);

/**
 * Gives the charset that a label stands for, by the Encoding standard's table: `latin1` is `windows-1252`.
 *
 * @returns the charset's name in lower case; `undefined` where the standard, or the runtime, knows no such label.
 * @example
 * ```ts
 * charsetOfLabel(" SJIS "); // "shift_jis"
 * ```
 */
export function charsetOfLabel(label: string): string | undefined {
  const normalised = label.trim().toLowerCase();
  if (normalised === "utf-8") return normalised;
  const refused = REFUSED_LABELS.get(normalised);
  if (refused !== undefined) return refused;
  try {
    return new TextDecoder(normalised).encoding.toLowerCase();
  } catch {
    return undefined;
  }
}
