import { parseArgs } from "node:util";

export interface Flags {
  /** One round of less work, to see whether all runs. */
  readonly quick: boolean;
  /** Where the figures are kept as JSON; `undefined`: where the benchmark always keeps them. */
  readonly json: string | undefined;
  /** Whether the documents get the figures. */
  readonly write: boolean;
}

/** Throws a `TypeError` that names what it does not know. */
export function readFlags(args: readonly string[]): Flags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  if (values.quick && values.write) {
    throw new TypeError("Cannot take '--write' with '--quick' as one quick round is nothing to show");
  }
  return { quick: values.quick, json: values.json, write: values.write };
}
