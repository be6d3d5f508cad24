import { parseArgs } from "node:util";

export interface Flags {
  /** One round of less work, to see whether all runs. */
  readonly quick: boolean;
  /** Where the figures are kept as JSON; `undefined`: where the benchmark always keeps them. */
  readonly json: string | undefined;
}

/** Throws a `TypeError` that names what it does not know. */
export function readFlags(args: readonly string[]): Flags {
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: "boolean", default: false }, json: { type: "string" } },
  });
  return { quick: values.quick, json: values.json };
}
