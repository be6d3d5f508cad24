import { SqliteError } from "../frontier/sqlite.ts";
import { VERSION } from "../version.ts";
import { type Command, parseCommand } from "./arguments.ts";
import { runCrawl } from "./crawl_run.ts";
import { helpText } from "./help.ts";
import { gatherJob } from "./job.ts";
import { printable } from "./printable.ts";
import type { Surroundings } from "./surroundings.ts";
import { OutputError, UsageError } from "./usage_error.ts";

/** The command, from its arguments to its exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted. */
export async function run(args: readonly string[], around: Surroundings): Promise<number> {
  try {
    return await obey(parseCommand(args), around);
  } catch (error) {
    if (error instanceof UsageError) {
      await around.err.write(`dragline: ${printable(error.message)} (dragline --help tells more)\n`);
      return 2;
    }
    if (error instanceof OutputError || error instanceof SqliteError) {
      await around.err.write(`dragline: ${printable(error.message)}\n`);
      return 2;
    }
    throw error;
  }
}

async function obey(command: Command, around: Surroundings): Promise<number> {
  switch (command.type) {
    case "help":
      await around.out.write(helpText());
      return 0;
    case "version":
      await around.out.write(`${VERSION}\n`);
      return 0;
    case "crawl":
      return await runCrawl(await gatherJob(command, around), around);
    default:
      return command satisfies never;
  }
}
