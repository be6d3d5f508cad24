/** The functions of strings by which the readers of `src/web` look at a text, and what a call of each costs. */
const COSTS: Record<string, (text: string, result: unknown, args: unknown[]) => number> = {
  charCodeAt: () => 1,
  indexOf: (text, result, [mark, from = 0]) =>
    ((result as number) < 0 ? text.length : (result as number)) - (from as number) + (mark as string).length,
  startsWith: (_text, _result, [mark]) => (mark as string).length,
  endsWith: (_text, _result, [mark]) => (mark as string).length,
  includes: (text) => text.length,
  replace: (text) => text.length,
  replaceAll: (text) => text.length,
  split: (text) => text.length,
  toLowerCase: (text) => text.length,
};

/** How many characters `run` looks at: a measure of work that no busy machine changes. */
export function charactersRead(run: () => void): number {
  let count = 0;
  const methods = String.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const originals = Object.keys(COSTS).map((name) => [name, methods[name]!] as const);
  for (const [name, original] of originals) {
    const cost = COSTS[name]!;
    methods[name] = function (this: string, ...args: unknown[]): unknown {
      const result = original.apply(this, args);
      count += Math.max(1, cost(this, result, args));
      return result;
    };
  }
  try {
    run();
  } finally {
    for (const [name, original] of originals) methods[name] = original;
  }
  return count;
}
