import { durationMs } from "./flag_kinds.ts";

// Each gives `undefined` for a text that has not its form.

/** A glob, or an expression between slashes with its letters: `/\.pdf$/i`. */
export function patternOf(text: string): string | RegExp | undefined {
  const [, source, letters] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? [];
  if (source === undefined) return text === "" ? undefined : text;
  try {
    return new RegExp(source, letters);
  } catch {
    return undefined;
  }
}

/** An absolute URL of http or https, as written. */
export function webUrl(text: string): string | undefined {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : undefined;
}

/** `4` is fixed, `adaptive:4` a ceiling. */
export function hostConcurrencyOf(text: string): number | { adaptive: number } | undefined {
  const [, adaptive, digits] = /^(adaptive:)?([1-9]\d{0,8})$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return adaptive === undefined ? Number(digits) : { adaptive: Number(digits) };
}

/** One length of time, or the least and the most with two dots between. */
export function delayOf(text: string): number | readonly [number, number] | undefined {
  const [least, most, ...more] = text.split("..").map(durationMs);
  if (least === undefined || more.length > 0) return undefined;
  if (!text.includes("..")) return least;
  return most === undefined || most < least ? undefined : [least, most];
}

/** `Name: value` as its two parts (RFC 9110 §5.1 has the characters of a name). */
export function headerOf(text: string): readonly [string, string] | undefined {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+): *(\S.*)$/.exec(text) ?? [];
  return name === undefined || value === undefined ? undefined : [name, value];
}

/** Media types with a comma between, or `any`. */
export function contentTypesOf(text: string): "any" | readonly string[] | undefined {
  if (text === "any") return text;
  const types = text.split(",").map((type) => type.trim());
  return types.every((type) => /^[^\s/;]+\/[^\s/;]+$/.test(type)) ? types : undefined;
}

/** A number of URLs, as the filter for so many; behind a colon, the share of new ones that it may lose. */
export function bloomOf(text: string): { bloom: { capacity: number; falsePositives: number } } | undefined {
  const [, digits, share = "0.01"] = /^([1-9]\d*)(?::(0?\.\d+))?$/.exec(text) ?? [];
  const capacity = Number(digits);
  const falsePositives = Number(share);
  if (!Number.isSafeInteger(capacity) || falsePositives === 0) return undefined;
  return { bloom: { capacity, falsePositives } };
}

/** In how many bits two digests may differ. */
export function nearDistanceOf(text: string): number | undefined {
  return /^[0-8]$/.test(text) ? Number(text) : undefined;
}
