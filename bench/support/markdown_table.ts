/** A table in Markdown, its columns aligned; all but the first, which names the row, to the right. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  for (const row of rows) {
    if (row.length !== headings.length) {
      throw new RangeError(
        `Cannot put ${row.length} cells below ${headings.length} headings: ${row.join(", ")}`,
      );
    }
  }
  const widths = headings.map((heading, at) =>
    Math.max(3, heading.length, ...rows.map((row) => row[at]!.length)),
  );
  const line = (cells: readonly string[]): string => {
    const padded = cells.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!),
    );
    return `| ${padded.join(" | ")} |`;
  };
  const rule = widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(headings), line(rule), ...rows.map(line)].join("\n");
}
