import type { ClientProcess } from "./client_process.ts";
import { inRounds } from "./rounds.ts";
import type { Run } from "./run.ts";

/**
 * For how long a client crawls before it is measured. The optimising compilers of V8 go on for seconds: crawl() by
 * `fetch` on Node.js was at its full speed after some four of them (`npm run bench -- warm_up`).
 */
export const WARM_UP_MS = 5_000;
/** For how long it crawls at first in each round, uncounted: what has waited for its turn is slower for a while. */
export const RESUME_MS = 1_000;
/** For how long a client crawls in a round, at least. */
export const LEAST_MS = 1_000;

interface WarmRounds {
  readonly startUrl: string;
  readonly rounds: number;
  /** Default: {@link WARM_UP_MS}. */
  readonly warmUpMs?: number;
  /** Is told who comes next, by its place, and in which round; `undefined` while it warms up. */
  readonly onTurn?: (at: number, round: number | undefined) => void;
}

/**
 * Starts clients, each once for all rounds; lets one after the other crawl until it is warm, and measures them in rounds.
 * Never do two crawl at once. Gives the runs of each in the order of the rounds. All have ended when it settles.
 */
export async function inWarmRounds(
  starts: readonly (() => ClientProcess)[],
  { startUrl, rounds, warmUpMs = WARM_UP_MS, onTurn = () => {} }: WarmRounds,
): Promise<Run[][]> {
  const clients: ClientProcess[] = [];
  try {
    for (const [at, start] of starts.entries()) {
      onTurn(at, undefined);
      const client = start();
      clients.push(client);
      await client.crawl({ startUrl, leastMs: warmUpMs });
    }
    return await inRounds([...clients.entries()], rounds, async ([at, client], round) => {
      onTurn(at, round);
      await client.crawl({ startUrl, leastMs: RESUME_MS });
      return client.crawl({ startUrl, leastMs: LEAST_MS });
    });
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
