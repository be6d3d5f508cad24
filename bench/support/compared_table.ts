import { markdownTable } from "./markdown_table.ts";
import { formatSpread, ratios, type Spread, spreadOf } from "./summary.ts";

/** One thing that was measured of two trees in turn. */
export interface ComparedFigures {
  readonly name: string;
  readonly here: Spread;
  readonly there: Spread;
  /** Here against there, pair by pair: below one is less. */
  readonly ratio: Spread;
}

export function comparedFigures(
  name: string,
  here: readonly number[],
  there: readonly number[],
): ComparedFigures {
  return { name, here: spreadOf(here), there: spreadOf(there), ratio: spreadOf(ratios(here, there)) };
}

/** One row for each thing. */
export function comparedTable(figures: readonly ComparedFigures[], there: string): string {
  const rows = figures.map((of) => [of.name, ...[of.here, of.there, of.ratio].map(formatSpread)]);
  return markdownTable(["", "this tree", there, "ratio"], rows);
}
