import type { Flag } from "../../src/cli/flags/flag.ts";
import { FLAG_GROUPS } from "../../src/cli/flags.ts";

/** The tables of docs/command_line.md, as the flags have them. */
export function manualTables(): string {
  return FLAG_GROUPS.map(({ title, flags }) => {
    return `### ${title}\n\n${markdownTable(["Flag", "Default", "Meaning", "Example"], flags.map(rowOf))}`;
  }).join("\n");
}

function rowOf({ name, kind, meaning, default: usual, example }: Flag): string[] {
  const form = kind.placeholder === undefined ? `--[no-]${name}` : `--${name} ${kind.placeholder}`;
  const shown =
    example === undefined ? "" : `\`--${name} ${/[\s*()']/.test(example) ? `"${example}"` : example}\``;
  return [`\`${form}\``, usual ?? "", meaning, shown].map((cell) => cell.replaceAll("|", "\\|"));
}

function markdownTable(header: readonly string[], rows: readonly string[][]): string {
  const lines = [header, header.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
