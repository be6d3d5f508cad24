import { describe, expect, test } from "vitest";
import { diskError } from "../../src/output/files_error.ts";

const systemError = (code: string): Error =>
  Object.assign(new Error(`${code}: told by the system`), { code });

describe("diskError()", () => {
  test.each([
    ["ENOSPC", "the disk is full (ENOSPC)"],
    ["EDQUOT", "the disk quota is used up (EDQUOT)"],
    ["EACCES", "there is no permission (EACCES)"],
    ["EPERM", "there is no permission (EPERM)"],
    ["EROFS", "the disk is read-only (EROFS)"],
    ["EWHAT", "EWHAT: told by the system"],
    ["toString", "toString: told by the system"],
  ])("says what %s means", (code, reason) => {
    const cause = systemError(code);
    const error = diskError("write", "a/b", cause);
    expect(error.message).toBe(`Cannot write 'a/b': ${reason}`);
    expect(error.cause).toBe(cause);
  });

  test("takes what is no error", () => {
    expect(diskError("open", "a", "broken").message).toBe("Cannot open 'a': broken");
  });
});
