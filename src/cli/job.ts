import { readFile } from "node:fs/promises";
import { diskError } from "../output/files_error.ts";
import type { Command } from "./arguments.ts";
import { type Choice, choose, givenByFile, givenByVariables } from "./given.ts";
import { readSeedList } from "./seed_url.ts";
import { UsageError } from "./usage_error.ts";
import type { Wishes } from "./wishes.ts";

/** What the command is to do, from all sources. */
export interface Job extends Choice {
  readonly seeds: readonly string[];
}

/** Where a job's parts come from, besides the arguments. */
export interface JobSources {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** All of standard input. */
  readInput(): Promise<string>;
}

type CrawlCommand = Extract<Command, { type: "crawl" }>;

/**
 * Gathers a job: flag over file over variable, and the seeds of the arguments before those of a list.
 *
 * @throws {UsageError} naming what is wrong
 */
export async function gatherJob(command: CrawlCommand, sources: JobSources): Promise<Job> {
  const { variables } = sources;
  const config = command.config ?? (variables.DRAGLINE_CONFIG || undefined);
  const given = config === undefined ? [] : [givenByFile(config, await readText(config))];
  const choice = choose([command.flags, ...given, givenByVariables(variables)]);
  checkWishes(choice.wishes);
  const seeds = [...command.seeds, ...(await listedSeeds(choice.wishes.input, sources))];
  if (seeds.length === 0) throw new UsageError("no URL to start from");
  return { ...choice, seeds };
}

async function listedSeeds(input: string | undefined, sources: JobSources): Promise<string[]> {
  if (input === undefined) return [];
  if (input === "-") return readSeedList("standard input", await sources.readInput());
  return readSeedList(input, await readText(input));
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new UsageError(diskError("read", path, cause).message);
  }
}

/** Flags that mean nothing without another one. */
const NEEDS: readonly (readonly [flag: string, isUnmet: (wishes: Wishes) => boolean, needed: string])[] = [
  ["--offline", ({ offline, out }) => offline === true && out === undefined, "--out"],
  ["--verify-mx", ({ verifyMx, emails }) => verifyMx === true && emails === undefined, "--emails"],
  [
    "--dns-over-https",
    ({ dnsOverHttps, verifyMx }) => dnsOverHttps !== undefined && verifyMx !== true,
    "--verify-mx",
  ],
  [
    "--fields",
    ({ fields, jsonl, csv }) => fields !== undefined && jsonl === undefined && csv === undefined,
    "--jsonl or --csv",
  ],
];

function checkWishes(wishes: Wishes): void {
  for (const [flag, isUnmet, needed] of NEEDS) {
    if (isUnmet(wishes)) throw new UsageError(`${flag} needs ${needed}`);
  }
  if (wishes.replace === true && wishes.resume !== undefined) {
    throw new UsageError("--replace would lose what --resume goes on with: give one of them");
  }
  const paths = [
    wishes.jsonl,
    wishes.csv,
    wishes.out,
    wishes.warc,
    wishes.links,
    wishes.emails,
    wishes.resume,
    wishes.revalidate,
  ];
  const twice = paths.find((path, index) => path !== undefined && paths.indexOf(path) !== index);
  if (twice === undefined) return;
  throw new UsageError(
    twice === "-"
      ? "only one of --jsonl and --csv can go to standard output"
      : `two outputs go to '${twice}'`,
  );
}
