/** How often and how soon a request that failed is tried again. */
export interface RetryRules {
  /** Attempts after the first. */
  readonly max: number;
  /** The wait before the second attempt, jitter aside; each later one is twice as long. */
  readonly baseMs: number;
  /** No wait is longer. */
  readonly maxMs: number;
}

/** An answer's status, or why there was none. */
export type AttemptOutcome = { readonly status: number } | { readonly reason: string };

// A certificate, a loop or a body over the cap is the same a second later; a connection is not.
const PASSING_FAULTS: ReadonlySet<string> = new Set(["dns", "connect", "reset", "timeout", "network"]);

/** Whether another attempt may end better: 408, 429, 5xx, and the faults of a network that pass. */
export function isRetryable(outcome: AttemptOutcome): boolean {
  if ("reason" in outcome) return PASSING_FAULTS.has(outcome.reason);
  const { status } = outcome;
  return status === 408 || status === 429 || status >= 500;
}

/**
 * Milliseconds to wait before the next attempt, after `attempt` (1 and up) of them failed: `baseMs` doubled for
 * each, at most `maxMs`. Jitter shortens it by up to a half and never lengthens it, so that requests that failed
 * together do not come back together and a cap stays a cap.
 */
export function backoffMs(attempt: number, rules: RetryRules, random: () => number): number {
  const fullMs = Math.min(rules.baseMs * 2 ** (attempt - 1), rules.maxMs);
  return fullMs * (1 - random() / 2);
}
