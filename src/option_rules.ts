import { nearestName } from "./nearest.ts";

// Each of these throws where an option breaks its rule, and names the option, the rule and the value.

export function refuseUnknown(
  prefix: string,
  options: object,
  names: Readonly<Record<string, unknown>>,
): void {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`Cannot crawl as the options must be an object: received ${shown(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue;
    const nearest = nearestName(name, Object.keys(names));
    throw new TypeError(
      `Cannot crawl as there is no option '${prefix}${name}'${nearest === undefined ? "" : `: did you mean '${prefix}${nearest}'?`}`,
    );
  }
}

export function wholeNumber(name: string, value: unknown, least: number): void {
  number(name, value);
  if (!Number.isInteger(value) || value < least)
    throw outOfRange(name, `a whole number of at least ${least}`, value);
}

export function wholeNumberOrInfinity(name: string, value: unknown, least: number): void {
  if (value !== Number.POSITIVE_INFINITY) wholeNumber(name, value, least);
}

export function positive(name: string, value: unknown): void {
  number(name, value);
  if (!(value > 0)) throw outOfRange(name, "above 0", value);
}

export function notNegative(name: string, value: unknown): void {
  number(name, value);
  if (!(value >= 0)) throw outOfRange(name, "0 or above", value);
}

export function finite(name: string, value: unknown): void {
  if (!Number.isFinite(value)) throw outOfRange(name, "finite", value);
}

function number(name: string, value: unknown): asserts value is number {
  if (typeof value !== "number") throw wrongType(name, "a number", value);
}

export function boolean(name: string, value: unknown): void {
  if (typeof value !== "boolean") throw wrongType(name, "a boolean", value);
}

export function oneOf(name: string, value: unknown, values: readonly string[]): void {
  if (values.includes(value as string)) return;
  throw wrongType(name, `one of ${values.map((text) => `"${text}"`).join(", ")}`, value);
}

export function wrongType(name: string, rule: string, value: unknown): TypeError {
  return new TypeError(`Cannot crawl as '${name}' must be ${rule}: received ${shown(value)}`);
}

export function outOfRange(name: string, rule: string, value: unknown): RangeError {
  return new RangeError(`Cannot crawl as '${name}' must be ${rule}: received ${shown(value)}`);
}

function shown(value: unknown): string {
  if (typeof value === "string") return `"${value}"`;
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? `[${value.map(shown).join(", ")}]` : (value.constructor?.name ?? "an object");
}

/**
 * @throws {TypeError} where a name or a value is none of HTTP
 */
export function checkedHeaders(record: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(record);
  for (const [name, value] of headers) {
    // Fetch standard: a value is a byte string. Not every runtime refuses what is none.
    if (/[^\x00-\xff]/.test(value)) throw new TypeError(`'${name}' has a character above U+00FF`);
  }
  return headers;
}
