import {
  boolean,
  checkedHeaders,
  finite,
  notNegative,
  oneOf,
  outOfRange,
  positive,
  refuseUnknown,
  wholeNumber,
  wholeNumberOrInfinity,
  wrongType,
} from "./option_rules.ts";
import type { CrawlOptions } from "./options.ts";
import { isCrawlable } from "./web/url.ts";

/** Throws where a value breaks it, and names the option, the rule and the value. */
type Rule = (name: string, value: unknown) => void;

type Rules = Readonly<Record<string, Rule>>;

/**
 * Checks the options, each by itself and then those that exclude each other.
 *
 * @throws {TypeError} naming an option that there is not, or a value of the wrong kind
 * @throws {RangeError} naming a number that is out of its range
 */
export function checkOptions(options: CrawlOptions): void {
  checkAll("", options, RULES);
  const { fetch, transport, frontier, resume, seen } = options;
  if (fetch !== undefined && transport !== undefined) {
    throw bothGiven("fetch", "transport", "only one of them sends requests");
  }
  if (frontier === undefined) return;
  if (resume !== undefined) throw bothGiven("frontier", "resume", "a store keeps that itself");
  if (seen !== undefined) throw bothGiven("frontier", "seen", "a store keeps that itself");
}

function bothGiven(one: string, other: string, why: string): TypeError {
  return new TypeError(`Cannot crawl as '${one}' and '${other}' are both given: ${why}`);
}

function checkAll(prefix: string, options: object, rules: Rules): void {
  refuseUnknown(prefix, options, rules);
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) rules[name]?.(prefix + name, value);
  }
}

function atLeast(least: number): Rule {
  return (name, value) => wholeNumberOrInfinity(name, value, least);
}

function among(...values: readonly string[]): Rule {
  return (name, value) => oneOf(name, value, values);
}

function aFunction(name: string, value: unknown): void {
  if (typeof value !== "function") throw wrongType(name, "a function", value);
}

function functionOr(rule: Rule): Rule {
  return (name, value) => {
    if (typeof value !== "function") rule(name, value);
  };
}

/** An object with optional parts; `kind` says in words what else is right. */
function parts(rules: Rules, kind = "an object"): Rule {
  return (name, value) => {
    if (!isObject(value)) throw wrongType(name, kind, value);
    checkAll(`${name}.`, value, rules);
  };
}

function partsOrBoolean(rules: Rules): Rule {
  const check = parts(rules, "a boolean or an object");
  return (name, value) => {
    if (typeof value !== "boolean") check(name, value);
  };
}

/** An object that has these functions. */
function having(kind: string, ...methods: readonly string[]): Rule {
  return (name, value) => {
    if (!isObject(value) || !methods.every((method) => typeof value[method] === "function")) {
      throw wrongType(name, kind, value);
    }
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function hostConcurrency(name: string, value: unknown): void {
  if (isObject(value)) {
    refuseUnknown(`${name}.`, value, { adaptive: true });
    wholeNumber(`${name}.adaptive`, value.adaptive, 1);
  } else wholeNumber(name, value, 1);
}

function gap(name: string, value: unknown): void {
  if (typeof value === "number") {
    finiteGap(name, value);
    return;
  }
  if (!Array.isArray(value) || value.length !== 2) throw wrongType(name, "a number or [least, most]", value);
  const [least, most] = value;
  finiteGap(`${name}[0]`, least);
  notNegative(`${name}[1]`, most);
  if (most < least) throw outOfRange(name, "[least, most] with a least that is not above its most", value);
}

function finiteGap(name: string, value: unknown): void {
  notNegative(name, value);
  finite(name, value);
}

function visibleAscii(name: string, value: unknown): void {
  // RFC 9110 §5.5, without octets above 0x7F, on which runtimes differ.
  if (typeof value !== "string" || !/^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(value)) {
    throw wrongType(name, "visible ASCII text", value);
  }
}

function sitemaps(name: string, value: unknown): void {
  if (typeof value === "boolean") return;
  if (!Array.isArray(value)) throw wrongType(name, "a boolean or a list of URLs", value);
  for (const url of value) {
    if (!isCrawlable(url)) throw wrongType(name, "a list of http or https URLs", url);
  }
}

function patterns(name: string, value: unknown): void {
  for (const pattern of Array.isArray(value) ? value : [value]) {
    if (typeof pattern !== "string" && !(pattern instanceof RegExp)) {
      throw wrongType(name, "glob texts or regular expressions", pattern);
    }
  }
}

function mediaTypes(name: string, value: unknown): void {
  if (value === "any") return;
  if (!Array.isArray(value)) throw wrongType(name, 'a list of media types or "any"', value);
  for (const type of value) {
    if (typeof type !== "string" || !/^[^\s/;]+\/[^\s/;]+$/.test(type)) {
      throw wrongType(name, 'media types such as "text/html" or "image/*"', type);
    }
  }
}

function distance(name: string, value: unknown): void {
  wholeNumber(name, value, 0);
  if ((value as number) > 8) throw outOfRange(name, "at most 8", value);
}

function seenTable(name: string, value: unknown): void {
  if (value === "exact") return;
  if (!isObject(value)) throw wrongType(name, '"exact" or an object', value);
  refuseUnknown(`${name}.`, value, { bloom: true });
  const { bloom } = value;
  if (!isObject(bloom)) throw wrongType(`${name}.bloom`, "an object", bloom);
  refuseUnknown(`${name}.bloom.`, bloom, { capacity: true, falsePositives: true });
  const { capacity, falsePositives } = bloom;
  wholeNumber(`${name}.bloom.capacity`, capacity, 1);
  if (typeof falsePositives !== "number" || !(falsePositives > 0 && falsePositives < 1)) {
    throw outOfRange(`${name}.bloom.falsePositives`, "above 0 and below 1", falsePositives);
  }
}

function namesOrBoolean(name: string, value: unknown): void {
  if (typeof value === "boolean") return;
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string")) {
    throw wrongType(name, "a boolean or a list of names", value);
  }
}

function headerRecord(name: string, value: unknown): void {
  if (!isObject(value)) throw wrongType(name, "a record or a function", value);
  try {
    checkedHeaders(value as Readonly<Record<string, string>>);
  } catch (error) {
    throw new TypeError(
      `Cannot crawl as '${name}' must be names and values of HTTP: ${(error as Error).message}`,
    );
  }
}

function abortSignal(name: string, value: unknown): void {
  if (!(value instanceof AbortSignal)) throw wrongType(name, "an AbortSignal", value);
}

// Types are gone at run time. An option that has no rule here does not compile; a snapshot is checked as it is read.
const RULES: Readonly<Record<keyof CrawlOptions, Rule>> = {
  results: among("pages", "all"),
  concurrency: (name, value) => wholeNumber(name, value, 1),
  hostConcurrency,
  delayMs: gap,
  hostKey: aFunction,
  robots: partsOrBoolean({
    maxAgeMs: positive,
    unreachableRetries: atLeast(0),
    maxCrawlDelayMs: notNegative,
    fetch: aFunction,
  }),
  userAgent: visibleAscii,
  sitemaps,
  scope: functionOr(among("origin", "host", "domain", "prefix", "any")),
  include: patterns,
  exclude: patterns,
  follow: functionOr(boolean),
  directives: boolean,
  priority: aFunction,
  maxDepth: atLeast(0),
  maxPages: atLeast(1),
  maxRequests: atLeast(1),
  maxDurationMs: positive,
  maxPagesPerHost: atLeast(1),
  timeoutMs: positive,
  maxBodyBytes: positive,
  contentTypes: mediaTypes,
  maxRedirects: atLeast(0),
  retries: parts({ max: atLeast(0), baseMs: notNegative, maxMs: notNegative }),
  maxHostFailures: atLeast(1),
  maxRetryAfterMs: notNegative,
  nearDuplicates: partsOrBoolean({ distance, links: boolean, skip: boolean }),
  traps: boolean,
  privateAddresses: among("seeds", "allow", "deny"),
  cookies: boolean,
  frontier: having("a store such as memory(), sqlite() or redis()", "lease"),
  seen: seenTable,
  revalidate: having("a Map, or an object with 'get' and 'set' functions", "get", "set"),
  resume: () => {},
  keys: parts({
    stripTrackingParams: namesOrBoolean,
    sortQuery: boolean,
    trailingSlash: among("keep", "drop"),
  }),
  headers: functionOr(headerRecord),
  fetch: aFunction,
  transport: having("an object with a 'send' function", "send"),
  signal: abortSignal,
  graceMs: notNegative,
  onEvent: aFunction,
  clock: having("an object with 'now' and 'at' functions", "now", "at"),
  random: aFunction,
};
