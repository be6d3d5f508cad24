import { FLAGS } from "./flags.ts";

const SWITCHES: readonly (readonly [flag: string, meaning: string])[] = [
  ["-h, --help", "show this and end"],
  ["-V, --version", "show the version and end"],
];

/** What `--help` prints. */
export function helpText(): string {
  const flags = FLAGS.map(({ name, placeholder, meaning }) => [`--${name} ${placeholder}`, meaning] as const);
  const rows = [...flags, ...SWITCHES];
  const width = Math.max(...rows.map(([flag]) => flag.length));
  return `Crawls web sites politely: robots.txt is obeyed, and no host is asked faster than it allows.

Usage: dragline URL [URL...] [options]

${rows.map(([flag, meaning]) => `  ${flag.padEnd(width)}  ${meaning}`).join("\n")}

Standard output has one line a page, with a tab between its fields: status, depth, URL, title.
Standard error has the rest: progress, a line "failure, reason, URL, detail" for each request that got no
answer, a line "skip, reason, URL, detail" for each URL given here that was left alone, and a summary.

Exit codes: 0 done, 1 the crawl failed or gave no page, 2 wrong usage, 130 interrupted.
Ctrl-C ends gently: what is in flight may finish. A second one ends at once.

Example: dragline https://example.com/ --max-pages 100 > pages.tsv
`;
}
