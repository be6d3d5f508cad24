// What a terminal would obey or a reader could not see: C0 and C1 controls (with DEL, tab and line ends), the line
// and paragraph separators, and the controls of writing direction, which make a line read as what it is not
// (Unicode Technical Report 36 §2.8).
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * One line of text that is safe to show in a terminal and to cut at tabs, whatever a page or a server wrote:
 * each run of control characters and blanks becomes one space.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, " ").replace(/ {2,}/g, " ").trim();
}
