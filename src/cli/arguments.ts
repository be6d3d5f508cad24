import { parseArgs } from "node:util";
import { nearestName } from "../nearest.ts";
import { type CrawlFlags, FLAGS } from "./flags.ts";
import { UsageError } from "./usage_error.ts";

/** What the command line asks for. */
export type Command =
  | { readonly type: "help" }
  | { readonly type: "version" }
  | { readonly type: "crawl"; readonly seeds: readonly string[]; readonly options: CrawlFlags };

const SWITCHES = { help: { type: "boolean", short: "h" }, version: { type: "boolean", short: "V" } } as const;

/**
 * Reads the arguments after the command's name. Of a flag that is given twice the last one holds.
 *
 * @throws {UsageError} at the first argument that is wrong.
 */
export function parseCommand(args: readonly string[]): Command {
  const { tokens } = parseArgs({
    args: [...args],
    // Not strict: the errors are our own, the same on every runtime, and a negative number is a value.
    strict: false,
    tokens: true,
    options: {
      ...SWITCHES,
      ...Object.fromEntries(FLAGS.map(({ name }) => [name, { type: "string" as const }])),
    },
  });
  if (tokens.some((token) => token.kind === "option" && token.name === "help")) return { type: "help" };
  if (tokens.some((token) => token.kind === "option" && token.name === "version")) return { type: "version" };

  const seeds: string[] = [];
  let options: CrawlFlags = {};
  for (const token of tokens) {
    if (token.kind === "positional") seeds.push(readSeed(token.value));
    if (token.kind === "option")
      options = { ...options, ...readFlag(token.name, token.rawName, token.value) };
  }
  if (seeds.length === 0) throw new UsageError("no URL to start from");
  return { type: "crawl", seeds, options };
}

function readFlag(name: string, rawName: string, value: string | undefined): CrawlFlags {
  const flag = FLAGS.find((flag) => flag.name === name);
  if (flag === undefined) {
    const nearest = nearestName(name, [...Object.keys(SWITCHES), ...FLAGS.map((flag) => flag.name)]);
    throw new UsageError(`there is no option ${rawName}${nearest ? `, did you mean --${nearest}?` : ""}`);
  }
  if (value === undefined) throw new UsageError(`--${name} needs a value: --${name} ${flag.placeholder}`);
  return flag.read(value);
}

// A host without its scheme, as one types it into a browser: `example.com/a`, `localhost:8080`.
const BARE_HOST = /^(?:[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d))(?::\d+)?(?:[/?#]|$)/;

function readSeed(text: string): string {
  if (URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol)) return text;
  if (BARE_HOST.test(text) && URL.canParse(`http://${text}`)) {
    // A port is the mark of a server under development, which seldom speaks TLS.
    const scheme = new URL(`http://${text}`).port === "" ? "https" : "http";
    throw new UsageError(
      `a URL starts with its scheme: received '${text}', did you mean ${scheme}://${text}?`,
    );
  }
  throw new UsageError(
    URL.canParse(text) ? `only http and https can be crawled: received '${text}'` : `not a URL: '${text}'`,
  );
}
