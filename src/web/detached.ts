/**
 * The same text in memory of its own. Engines make a long enough part of a string a view of the whole: a frontier of
 * URLs that were cut out of pages would keep every page that they came from.
 */
export function detached(text: string): string {
  return ` ${text}`.slice(1);
}
