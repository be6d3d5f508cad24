/**
 * The candidate that a slip of the hand would turn into `name`; none where the best one is too far off to be what
 * was meant.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  let nearest: string | undefined;
  // A third of the letters wrong is a slip, more is another word.
  let least = Math.max(2, Math.ceil(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name, candidate);
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

/** How many letters to insert, delete or replace to make one of the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
