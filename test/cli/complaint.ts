import { UsageError } from "../../src/cli/usage_error.ts";

/** The one sentence that wrong usage gets. */
export function complaintOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error("it was understood");
}
