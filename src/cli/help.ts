import type { Flag } from "./flags/flag.ts";
import { FLAG_GROUPS } from "./flags.ts";

const SWITCHES: readonly (readonly [flag: string, meaning: string])[] = [
  ["--config FILE", 'options as JSON, by their names without dashes: { "max-pages": 200 }'],
  ["-h, --help", "show this and end"],
  ["-V, --version", "show the version and end"],
];

const EXAMPLES: readonly string[] = [
  "dragline https://example.com/ --max-pages 100 > pages.tsv",
  "dragline https://example.com/ --emails found.csv --scope domain --max-depth 3 --sitemaps --max-pages 200",
  "dragline https://example.com/ --out site --offline --links broken.csv --jsonl crawl.jsonl",
  "dragline --input seeds.txt --jsonl crawl.jsonl --resume state.db",
];

/** How a flag is written: `--max-pages N`; a switch that is on by default by its other form, `--no-robots`. */
function flagText({ name, kind, default: usual }: Flag): string {
  if (kind.placeholder !== undefined) return `--${name} ${kind.placeholder}`;
  const form = usual === "on" ? `--no-${name}` : `--${name}`;
  return name === "quiet" ? `-q, ${form}` : form;
}

/** What a flag does, with its default. */
function meaningText({ kind, meaning, default: usual }: Flag): string {
  if (kind.placeholder === undefined) return usual === "on" ? `do not ${meaning}` : meaning;
  return usual === undefined ? meaning : `${meaning} (default: ${usual})`;
}

/** What `--help` prints. */
export function helpText(): string {
  const groups = FLAG_GROUPS.map(({ title, flags }) => {
    return [title, flags.map((flag) => [flagText(flag), meaningText(flag)] as const)] as const;
  });
  const sections = [...groups, ["Besides", SWITCHES] as const];
  const width = Math.max(...sections.flatMap(([, rows]) => rows.map(([flag]) => flag.length)));
  const rowText = ([flag, meaning]: readonly [string, string]): string =>
    `  ${flag.padEnd(width)}  ${meaning}`;
  return `Crawls web sites politely: robots.txt is obeyed, and no host is asked faster than it allows.

Usage: dragline URL [URL...] [options]

${sections.map(([title, rows]) => `${title}:\n${rows.map(rowText).join("\n")}`).join("\n\n")}

A time is a number with ms, s, m, h or d behind it, milliseconds without. Each option may come from a variable too,
DRAGLINE_MAX_PAGES for --max-pages. The command line goes before the file of --config, that before the variables.

Standard output has results alone: what --jsonl - or --csv - says, or, where no output is asked for, one line a
page with a tab between its fields: status, depth, URL, title. Standard error has the rest: progress, a line
"failure, reason, URL, detail" for each request that got no answer, a line "skip, reason, URL, detail" for each URL
given here that was left alone, and a summary.

Exit codes: 0 done, 1 the crawl failed or gave no page, 2 wrong usage, 130 interrupted.
Ctrl-C ends gently: what is in flight may finish. A second one ends at once.

Examples:
${EXAMPLES.map((example) => `  ${example}`).join("\n")}
`;
}
