import type { Pattern, Scope as ScopeRule } from "./options.ts";
import type { CrawlRequest } from "./request.ts";
import { loadRegistrableDomain } from "./web/registrable_domain.ts";
import { canonicalKey, hostKey, originOf } from "./web/url.ts";

/** Decides which URLs belong to a crawl, by what its seeds are. */
export class Scope {
  readonly #rule: ScopeRule;
  readonly #include: readonly RegExp[];
  readonly #exclude: readonly RegExp[];
  /** One entry a seed at the most: its origin, host, domain or prefix, as the rule has it. */
  readonly #territories = new Set<string>();
  #registrableDomain: ((hostname: string) => string | undefined) | undefined;

  constructor(rule: ScopeRule, include: readonly Pattern[], exclude: readonly Pattern[]) {
    this.#rule = rule;
    this.#include = include.map(compilePattern);
    this.#exclude = exclude.map(compilePattern);
  }

  /** Loads what the rule needs, before the first other call: the public suffix list is large, and seldom needed. */
  async load(): Promise<void> {
    if (this.#rule === "domain") this.#registrableDomain = await loadRegistrableDomain();
  }

  /** Makes a seed's surroundings part of the scope. Says whether they were not yet. */
  addSeed(url: string): boolean {
    const before = this.#territories.size;
    if (this.#rule === "prefix") {
      const key = canonicalKey(url);
      this.#territories.add(key.slice(0, key.split("?", 1)[0]!.lastIndexOf("/") + 1));
    } else {
      this.#territories.add(this.#territoryOf(url));
    }
    return this.#territories.size > before;
  }

  /** Grows with each place that a seed adds: what was out of scope before may belong now. */
  get size(): number {
    return this.#territories.size;
  }

  /** Whether a URL is all that is asked about a link. */
  get goesByUrl(): boolean {
    return typeof this.#rule !== "function";
  }

  /** What seeds have made part of the scope, as JSON. */
  save(): string[] {
    return [...this.#territories];
  }

  /** Takes in what {@link save} gave. */
  restore(territories: readonly string[]): void {
    for (const territory of territories) this.#territories.add(territory);
  }

  /** Whether a link belongs. `request` is what would be queued for it. */
  holds(url: string, request: CrawlRequest): boolean {
    return this.#isNear(url, request) && this.#isWanted(url);
  }

  #isNear(url: string, request: CrawlRequest): boolean {
    if (typeof this.#rule === "function") return this.#rule(new URL(url), request);
    if (this.#rule === "any") return true;
    if (this.#rule !== "prefix") return this.#territories.has(this.#territoryOf(url));
    for (const prefix of this.#territories) if (request.key.startsWith(prefix)) return true;
    return false;
  }

  #isWanted(url: string): boolean {
    if (this.#include.length > 0 && !this.#include.some((pattern) => pattern.test(url))) return false;
    return !this.#exclude.some((pattern) => pattern.test(url));
  }

  #territoryOf(url: string): string {
    switch (this.#rule) {
      case "origin":
        return originOf(url);
      case "domain": {
        const { hostname } = new URL(url);
        // An IP address, a single label and a public suffix have no registrable domain: each stands for itself.
        return this.#registrableDomain?.(hostname) ?? hostname;
      }
      default:
        return hostKey(url);
    }
  }
}

/** A pattern as one that may be tested again and again. */
export function compilePattern(pattern: Pattern): RegExp {
  // A `g` or `y` would make each test begin where the last one ended.
  if (typeof pattern !== "string") return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
  const [first = "", ...rest] = pattern
    .split(/\*+/)
    .map((text) => text.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  const last = rest.pop();
  if (last === undefined) return new RegExp(`^${first}$`);
  // The first place where a text between two stars fits is as good as any later one. A group in a lookahead is not
  // tried again, so that no long URL makes the matching slow.
  const between = rest.map((text, i) => `(?=(.*?${text}))\\${i + 1}`);
  return new RegExp(`^${first}${between.join("")}.*${last}$`, "s");
}
