/** What the source of a text or a value stands for. */

import { decodeCharacterReferences } from "./character_references.ts";
import { isSpace } from "./html_characters.ts";
import type { TextKind } from "./html_tree_state.ts";

/** How a run of text is read: by where it stands. */
export type TextMode = "body" | "foreign" | "escapable raw text" | "raw text";

/** Whether nothing in a document is to be normalised: told once, as it is true of most. */
export function isNormal(html: string): boolean {
  return !html.includes("\r") && !html.includes("\0");
}

/** The text that `source` stands for: line ends are line feeds, NUL is dropped or replaced, references decoded. */
export function decodeText(source: string, mode: TextMode): string {
  // The tokenizer replaces NUL in raw text, tree construction in foreign content; in a body it drops it.
  const text = normalize(source, mode === "body" ? "" : "\uFFFD");
  return mode === "raw text" ? text : decodeCharacterReferences(text, false);
}

/** The value that an attribute's source stands for. `normal` says that {@link isNormal} holds for it. */
export function decodeAttribute(source: string, normal: boolean): string {
  return decodeCharacterReferences(normal ? source : normalize(source, "\uFFFD"), true);
}

// https://html.spec.whatwg.org/#preprocessing-the-input-stream, done late: CR and LF both count as white space.
function normalize(source: string, nul: string): string {
  const text = source.includes("\r") ? source.replace(/\r\n?/g, "\n") : source;
  return text.includes("\0") ? text.replaceAll("\0", nul) : text;
}

/** What tree construction is to take a run of text for: one kind, or NUL and white space apart. */
export function textKinds(html: string, start: number, end: number, mode: TextMode): TextKind[] {
  let hasSpace = false;
  let hasNul = false;
  for (let at = start; at < end; at++) {
    const code = html.charCodeAt(at);
    if (isSpace(code)) hasSpace = true;
    else if (code === 0) hasNul = true;
    else if (code === 0x26 && mode !== "raw text")
      return [isSpaceDecoded(html.slice(at, end), mode) ? "space" : "solid"];
    else return ["solid"];
  }
  if (!hasNul) return ["space"];
  return hasSpace ? ["nul", "space"] : ["nul"];
}

function isSpaceDecoded(source: string, mode: TextMode): boolean {
  return !/[^\t\n\f\r ]/.test(decodeText(source, mode));
}
