import { nearestName } from "../nearest.ts";
import type { CrawlOptions } from "../options.ts";
import type { Flag } from "./flags/flag.ts";
import { FLAGS } from "./flags.ts";
import { UsageError } from "./usage_error.ts";
import type { Wishes } from "./wishes.ts";

/** What one source, say the command line, gives to a flag. */
export interface GivenFlag {
  /** How the user wrote it, for errors. */
  readonly label: string;
  readonly texts: readonly string[];
}

/** What one source gives, by the names of the flags. */
export type Given = ReadonlyMap<string, GivenFlag>;

/** The options of a crawl that flags can set. */
export type FlagOptions = Omit<CrawlOptions, "results">;

/** What all sources say together. */
export interface Choice {
  readonly options: FlagOptions;
  readonly wishes: Wishes;
}

const BY_NAME: ReadonlyMap<string, Flag> = new Map(FLAGS.map((flag) => [flag.name, flag]));

export function flagNamed(name: string): Flag | undefined {
  return BY_NAME.get(name);
}

/** The variable that stands for a flag: `DRAGLINE_MAX_PAGES` for `max-pages`. */
export function variableOf(name: string): string {
  return `DRAGLINE_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** What the variables of the environment give. One that is empty counts as not set. */
export function givenByVariables(variables: Readonly<Record<string, string | undefined>>): Given {
  const given = new Map<string, GivenFlag>();
  for (const { name, kind } of FLAGS) {
    const label = variableOf(name);
    const text = variables[label];
    if (text === undefined || text === "") continue;
    // Patterns, headers and URLs have no line ends within.
    given.set(name, { label, texts: kind.many ? text.split("\n").filter((line) => line !== "") : [text] });
  }
  return given;
}

/**
 * What a file of options gives: a JSON object, with the flags' names without dashes.
 *
 * @throws {UsageError} naming what in it is wrong
 */
export function givenByFile(path: string, json: string): Given {
  const given = new Map<string, GivenFlag>();
  for (const [name, value] of Object.entries(parsedObject(path, json))) {
    const label = `'${name}' in ${path}`;
    const flag = flagNamed(name);
    if (flag === undefined) throw new UsageError(`there is no option ${label}${didYouMean(name, "'", "'")}`);
    const texts = (Array.isArray(value) ? value : [value]).map((each) => textOf(label, each));
    given.set(name, { label, texts: flag.kind.many ? texts : [texts.join(",")] });
  }
  return given;
}

/** `, did you mean --max-pages?`; nothing where no flag is near. */
export function didYouMean(name: string, before = "--", after = ""): string {
  const switches = FLAGS.filter(({ kind }) => kind.placeholder === undefined).map(
    (flag) => `no-${flag.name}`,
  );
  const nearest = nearestName(name, [...BY_NAME.keys(), ...switches, "config", "help", "version"]);
  return nearest === undefined ? "" : `, did you mean ${before}${nearest}${after}?`;
}

/**
 * Reads what was given; of what several sources give, the first one holds.
 *
 * @throws {UsageError} naming the value that is wrong, of whichever source it is
 */
export function choose(sources: readonly Given[]): Choice {
  const options: Record<string, unknown> = {};
  const wishes: Record<string, unknown> = {};
  for (const { name, kind, target } of FLAGS) {
    const [value] = sources.flatMap((source) => {
      const given = source.get(name);
      return given === undefined ? [] : [kind.read(given.label, given.texts)];
    });
    if (value === undefined) continue;
    if ("wish" in target) wishes[target.wish] = value;
    else setOption(options, target.option, value);
  }
  return { options: options as FlagOptions, wishes: wishes as Wishes };
}

function setOption(options: Record<string, unknown>, path: string, value: unknown): void {
  const [name = "", part] = path.split(".");
  if (part === undefined) {
    options[name] = name === "headers" ? Object.fromEntries(value as [string, string][]) : value;
  } else if (options[name] !== false) {
    // Whoever switched the whole off wants no part of it.
    options[name] = { ...(typeof options[name] === "object" && options[name]), [part]: value };
  }
}

function parsedObject(path: string, json: string): object {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`${path} must be a JSON object, such as { "max-pages": 200 }`);
  }
  return value;
}

function textOf(label: string, value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return `${value}`;
  throw new UsageError(`${label} must be a text, a number, true or false: received ${JSON.stringify(value)}`);
}
