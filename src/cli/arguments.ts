import { parseArgs } from "node:util";
import { FLAGS } from "./flags.ts";
import { didYouMean, flagNamed, type Given, type GivenFlag } from "./given.ts";
import { readSeed } from "./seed_url.ts";
import { UsageError } from "./usage_error.ts";

/** What the arguments say. */
export type Command =
  | { readonly type: "help" }
  | { readonly type: "version" }
  | {
      readonly type: "crawl";
      readonly seeds: readonly string[];
      readonly flags: Given;
      /** The path of a file of options. */
      readonly config?: string;
    };

const OWN_OPTIONS = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
  quiet: { type: "boolean", short: "q" },
  config: { type: "string" },
} as const;

const NO = "no-";

/**
 * Reads the arguments after the command's name. Of a flag that is given twice the last one holds, unless it is one
 * that may be repeated. What the values mean is not looked at yet.
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
      ...flagOptions(),
      ...OWN_OPTIONS,
    },
  });
  const isAsked = (name: string): boolean => tokens.some((token) => "name" in token && token.name === name);
  if (isAsked("help")) return { type: "help" };
  if (isAsked("version")) return { type: "version" };

  const seeds: string[] = [];
  const flags = new Map<string, GivenFlag>();
  let config: string | undefined;
  for (const token of tokens) {
    if (token.kind === "positional") seeds.push(readSeed(token.value));
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    if (name === "config") config = wantedValue(name, "FILE", value);
    else noteFlag(flags, name, rawName, value);
  }
  return { type: "crawl", seeds, flags, ...(config !== undefined && { config }) };
}

function flagOptions(): Record<string, { type: "string" | "boolean" }> {
  const options: Record<string, { type: "string" | "boolean" }> = {};
  for (const { name, kind } of FLAGS) {
    const isSwitch = kind.placeholder === undefined;
    options[name] = { type: isSwitch ? "boolean" : "string" };
    if (isSwitch) options[NO + name] = { type: "boolean" };
  }
  return options;
}

function noteFlag(
  flags: Map<string, GivenFlag>,
  written: string,
  rawName: string,
  value: string | undefined,
): void {
  const isNegated = flagNamed(written) === undefined && written.startsWith(NO);
  const name = isNegated ? written.slice(NO.length) : written;
  const flag = flagNamed(name);
  const isSwitch = flag?.kind.placeholder === undefined;
  if (flag === undefined || (isNegated && !isSwitch)) {
    throw new UsageError(`there is no option ${rawName}${didYouMean(written)}`);
  }
  const label = `--${written}`;
  if (isSwitch && value !== undefined) {
    throw new UsageError(`${label} takes no value: received '${value}'`);
  }
  const text = isSwitch ? String(!isNegated) : wantedValue(name, flag.kind.placeholder, value);
  const before = flag.kind.many ? (flags.get(name)?.texts ?? []) : [];
  flags.set(name, { label, texts: [...before, text] });
}

function wantedValue(name: string, placeholder: string | undefined, value: string | undefined): string {
  if (value === undefined) throw new UsageError(`--${name} needs a value: --${name} ${placeholder}`);
  return value;
}
