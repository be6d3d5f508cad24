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
  // By pattern, until the set is sealed; from then on only those without a wildcard. No more than the file has.
  readonly #rules = new Map<string, Rank>();
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
    // `/a*` and `/a*$` match what `/a` matches: only their rank is another.
    const isPrefix = star >= 0 && (star === pattern.length - 1 || pattern.slice(star) === "*$");
    raise(this.#rules, isPrefix ? pattern.slice(0, star) : pattern, rank);
  }

  /** To be called once, after the last `add()` and before any lookup. */
  seal(sieve: Sieve): void {
    const greatest = new Map<number, Rank>();
    const wild: [string, Rank][] = [];
    for (const [pattern, rank] of this.#rules) {
      if (pattern.includes("*")) wild.push([pattern, rank]);
      else if (pattern.endsWith("$")) this.#hasWholePaths = true;
      else raise(greatest, pattern.length, rank);
    }
    this.#keyLengths = descending(greatest);
    if (wild.length === 0) return;
    for (const [pattern] of wild) this.#rules.delete(pattern);
    wild.sort((a, b) => b[1] - a[1]);
    this.#wildcards = wild.map(([pattern]) => new Wildcard(pattern));
    this.#ranks = wild.map(([, rank]) => rank);
    if (wild.length >= MIN_SIFTED) this.#needles = sieve.needlesOf(wild.map(([pattern]) => pattern));
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
    return this.#rules.get(literal) ?? NO_RULE;
  }

  /** The greatest rank among the rules with a wildcard that match, but at least `best`; `undefined`: out of budget. */
  wildcardRank(lookup: Lookup, best: Rank): Rank | undefined {
    const wildcards = this.#wildcards;
    const ranks = this.#ranks;
    const needles = this.#needles;
    const pairs = needles && this.#pairsOf(lookup);
    for (let at = 0; at < wildcards.length; at++) {
      if (needles && pairs && !hasPair(pairs, needles[at]!)) continue;
      if (ranks[at]! <= best) break;
      const wildcard = wildcards[at]!;
      const path = wildcard.hasQuery ? lookup.rawQuery : lookup.path;
      if (!wildcard.mayMatch(path)) continue;
      lookup.budgetOctets -= PATTERN_OCTETS + wildcard.pattern.length + path.length;
      if (lookup.budgetOctets < 0) return undefined;
      if (wildcard.matches(path)) return ranks[at]!;
    }
    return best;
  }

  #pairsOf(lookup: Lookup): Uint32Array {
    lookup.pairs ??= pairsOf(lookup.path, lookup.rawQuery);
    return lookup.pairs;
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
