/** The command line cannot be understood; the message is one sentence for whoever typed it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** An output cannot be written; the message names its flag and path. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}
