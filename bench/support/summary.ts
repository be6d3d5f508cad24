/** A median with the least and the most. */
export function summary(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const show = (value: number): string => (value < 10 ? value.toFixed(2) : Math.round(value).toString());
  return `${show(sorted[Math.floor(sorted.length / 2)]!)} (${show(sorted[0]!)} to ${show(sorted.at(-1)!)})`;
}
