/** The command line cannot be understood; the message is one sentence for whoever typed it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
