import type { CrawlOptions } from "../options.ts";
import { UsageError } from "./usage_error.ts";

/** The options of a crawl that have a flag. */
export type CrawlFlags = Pick<CrawlOptions, "maxPages" | "maxDepth" | "scope" | "delayMs" | "concurrency">;

/** One option of the command line that takes a value. */
export interface Flag {
  /** Without its dashes. */
  readonly name: string;
  /** What stands for the value in the help. */
  readonly placeholder: string;
  readonly meaning: string;
  /** @throws {UsageError} where the text is not a value of this flag. */
  read(text: string): CrawlFlags;
}

const SCOPES = ["origin", "host", "domain", "prefix", "any"] as const;

/** All flags that take a value, in the order of the help. */
export const FLAGS: readonly Flag[] = [
  {
    name: "max-pages",
    placeholder: "N",
    meaning: "end after N pages (default: no limit)",
    read: (text) => ({ maxPages: wholeNumber("max-pages", text, 1) }),
  },
  {
    name: "max-depth",
    placeholder: "N",
    meaning: "follow links up to N hops from a URL given here (default: no limit)",
    read: (text) => ({ maxDepth: wholeNumber("max-depth", text, 0) }),
  },
  {
    name: "scope",
    placeholder: "S",
    meaning: `which links belong: ${SCOPES.join(", ")} (default: host)`,
    read: (text) => ({ scope: oneOf("scope", text, SCOPES) }),
  },
  {
    name: "delay",
    placeholder: "MS",
    meaning: "least time between two starts to one host, in milliseconds (default: 250)",
    read: (text) => ({ delayMs: wholeNumber("delay", text, 0) }),
  },
  {
    name: "concurrency",
    placeholder: "N",
    meaning: "requests in flight over all hosts (default: 8)",
    read: (text) => ({ concurrency: wholeNumber("concurrency", text, 1) }),
  },
];

function wholeNumber(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || !Number.isSafeInteger(value)) {
    throw new UsageError(`--${flag} must be a whole number of at least ${least}: received '${text}'`);
  }
  return value;
}

function oneOf<Choice extends string>(flag: string, text: string, choices: readonly Choice[]): Choice {
  const chosen = choices.find((choice) => choice === text);
  if (chosen === undefined)
    throw new UsageError(`--${flag} must be one of ${choices.join(", ")}: received '${text}'`);
  return chosen;
}
