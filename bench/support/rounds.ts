/**
 * Measures several things turn by turn, so that a busy moment of the machine meets them all; every second round goes
 * backwards, so that none always comes after the same one. Gives the measurements of each, in the order of the rounds.
 */
export async function inRounds<T, M>(
  things: readonly T[],
  rounds: number,
  measure: (thing: T, round: number) => Promise<M>,
): Promise<M[][]> {
  const measured: M[][] = things.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const turns = [...things.keys()];
    if (round % 2 === 1) turns.reverse();
    for (const at of turns) measured[at]!.push(await measure(things[at]!, round));
  }
  return measured;
}
