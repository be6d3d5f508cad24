import { isTopLevel, mailDomain } from "./email_domain.ts";

/**
 * Stands in a text where inline markup begins or ends (`me<b>@</b>site.example`): an address goes over a seam only
 * where it would not be whole without.
 */
export const SEAM = "\u0001";

/** An address in a text, and where it stands. */
export interface FoundAddress {
  /** The local part as written, the domain in lower case. */
  address: string;
  start: number;
  end: number;
  /** Whether it was spelled to hide it: `me [at] site [dot] example`. */
  obfuscated: boolean;
}

/** Which characters a local part may have: the common ones, or all of RFC 5322's atom, where nothing else is near. */
export type LocalCharacters = "common" | "atom";

// What ASCII characters may stand in: a label, a local part as people write it, RFC 5322's atoms.
const LABEL = 1;
const COMMON = 2;
const ATOM = 4;
const ASCII_KINDS = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const char = String.fromCharCode(code);
  const label = /[a-z0-9-]/i.test(char) ? LABEL : 0;
  const common = /[\w.%+'-]/.test(char) ? COMMON : 0;
  return label | common | (/[\w.!#$%&'*+/=?^`{|}~-]/.test(char) ? ATOM : 0);
});

// RFC 5321 §4.5.3.1.1; what is longer is a digest or a token.
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;

const SPACE = `[\\s${SEAM}]`;
const AT_WORD = "(?:[aA][tT]|[äÄ][tT]|[aA][rR][rR][oO][bB][aA]|@)";
const DOT_WORD = "(?:dot|punkt|punto|ponto|point|\\.)";
const BRACKETED_DOT = `${SPACE}{0,3}[[({<]${SPACE}{0,2}${DOT_WORD}${SPACE}{0,2}[\\])}>]${SPACE}{0,3}`;
const ANY_DOT = `(?:${BRACKETED_DOT}|${SPACE}{1,3}dot${SPACE}{1,3})`;
// A plain at sign, one of its wide forms, the word in brackets, or the word alone in capitals.
const AT_SIGN = new RegExp(
  `@|[＠﹫]|[[({<]${SPACE}{0,2}${AT_WORD}${SPACE}{0,2}[\\])}>]|(?<=${SPACE})AT(?=${SPACE})`,
  "g",
);
const SPELLED_DOT = new RegExp(ANY_DOT, "iy");
const SPELLED_DOT_BEFORE = new RegExp(`${ANY_DOT}$`, "i");
/** As long as a spelled dot can be. */
const SPELLED_DOT_WINDOW = 20;

/**
 * Finds the e-mail addresses in a text, in order, whatever language they stand in. Takes time that grows with the
 * text's length, whatever is in it.
 *
 * Left out are things that only look like addresses: file names, package versions, a URL's user, handles of the
 * form `@me@site.example`.
 */
export function findAddresses(text: string, localCharacters: LocalCharacters = "common"): FoundAddress[] {
  const found: FoundAddress[] = [];
  let floor = 0;
  // Most texts have none: matchAll would copy the expression for each.
  AT_SIGN.lastIndex = 0;
  for (let match = AT_SIGN.exec(text); match !== null; match = AT_SIGN.exec(text)) {
    const { 0: sign, index } = match;
    if (index < floor) continue;
    const isPlain = sign === "@";
    const domain = readDomain(text, index + sign.length, isPlain);
    if (domain === undefined || (sign === "AT" && !domain.spelled)) continue;
    const local = readLocal(text, floor, index, isPlain, localCharacters);
    // MEET US AT SITE DOT COM: in capitals throughout it is a sentence.
    if (local === undefined || (sign === "AT" && local.text === local.text.toUpperCase())) continue;
    if (isPlain && isPartOfUrl(text, local.start, local.text, domain.end)) continue;
    const obfuscated = !isPlain || domain.spelled;
    found.push({ address: `${local.text}@${domain.text}`, start: local.start, end: domain.end, obfuscated });
    floor = domain.end;
  }
  return found;
}

interface Part {
  text: string;
  start: number;
  end: number;
}

function readLocal(
  text: string,
  floor: number,
  at: number,
  isPlain: boolean,
  characters: LocalCharacters,
): Part | undefined {
  const end = isPlain ? at : skipSpaceBack(text, floor, at);
  let local = "";
  let start = end;
  for (;;) {
    const run = readLocalRun(text, floor, start, characters, local);
    start = run.start;
    local = run.text + local;
    if (local.length > MAX_LOCAL) return undefined;
    const dot = isPlain || run.text === "" ? undefined : spelledDotBefore(text, floor, start);
    if (dot === undefined) break;
    start -= dot.length;
    local = `.${local}`;
  }
  const cleaned = cleanLocal(local);
  if (cleaned === "") return undefined;
  return { text: cleaned, start: skipCharacters(text, start, local.length - cleaned.length), end };
}

/** Reads back to where a local part can begin; `after` is what was read of it already. */
function readLocalRun(
  text: string,
  floor: number,
  end: number,
  characters: LocalCharacters,
  after: string,
): { text: string; start: number } {
  let local = "";
  let start = end;
  while (start > floor && local.length <= MAX_LOCAL) {
    const char = text[start - 1]!;
    if (char === SEAM) {
      const isWhole = local !== "" && !(local + after).startsWith(".");
      if (isWhole) break;
    } else if (isLocalCharacter(char, characters)) {
      local = char + local;
    } else {
      break;
    }
    start--;
  }
  return { text: local, start };
}

function spelledDotBefore(text: string, floor: number, at: number): string | undefined {
  return SPELLED_DOT_BEFORE.exec(text.slice(Math.max(floor, at - SPELLED_DOT_WINDOW), at))?.[0];
}

/** Takes off what stands before a local part without a space; empty where nothing is left that could be one. */
function cleanLocal(local: string): string {
  if (local.endsWith(".")) return "";
  const afterEllipsis = local.slice(local.lastIndexOf("..") + 1);
  return afterOtherScript(afterEllipsis).replace(/^(?:%[0-9a-f]{2}|[^\p{L}\p{N}_])+/iu, "");
}

/** The end of a local part that no other script stands in: many languages put no space before an address. */
function afterOtherScript(local: string): string {
  let other = /\p{Script=Latin}/u;
  if (/\p{Script=Latin}[^\p{L}]*$/u.test(local)) other = /[^\P{L}\p{Script=Latin}]/u;
  else if (/\d[^\p{L}]*$/u.test(local))
    other = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
  for (let at = local.length - 1; at >= 0; at--) if (other.test(local[at]!)) return local.slice(at + 1);
  return local;
}

function readDomain(text: string, from: number, isPlain: boolean): (Part & { spelled: boolean }) | undefined {
  const start = isPlain ? from : skipSpace(text, from);
  const labels: string[] = [];
  let spelled = false;
  let end = start;
  for (let at = start; at - start <= MAX_DOMAIN; ) {
    const label = readLabel(text, at, labels);
    if (label === undefined) break;
    labels.push(label.text);
    end = label.end;
    SPELLED_DOT.lastIndex = end;
    if (label.isLast) break;
    if (text[end] === ".") {
      at = end + 1;
    } else if (SPELLED_DOT.test(text)) {
      at = SPELLED_DOT.lastIndex;
      spelled = isLabelCharacter(text[at] ?? "") || spelled;
    } else {
      break;
    }
  }
  const domain = labels.length < 2 ? undefined : mailDomain(labels);
  return domain === undefined ? undefined : { text: domain, start, end, spelled };
}

interface Label {
  text: string;
  end: number;
  /** Whether nothing of the domain can follow. */
  isLast: boolean;
}

/** Reads one label after others; `undefined` where there is none, or where it begins the next sentence. */
function readLabel(text: string, from: number, before: readonly string[]): Label | undefined {
  const mayBeLast = before.length > 0;
  let label = "";
  let at = from;
  for (; at - from <= MAX_DOMAIN; at++) {
    const char = text[at] ?? "";
    const next = text[at + 1] ?? "";
    if (char !== SEAM && !isLabelCharacter(char)) break;
    const mayEnd =
      (char === SEAM && next !== ".") || isDash(label, char, next) || isScriptChange(label, char);
    if (mayEnd && mayBeLast && isTopLevel(label)) return { text: label, end: at, isLast: true };
    if (char !== SEAM) label += char;
  }
  return label === "" || beginsSentence(label, before) ? undefined : { text: label, end: at, isLast: false };
}

/** A hyphen that joins nothing, or one of two: a dash of those who have none on their keyboard. */
function isDash(label: string, char: string, next: string): boolean {
  const isJoin = next !== "-" && isLabelCharacter(next);
  return char === "-" && !isJoin && label.toLowerCase() !== "xn";
}

/** A top level of Latin letters ends where another script begins: `example.comまで`. */
function isScriptChange(label: string, next: string): boolean {
  return next >= "\x80" && /[^\P{L}\p{Script=Latin}]/u.test(next) && /^[a-z]+$/i.test(label);
}

/** `me@site.example.Please write`: a capital after a domain that was whole, and all in small letters. */
function beginsSentence(label: string, before: readonly string[]): boolean {
  const isWhole = before.length > 1 && isTopLevel(before.at(-1)!);
  return isWhole && /^\p{Lu}\p{Ll}/u.test(label) && before.every((other) => other === other.toLowerCase());
}

/** https://user:secret@site.example, @user@site.example and git@site.example:project are no addresses. */
function isPartOfUrl(text: string, start: number, local: string, end: number): boolean {
  const before = text.slice(Math.max(0, start - MAX_LOCAL), start);
  return /@$|:\/\/[^\s/?#]*$/.test(before) || (local === "git" && /^:\S/.test(text.slice(end, end + 2)));
}

function isLocalCharacter(char: string, characters: LocalCharacters): boolean {
  const code = char.charCodeAt(0);
  if (code < 0x80) return (ASCII_KINDS[code]! & (characters === "common" ? COMMON : ATOM)) !== 0;
  return /[\p{L}\p{M}\p{N}]/u.test(char);
}

function isLabelCharacter(char: string): boolean {
  const code = char.charCodeAt(0);
  if (code < 0x80) return (ASCII_KINDS[code]! & LABEL) !== 0;
  return /[\p{L}\p{M}\p{N}]/u.test(char);
}

/** Skips so many characters that are no seams. */
function skipCharacters(text: string, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0; at++) if (text[at] !== SEAM) left--;
  return at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < from + 3 && isSpace(text[at])) at++;
  return at;
}

function skipSpaceBack(text: string, floor: number, from: number): number {
  let at = from;
  while (at > floor && at > from - 3 && isSpace(text[at - 1])) at--;
  return at;
}

function isSpace(char: string | undefined): boolean {
  return char === SEAM || (char !== undefined && /\s/.test(char));
}
