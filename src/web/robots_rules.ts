import { canonicalPattern, withRawQuery } from "./robots_path.ts";
import { hasPair, pairsOf, type Sieve } from "./robots_sieve.ts";
import { Wildcard } from "./robots_wildcard.ts";

/**
 * Twice a rule's length in octets, plus one for Allow: the greatest rank among the rules that match is the one to
 * follow, since the longest match wins and Allow wins a tie (RFC 9309 §2.2.2).
 */
type Rank = number;

// What matches no rule is allowed: an Allow of no length.
const NO_RULE: Rank = 1;

// What one lookup may spend on wildcards, in octets looked at. Some hundred undecided patterns against a URL of two
// thousand octets fit. Past that the answer is "no", the polite one.
const BUDGET_OCTETS = 2 ** 19;
// What the first look at a pattern costs beside its octets.
const PATTERN_OCTETS = 32;

// From so many wildcards on, it pays to note which pairs of octets the path holds.
const MIN_SIFTED = 8;

/** Keys of one length, and the greatest rank among these and all shorter keys. */
interface KeyLength {
  readonly length: number;
  readonly ceiling: Rank;
}

/** A path, in the two spellings that rules are held against, and what may still be spent on it. */
interface Lookup {
  readonly path: string;
  readonly rawQuery: string;
  /** Of both spellings; found out when first needed. */
  pairs: Uint32Array | undefined;
  budgetOctets: number;
}

/** The Allow and Disallow rules of one group of agents. Filled by `add()`, then sealed once. */
export class RuleSet {
  // Rules without a wildcard, a final `$` included; those with one. No more of both than the file has.
  readonly #literals = new Map<string, Rank>();
  readonly #patterns = new Map<string, Rank>();
  #keyLengths: readonly KeyLength[] = [];
  #hasWholePaths = false;
  // These three go together, greatest rank first.
  #wildcards: readonly Wildcard[] = [];
  #ranks: readonly Rank[] = [];
  #needles: Uint16Array | undefined;

  /** Adds the rule that a line gives; a value that can match nothing adds none. */
  add(value: string, allow: boolean): void {
    const canonical = canonicalPattern(value);
    if (canonical === undefined) return;
    const rank = canonical.length * 2 + (allow ? 1 : 0);
    const pattern = withRawQuery(canonical).replace(/\*{2,}/g, "*");
    const star = pattern.indexOf("*");
    if (star < 0) {
      raise(this.#literals, pattern, rank);
    } else if (star === pattern.length - 1 || pattern.slice(star) === "*$") {
      // `/a*` and `/a*$` match what `/a` matches: only their rank is another.
      raise(this.#literals, pattern.slice(0, star), rank);
    } else {
      raise(this.#patterns, pattern, rank);
    }
  }

  /** To be called once, after the last `add()` and before any lookup. */
  seal(sieve: Sieve): void {
    const greatest = new Map<number, Rank>();
    for (const [key, rank] of this.#literals) {
      if (key.endsWith("$")) this.#hasWholePaths = true;
      else raise(greatest, key.length, rank);
    }
    this.#keyLengths = descending(greatest);
    if (this.#patterns.size === 0) return;
    const ranked = [...this.#patterns].sort((a, b) => b[1] - a[1]);
    this.#wildcards = ranked.map(([pattern]) => new Wildcard(pattern));
    this.#ranks = ranked.map(([, rank]) => rank);
    if (ranked.length >= MIN_SIFTED) {
      this.#needles = sieve.needlesOf(ranked.map(([pattern]) => pattern));
    }
    this.#patterns.clear();
  }

  /** The greatest rank among the rules without a wildcard that match, but at least `best`. */
  literalRank(rawQuery: string, best: Rank): Rank {
    for (const { length, ceiling } of this.#keyLengths) {
      if (ceiling <= best) break;
      if (length <= rawQuery.length) best = Math.max(best, this.#rankOf(rawQuery.slice(0, length)));
    }
    return this.#hasWholePaths ? Math.max(best, this.#rankOf(`${rawQuery}$`)) : best;
  }

  #rankOf(literal: string): Rank {
    return this.#literals.get(literal) ?? NO_RULE;
  }

  /** The greatest rank among the rules with a wildcard that match, but at least `best`; `undefined`: out of budget. */
  wildcardRank(lookup: Lookup, best: Rank): Rank | undefined {
    const needles = this.#needles;
    if (needles) lookup.pairs ??= pairsOf(lookup.path, lookup.rawQuery);
    for (let at = 0; at < this.#wildcards.length; at++) {
      if (needles && !hasPair(lookup.pairs!, needles[at]!)) continue;
      if (this.#ranks[at]! <= best) break;
      const wildcard = this.#wildcards[at]!;
      const path = wildcard.hasQuery ? lookup.rawQuery : lookup.path;
      if (!wildcard.mayMatch(path)) continue;
      lookup.budgetOctets -= PATTERN_OCTETS + wildcard.pattern.length + path.length;
      if (lookup.budgetOctets < 0) return undefined;
      if (wildcard.matches(path)) return this.#ranks[at]!;
    }
    return best;
  }
}

/** Whether the rules of these sets, taken together, allow a path in its canonical spelling. */
export function isPathAllowed(sets: readonly RuleSet[], path: string): boolean {
  const rawQuery = withRawQuery(path);
  let best: Rank = NO_RULE;
  for (const set of sets) best = set.literalRank(rawQuery, best);
  const lookup: Lookup = { path, rawQuery, pairs: undefined, budgetOctets: BUDGET_OCTETS };
  for (const set of sets) {
    const rank = set.wildcardRank(lookup, best);
    if (rank === undefined) return false;
    best = rank;
  }
  return best % 2 === 1;
}

function raise<Key>(ranks: Map<Key, Rank>, key: Key, rank: Rank): void {
  const known = ranks.get(key);
  if (known === undefined || known < rank) ranks.set(key, rank);
}

function descending(greatest: ReadonlyMap<number, Rank>): KeyLength[] {
  let ceiling = NO_RULE;
  return [...greatest]
    .sort((a, b) => a[0] - b[0])
    .map(([length, rank]) => {
      ceiling = Math.max(ceiling, rank);
      return { length, ceiling };
    })
    .reverse();
}
