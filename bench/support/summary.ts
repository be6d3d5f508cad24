/** What repeated measurements of one thing came to. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** The middle value; of an even number of values the upper of the two in the middle. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("Cannot take the median of no values");
  return sorted(values)[Math.floor(values.length / 2)]!;
}

export function spreadOf(values: readonly number[]): Spread {
  const ascending = sorted(values);
  return { median: median(values), least: ascending[0]!, most: ascending.at(-1)! };
}

/** Value by value, in the order in which both were measured: what a busy moment did to both falls out. */
export function ratios(values: readonly number[], to: readonly number[]): number[] {
  if (values.length !== to.length) {
    throw new RangeError(`Cannot pair ${values.length} values with ${to.length}`);
  }
  return values.map((value, i) => value / to[i]!);
}

/** Two decimals below ten, else whole, with thousands apart. */
export function formatFigure(value: number): string {
  // What rounds to 10.00 has the form of a ten.
  return value < 9.995 ? value.toFixed(2) : Math.round(value).toLocaleString("en");
}

/** The median with the least and the most, where they differ. */
export function formatSpread({ median, least, most }: Spread): string {
  if (least === most) return formatFigure(median);
  return `${formatFigure(median)} (${formatFigure(least)} to ${formatFigure(most)})`;
}

/** A median with the least and the most. */
export function summary(values: readonly number[]): string {
  return formatSpread(spreadOf(values));
}

function sorted(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}
