import type { FailureReason } from "./result.ts";

const REASON_BY_CODE: ReadonlyMap<string, FailureReason> = new Map([
  ["ENOTFOUND", "dns"],
  ["EAI_AGAIN", "dns"],
  ["ECONNREFUSED", "connect"],
  ["ECONNRESET", "reset"],
  ["UND_ERR_SOCKET", "reset"],
]);

/** Why a request failed, by what the runtime threw. */
export function failureReason(error: unknown): FailureReason {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    const reason = REASON_BY_CODE.get(String((at as { code?: unknown }).code));
    if (reason) return reason;
  }
  return "network";
}
