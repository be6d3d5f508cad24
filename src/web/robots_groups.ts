import { robotsOctets, robotsRecords } from "./robots_file.ts";
import { RuleSet } from "./robots_rules.ts";
import { Sieve } from "./robots_sieve.ts";

/** All that a file says to one agent: its groups merged, wherever they stand (RFC 9309 §2.2.1). */
export interface Group {
  readonly ruleSets: RuleSet[];
  delays: Delay[] | undefined;
}

/** The Crawl-delay of the agents that were named together just before it. */
export interface Delay {
  ms: number;
}

export interface Groups {
  /** By product token in lower case; `*` for everybody else. Holds no more tokens than the file. */
  readonly byToken: ReadonlyMap<string, Group>;
  /** The values of the Sitemap lines, as octets. */
  readonly sitemaps: readonly string[];
}

const TOKEN = /^[\w-]+/;

/**
 * The product token in a User-Agent header, in lower case: `mybot` of `MyBot/1.0 (+https://example.com/bot)`, and of
 * `Mozilla/5.0 (compatible; MyBot/1.0)`, the form that RFC 9309 §2.2.1 shows. Digits count as part of it: by the
 * RFC they do not, but names that have some are common. Empty where there is none.
 */
export function productToken(userAgent: string): string {
  const compatible = /^mozilla\/.*?\bcompatible; *([\w-]+)/is.exec(userAgent)?.[1];
  return (compatible ?? TOKEN.exec(userAgent)?.[0] ?? "").toLowerCase();
}

/** Reads a robots.txt into the groups that its records form. */
export function readGroups(body: string | Uint8Array): Groups {
  const reader = new GroupReader();
  const sitemaps: string[] = [];
  for (const { field, value } of robotsRecords(robotsOctets(body))) {
    switch (field) {
      case "agent":
        reader.name(value);
        break;
      case "allow":
      case "disallow":
        reader.rule(value, field === "allow");
        break;
      case "delay":
        reader.delay(value);
        break;
      case "sitemap":
        sitemaps.push(value);
        break;
      default:
        field satisfies never;
    }
  }
  return { byToken: reader.finish(), sitemaps };
}

class GroupReader {
  readonly #byToken = new Map<string, Group>();
  // Groups of the same agents share one set, so that a file of a thousand `User-agent: *` has one.
  readonly #ruleSets = new Map<string, RuleSet>();
  #tokens: string[] = [];
  #rules: RuleSet | undefined;
  // Of the tokens from there on.
  #delay: Delay | undefined;
  #delayFrom = 0;

  /** A User-agent line: one more agent of the group, or after a rule the first of the next. */
  name(value: string): void {
    if (this.#rules) this.#tokens = [];
    // Only a rule ends a group (RFC 9309 §2.2.4), but a Crawl-delay too is meant for the agents named before it.
    if (this.#rules || this.#delay) this.#delayFrom = this.#tokens.length;
    this.#rules = undefined;
    this.#delay = undefined;
    for (const token of tokensOf(value)) {
      this.#tokens.push(token);
      this.#groupOf(token);
    }
  }

  rule(value: string, allow: boolean): void {
    this.#rules ??= this.#ruleSetOf(this.#tokens);
    this.#rules.add(value, allow);
  }

  /** A Crawl-delay line, in seconds. Of several the longest holds; what is no number of seconds counts as none. */
  delay(value: string): void {
    const ms = delayMs(value);
    if (ms === undefined) return;
    if (this.#delay) {
      this.#delay.ms = Math.max(ms, this.#delay.ms);
      return;
    }
    this.#delay = { ms };
    for (const token of new Set(this.#tokens.slice(this.#delayFrom))) {
      const group = this.#groupOf(token);
      group.delays ??= [];
      group.delays.push(this.#delay);
    }
  }

  finish(): ReadonlyMap<string, Group> {
    const sieve = new Sieve();
    for (const set of this.#ruleSets.values()) set.seal(sieve);
    return this.#byToken;
  }

  #groupOf(token: string): Group {
    const group = this.#byToken.get(token) ?? { ruleSets: [], delays: undefined };
    this.#byToken.set(token, group);
    return group;
  }

  #ruleSetOf(tokens: readonly string[]): RuleSet {
    const key = tokens.join(" ");
    const known = this.#ruleSets.get(key);
    if (known) return known;
    const set = new RuleSet();
    this.#ruleSets.set(key, set);
    for (const token of new Set(tokens)) this.#groupOf(token).ruleSets.push(set);
    return set;
  }
}

/**
 * The agents that a User-agent line names: `*`, even with words behind it, or a token up to its first odd character,
 * as google/robotstxt has it; a list with commas names each of its items, as crawler-commons has it.
 */
function tokensOf(value: string): string[] {
  const tokens: string[] = [];
  for (const item of value.split(",")) {
    const token = /^\s*(\*(?=\s|$)|[\w-]+)/.exec(item)?.[1];
    if (token) tokens.push(token.toLowerCase());
  }
  return tokens;
}

function delayMs(seconds: string): number | undefined {
  if (!/^\+?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(seconds)) return undefined;
  const ms = Math.round(Number(seconds) * 1000);
  return Number.isFinite(ms) ? ms : undefined;
}
